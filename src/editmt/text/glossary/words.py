"""What others' files call a status, a case rule or a column; and the names of languages."""

import re
from functools import lru_cache

VERBATIM = "verbatim"
"""The status "do not translate", which belongs to the source's term."""

SOURCE_STATUS = "administrativeStatus"
"""What is extra of a source term: it changes nothing in what its targets are."""

_STATUS_WORDS = {
    "preferred": """preferred|preferredterm|standardizedterm|legalterm|regulatedterm|approved|recommended
        |mandatory|required|valid|final|confirmed|active|new|draft|proposed|proposal|candidate|workingelement
        |standard|standardised|standardized|pending|pendingreview|inreview|needsreview|reviewed|unreviewed
        |provisional|accepted|verified|validated|translated|published|bevorzugt|vorzugsbenennung|freigegeben
        |genehmigt|empfohlen|privilégié|préféré|approuvé|validé|recommandé|préconisé|preferido|aprobado
        |recomendado|aprovado|preferito|preferita|approvato|voorkeur|voorkeursterm|goedgekeurd|推奨|承認済み|承認""",
    "admitted": """admitted|admittedterm|allowed|permitted|acceptable|synonym|alternative|erlaubt|zugelassen
        |tolerated|optional|zulässig|admis|toléré|autorisé|admitido|permitido|ammesso|toegestaan|許容|許可""",
    "forbidden": """forbidden|forbiddenterm|deprecated|deprecatedterm|superseded|supersededterm|obsolete
        |obsoleteterm|prohibited|banned|blacklisted|disallowed|rejected|notrecommended|donotuse
        |dontuse|nottobeused|avoid|discouraged|outdated|notallowed|notpermitted|notadmitted
        |invalid|verboten|unzulassig|unzulässig|abgelehnt
        |nichtverwenden|nichtzulässig|nichterlaubt|veraltet|gesperrt|interdit|proscrit|déconseillé|àéviter|obsolète
        |rejeté|prohibido|desaconsejado|nousar|obsoleto|rechazado|proibido|nãousar|vietato|sconsigliato
        |nonusare|verbodenterm|afgeraden|nietgebruiken|使用禁止|禁止|非推奨|使用不可""",
    VERBATIM: """donottranslate|dnt|donttranslate|nottranslated|untranslatable|untranslated|nontranslatable
        |nontranslated|notranslation|readonly|verbatim|nichtubersetzen|nichtübersetzen|nepastraduire|nontraduit
        |notraducir|nãotraduzir|nontradurre|nietvertalen|翻訳不要|翻訳しない""",
}
_CASE_WORDS = {
    "exact": """exact|casesensitive|casesense|sensitive|case|yes|true|1|matchcase|casematch|caseexact|y|x""",
    "any": """any|caseinsensitive|caseinsense|insensitive|ignore|ignorecase|no|false|0|n|casepermissive
        |permissive""",
    "auto": "auto",
}
_COLUMN_WORDS = {
    "source": """source|src|sourceterm|sourcetext|sourcestring|sourcephrase|term|phrase|original|from|key
        |quelle|quellterm|ausgangssprache|msgid|sourcelanguageterm|begriff|word|terms|tterm
        |benennung|ausgangstext|quelltext|terme|termesource|origine|término|termino|términoorigen|origen|origem
        |termo|termine|originale|bron|bronterm|brontekst|原文|用語|原語""",
    "target": """target|tgt|trg|targetterm|targettext|targetstring|targetphrase|translation|translations
        |translatedterm|to|ziel|zielterm|zielsprache|msgstr|targetlanguageterm|übersetzung|equivalent
        |zieltext|zielbenennung|cible|termecible|traduction|traducción|traduccion|destino|términodestino
        |tradução|traduzione|destinazione|vertaling|doel|doelterm|doeltekst|訳文|訳語|翻訳""",
    "source_language": "sourcelanguage|sourcelang|srclang|sourcelocale|sourcelanguagecode|langsource",
    "target_language": """targetlanguage|targetlang|tgtlang|trglang|targetlocale|targetlanguagecode|langtarget
        |language|languagecode|lang|langcode|locale|lcode|termlanguage""",
    "status": """status|termstatus|usage|usagestatus|administrativestatus|approval|type|kind|entrytype|flags
        |evaluation|tevaluation|verwendung|statut|estado|stato|ステータス|状態""",
    "forbidden": "forbidden|isforbidden|prohibited|banned|forbiddenterm|verboten|interdit|prohibido",
    "verbatim": """donottranslate|dnt|untranslatable|nontranslatable|translatable|readonly|translate
        |istranslatable|concepttranslatable|keeporiginal|keepsource|keepasis|nichtübersetzen|nepastraduire""",
    "case": """case|caserule|casesensitive|casesensitivity|matchcase|iscasesensitive|großkleinschreibung
        |großkleinschreibungbeachten|sensibleàlacasse""",
    "part_of_speech": """pos|partofspeech|wordclass|wortart|grammar|speechpart|class|catégorie
        |catégoriegrammaticale|categoríagramatical|categoriagrammaticale|woordsoort|品詞""",
    "note": """note|notes|comment|comments|remark|remarks|description|explanation|usagenote|translatorcomments
        |developercomments|context|conceptnote|bemerkung|kommentar|hinweis|example|entrynote|termexample|info
        |anmerkung|anmerkungen|notiz|kontext|remarque|remarques|commentaire|commentaires|contexte|nota|notas
        |comentario|comentarios|observaciones|commento|opmerking|備考|注記|コメント""",
    "definition": """definition|meaning|def|entrydefinition|conceptdefinition|ldefinition|définition
        |definición        |definição|definizione|definitie|定義""",
    "subject": """subject|subjectfield|domain|field|category|entrysubject|entrydomain|fachgebiet
        |conceptsubject|conceptdomain|edomain|edomains
        |sachgebiet|domaine|dominio|domínio|campo|分野""",
    "concept": "id|concept|conceptid|entryid|termid|uid|guid|eid",
    "term_info": "terminfo",
}
_VAGUE = {
    "usage",
    "approval",
    "type",
    "kind",
    "entrytype",
    "flags",
    "evaluation",
    "tevaluation",
    "verwendung",
}
"""Names of columns that may be of anything: what stands in them has to tell."""
_UNSAID = {"", "terminology", "na", "none", "notset", "unknown", "undefined", "nichtfestgelegt"}
_YES = frozenset(("yes", "true", "1", "x", "y", "ja", "wahr", "oui", "vrai", "sí", "verdadero", "sì", "vero"))
_YES |= {"forbidden", "dnt", "はい"}
_MOST_KNOWN = 1000
"""Words whose meaning is remembered: a table says the same in each of its rows."""
_INVERTED = {"translatable", "translate", "istranslatable", "concepttranslatable"}
_TERM_WORDS = {"term", "terms", "word", "phrase", "begriff", "benennung", "synonym", "synonyms"}
"""Beside a language these are the terms in it; alone, the source's."""
_MARKED = ("[", "(", ":")
"""Before or behind these a language is one, whatever stands beside it: "Gender [de]"."""
TARGETS_OWN, EXTRAS_OWN = "target ", "extra "
"""What this program writes before the name of what a target has beyond the usual columns, and of what only
has the name of one of them."""
_LANGUAGES_OWN = {None, "source", "target", "source_language", "target_language"}
"""What a column of a language's terms may be called besides: "English term", "German (target)"."""


def _words(text: str) -> list[str]:
    return text.split()


_POS_WORDS = frozenset(
    _words("""
    noun verb adjective adverb adj adv propernoun pronoun preposition conjunction phrase abbreviation
    interjection determiner article numeral other n v nom verbe substantiv adjektiv nomen nounphrase""")
)

_LANGUAGE_NAMES = dict(
    pair.split("=")
    for pair in _words("""
    afrikaans=af albanian=sq arabic=ar armenian=hy azerbaijani=az basque=eu belarusian=be bengali=bn
    bosnian=bs bulgarian=bg catalan=ca chinese=zh croatian=hr czech=cs danish=da dutch=nl english=en
    esperanto=eo estonian=et finnish=fi french=fr galician=gl georgian=ka german=de greek=el hebrew=he
    hindi=hi hungarian=hu icelandic=is indonesian=id irish=ga italian=it japanese=ja kazakh=kk korean=ko
    latvian=lv lithuanian=lt macedonian=mk malay=ms norwegian=no persian=fa polish=pl portuguese=pt
    romanian=ro russian=ru serbian=sr slovak=sk slovenian=sl spanish=es swahili=sw swedish=sv thai=th
    turkish=tr ukrainian=uk urdu=ur vietnamese=vi welsh=cy englisch=en deutsch=de französisch=fr
    français=fr spanisch=es español=es italienisch=it italiano=it japanisch=ja 日本語=ja 中文=zh română=ro
    rumänisch=ro anglais=en allemand=de espagnol=es italien=it inglés=en alemán=de francés=fr inglese=en
    tedesco=de francese=fr inglês=en alemão=de português=pt nederlands=nl engels=en duits=de polski=pl
    svenska=sv čeština=cs русский=ru 英語=en ドイツ語=de フランス語=fr 한국어=ko eng=en deu=de ger=de
    fra=fr fre=fr spa=es ita=it por=pt rus=ru zho=zh jpn=ja kor=ko nld=nl pol=pl ces=cs swe=sv
    tur=tr ukr=uk""")
)
_REGIONS = dict(
    pair.split("=")
    for pair in _words("""
    unitedstates=US us=US usa=US american=US unitedkingdom=GB uk=GB british=GB canada=CA canadian=CA
    australia=AU india=IN ireland=IE germany=DE deutschland=DE austria=AT austrian=AT switzerland=CH swiss=CH
    france=FR belgium=BE netherlands=NL italy=IT spain=ES mexico=MX mexican=MX latinamerica=419 brazil=BR
    brazilian=BR portugal=PT japan=JP korea=KR russia=RU poland=PL prc=CN china=CN mainlandchina=CN taiwan=TW
    hongkong=HK simplified=Hans traditional=Hant cyrillic=Cyrl latin=Latn""")
)
_VARIANTS = frozenset(
    ("bokmål", "bokmal", "nynorsk", "simplified", "traditional", "latin", "cyrillic", "formal")
)
_LANGUAGE_CODES = frozenset(
    _words("""
    aa ab af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee
    el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii
    ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh
    mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro
    ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw
    ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    ast ceb ckb dsb fil fur gsw haw hsb kab nds sah sco szl vec yue""")
)
_SCRIPTS = frozenset(
    _words("""
    arab armn beng cans cher cyrl deva ethi geor grek gujr guru hans hant hebr jpan khmr knda kore laoo latn
    mlym mong mymr orya sinh taml telu tfng thaa thai tibt""")
)
_CODE = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|[0-9]{3}))?")


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word.strip(): name for name, words in table.items() for word in words.split("|")}


_STATUS_BY_WORD = _by_word(_STATUS_WORDS)
_CASE_BY_WORD = _by_word(_CASE_WORDS)
_COLUMN_BY_WORD = _by_word(_COLUMN_WORDS)


def _bare(word: str) -> str:
    """Return the word's letters and digits in small letters.

    >>> _bare("Do not translate"), _bare("preferredTerm-admn-sts"), _bare("Source_Term")
    ('donottranslate', 'preferredterm', 'sourceterm')
    """
    return re.sub(r"[\W_]", "", word.lower().removesuffix("-admn-sts"))


@lru_cache(_MOST_KNOWN)
def status_of(word: str) -> str | None:
    """Return the status that a word of a file means: one of `STATUSES`, or `VERBATIM`.

    >>> status_of("deprecatedTerm-admn-sts"), status_of("DNT"), status_of("huh")
    ('forbidden', 'verbatim', None)

    It may be one of several flags, as Weblate has them:

    >>> status_of("terminology, read-only"), status_of("reviewed; admitted")
    ('verbatim', 'admitted')
    """
    if found := _STATUS_BY_WORD.get(_bare(word)):
        return found
    flags = re.split("[,;]", word) if "," in word or ";" in word else []
    known = [found for flag in flags if (found := _STATUS_BY_WORD.get(_bare(flag)))]
    return next((found for found in known if found != "preferred"), next(iter(known), None))


def is_told_of_source(word: str) -> bool:
    """Tell whether a status says more of a source term than that it is a usual one, or kept as it is."""
    return bool(word) and status_of(word) not in {"preferred", VERBATIM}


@lru_cache(_MOST_KNOWN)
def case_rule_of(word: str) -> str | None:
    """Return the case rule that a word of a file means."""
    return _CASE_BY_WORD.get(_bare(word))


@lru_cache(_MOST_KNOWN)
def is_true(word: str) -> bool:
    """Tell whether a cell says yes."""
    return _bare(word) in _YES


def is_unsaid(word: str) -> bool:
    """Tell whether a cell is as good as empty: "-", "n/a"."""
    return _bare(word) in _UNSAID


def is_vague(name: str) -> bool:
    """Tell whether a column of this name may be of a status, or of something else: "Type"."""
    return bool({_bare(name), _bare(_split_head(name)[0])} & _VAGUE)


def is_part_of_speech(word: str) -> bool:
    """Tell whether a word is the name of a part of speech."""
    return _bare(word) in _POS_WORDS


def column_of(name: str) -> str | None:
    """Return which column of a table a header's name means, if it is none of a language.

    >>> column_of("Source term"), column_of("Part of speech"), column_of("English")
    ('source', 'part_of_speech', None)
    """
    return _COLUMN_BY_WORD.get(_bare(name))


def head_of(name: str) -> tuple[str | None, str]:
    """Return which column a header's name means, `term` for one of a language, and its language.

    >>> head_of("Target (German)"), head_of("source_en"), head_of("English term"), head_of("Notes")
    (('target', 'de'), ('source', 'en'), ('term', 'en'), ('note', ''))
    >>> head_of("Term [en]"), head_of("de: Note"), head_of("English Part of Speech")
    (('term', 'en'), ('note', 'de'), ('part_of_speech', 'en'))

    What is of the source or the target has that for a language:

    >>> head_of("src:pos"), head_of("Target note"), head_of("target gender"), head_of("Target market")
    (('part_of_speech', 'source'), ('note', 'target'), (None, 'target'), (None, ''))
    """
    if name.startswith((EXTRAS_OWN, TARGETS_OWN + EXTRAS_OWN)):
        return None, "target" if name.startswith(TARGETS_OWN) else ""
    if column := column_of(name):
        return column, ""
    if language := language_of(name):
        return "term", language
    what, language = _split_head(name)
    if language:
        return ("term" if _bare(what) in _TERM_WORDS else column_of(what)), language
    return _side_of(name) or ((column_of(name.lower().split()[-1]) if name.split() else None), "")


def _side_of(name: str) -> tuple[str | None, str] | None:
    """Return which column a header's name means, if it is one of the source or of the target."""
    if name.startswith(TARGETS_OWN):
        return column_of(name.removeprefix(TARGETS_OWN)), "target"
    side = re.match(r"(source|src|target|tgt)\W+(.+)", name, re.IGNORECASE)
    if side is None or column_of(side[2]) is None:
        return None
    return column_of(side[2]), "source" if side[1][0] in "sS" else "target"


def _split_head(name: str) -> tuple[str, str]:
    """Return what a header's name is about, and the language that it names before or behind that, if any."""
    gaps = [
        (gap[0].strip()[-1:], name[: gap.start()], name[gap.end() :].rstrip(")] "))
        for gap in re.finditer(r"[\s_:(\[/-]+", name)
    ]
    for mark, before, behind in gaps:
        for what, code in ((before, behind), (behind, before)):
            language = language_of(code)
            if language and (column_of(what) or mark in _MARKED):
                return what, language
    for _, before, behind in reversed(gaps):  # "English (US) gender"
        if _is_name(before) and (language := language_of(before)):
            return behind, language
    return name, ""


def _is_name(language: str) -> bool:
    """Tell whether a language is given by its name: a code may be a word of something else, "no" or "is"."""
    return re.split(r"[\s_(\[,/-]+", language.strip().lower())[0] in _LANGUAGE_NAMES and len(language) > 3


def says_translatable(name: str) -> bool:
    """Tell whether the column's "no" means "do not translate", and not its "yes"."""
    return bool({_bare(name), _bare(_split_head(name)[0])} & _INVERTED)


@lru_cache(_MOST_KNOWN)
def language_of(name: str) -> str | None:
    """Return the language code that a code or name means.

    >>> language_of("en_US"), language_of("German (Germany)"), language_of("zh-hans-CN"), language_of("term")
    ('en-US', 'de-DE', 'zh-Hans-CN', None)
    >>> language_of("English_United_States"), language_of("Simplified Chinese"), language_of("German_Def")
    ('en-US', 'zh-Hans', None)
    """
    name = name.strip()
    if match := _CODE.fullmatch(name):
        language, script, region = match.groups()
        if language.lower() in _LANGUAGE_CODES and (not script or script.lower() in _SCRIPTS):
            return "-".join(
                part
                for part in (language.lower(), script and script.title(), region and region.upper())
                if part
            )
    first, *rest = re.split(r"[\s_(\[,/-]+", name.lower())
    rest = [word.rstrip(")]") for word in rest]
    if {column_of("".join(rest)), *map(column_of, (*rest[:1], *rest[-1:]))} - _LANGUAGES_OWN:
        return None  # "English definition"
    if first in _REGIONS and len(rest) == 1:
        first, rest = rest[0], [first]  # "Brazilian Portuguese"
    region = _REGIONS.get("".join(rest))
    language = _LANGUAGE_NAMES.get(first)
    if language and region:
        return f"{language}-{region}"
    return language if not rest or _is_of_terms(name, rest) else None


def _is_of_terms(name: str, rest: list[str]) -> bool:
    """Tell whether what stands behind a language still lets its column be one of terms: a variant, a number.

    "Chinese (Traditional, Taiwan)", "English 2" and "German translation" do, "German gender" does not.
    """
    if name.endswith((")", "]")) or any(word in _VARIANTS or word in _LANGUAGE_NAMES for word in rest):
        return True
    bare = [word for word in rest if not word.isdecimal()]
    return not bare or column_of("".join(bare)) is not None or _bare(bare[-1]) in _TERM_WORDS


@lru_cache(_MOST_KNOWN)
def same_language(one: str, other: str) -> bool:
    """Tell whether two codes are of one language, whatever the region.

    >>> same_language("en-US", "EN"), same_language("", "en"), same_language("de", "en")
    (True, True, False)
    """
    return not one or not other or re.split("[-_]", one)[0].lower() == re.split("[-_]", other)[0].lower()
