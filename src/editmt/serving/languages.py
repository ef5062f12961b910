"""Languages by their codes, as other services write them."""

from editmt.serving.problems import Problem

NAMES = dict(
    pair.split("=")
    for pair in """
        ar=Arabic bg=Bulgarian cs=Czech da=Danish de=German el=Greek en=English es=Spanish et=Estonian
        fi=Finnish fr=French he=Hebrew hu=Hungarian id=Indonesian it=Italian ja=Japanese ko=Korean
        lt=Lithuanian lv=Latvian nb=Norwegian nl=Dutch pl=Polish pt=Portuguese ro=Romanian ru=Russian
        sk=Slovak sl=Slovenian sv=Swedish th=Thai tr=Turkish uk=Ukrainian vi=Vietnamese zh=Chinese
    """.split()  # noqa: SIM905 - easier to read so
)
LONGEST_TOLD = 40
REGIONS = {"en": ("en-US", "en-GB"), "pt": ("pt-PT", "pt-BR")}
"""Targets that DeepL's clients want with a region."""


def base_of(code: str) -> str:
    """Return a code without its region.

    >>> base_of("EN-GB"), base_of("pt_br")
    ('en', 'pt')
    """
    return code.replace("_", "-").partition("-")[0].lower()


def name_of(code: str) -> str:
    """Return a language's English name, or its code, if that is not known."""
    return NAMES.get(base_of(code), code)


def targets_of(code: str) -> tuple[str, ...]:
    """Return the codes under which a target language is offered."""
    return REGIONS.get(code, (code,))


def check_pair(pair: tuple[str, str], source: str | None, target: str) -> None:
    """Refuse languages that are not the model's; none or "auto" is whatever it translates from."""
    if base_of(target) != pair[1]:
        raise Problem(400, f"the target language {_shorten(target)} is not supported (only {pair[1]!r})")
    if source and source.lower() != "auto" and base_of(source) != pair[0]:
        raise Problem(400, f"the source language {_shorten(source)} is not supported (only {pair[0]!r})")


def _shorten(code: str) -> str:
    """Return a code to be told: whatever it is, not more than a line of it."""
    return repr(code if len(code) <= LONGEST_TOLD else code[:LONGEST_TOLD] + "…")
