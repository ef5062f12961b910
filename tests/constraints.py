"""Random sentences with hard, forbidden and soft words and drafts, and how to judge what came of them."""

import re
import unicodedata

import numpy as np

from editmt.config import DecodingConfig
from editmt.data.texts import Texts
from editmt.decoding.request import Request
from editmt.decoding.torch_engine import make_engine
from editmt.decoding.translator import Translator
from editmt.text.subwords import SentencePiecePipeline
from tests.sentences import ENGLISH, GERMAN
from tests.tiny import tiny_model

PIPELINE = SentencePiecePipeline.train(ENGLISH + GERMAN, size=420)
WORDS = sorted({word.strip('".,;:') for line in GERMAN for word in line.split()})
STRANGE = [
    *("👩‍🚀", "👩", "👍", "👍🏽", "🇩🇪", "🇪🇸", "Zyx-9", "東京", "naïve", "²", "e\u0301"),
    *("Boot", "Boote", "Bootes", "See", "am See", "der See am See"),
]
"""Words that no corpus of ours has, and words that contain each other."""

OVERLAPPING = ["ja ja", "ja ja ja", "ja", "am See am", "See am See", "am am", "🇩🇪🇩🇪"]
"""Phrases that overlap themselves and each other."""


def random_translator(kind, seed, options=None, **changes):
    model = tiny_model(kind, vocabulary=len(PIPELINE.vocabulary), seed=seed, max_length=256, **changes).eval()
    return Translator(make_engine(model, PIPELINE.vocabulary), Texts(PIPELINE, PIPELINE), options)


def phrases(generator, most):
    """Draw some phrases of one to three words; some of them twice."""
    found = []
    for _ in range(generator.integers(1, most + 1)):
        pool = (STRANGE, OVERLAPPING, WORDS)[generator.choice(3, p=(0.25, 0.1, 0.65))]
        found.append(" ".join(generator.choice(pool, generator.integers(1, 4 if pool is WORDS else 2))))
    return found + found[: int(generator.random() < 0.2)]


def random_request(generator, *, drafts=True):
    """Draw a request whose hard, locked and forbidden words do not contradict each other."""
    source = " ".join(generator.choice(ENGLISH).split()[: generator.integers(1, 10)])
    hard = phrases(generator, 10) if generator.random() < 0.8 else []
    forbidden = phrases(generator, 4) if generator.random() < 0.5 else []
    terms = phrases(generator, 4) if generator.random() < 0.4 else []
    draft, locked = random_draft(generator) if drafts and generator.random() < 0.3 else (None, [])
    kept = [*hard, *locked_texts(draft, locked)]
    forbidden = [phrase for phrase in forbidden if not any(occurrences(phrase, other) for other in kept)]
    return Request.of(source, terms=terms, hard=hard, forbidden=forbidden, draft=draft, locked=locked)


def random_draft(generator):
    """Draw a draft, and some of its words, none of them twice, to be locked."""
    words = generator.choice(GERMAN).split()[: generator.integers(1, 12)]
    draft = " ".join([*words, *generator.choice([*STRANGE, *OVERLAPPING], generator.integers(0, 3))])
    spans = [match.span() for match in re.finditer(r"\S+", draft)]
    edges = sorted(generator.choice(len(spans) + 1, min(4, len(spans) + 1), replace=False).tolist())
    pairs = [edges[:2], edges[2:]][: generator.integers(0, 3)]
    return draft, [(spans[pair[0]][0], spans[pair[1] - 1][1]) for pair in pairs if len(pair) == 2]


def locked_texts(draft, locked):
    return [draft[start:end] for start, end in locked]


def occurrences(phrase, text):
    """Count whole words with a regular expression: not the way the package does it."""
    phrase, text = shown(phrase), shown(text)
    left = r"(?<!\w)" if re.match(r"\w", phrase) and not _unspaced(phrase[0]) else ""
    right = r"(?!\w)" if re.search(r"\w$", phrase) and not _unspaced(phrase[-1]) else ""
    found = re.finditer(f"(?={left}(?<!\u200d){re.escape(phrase)}{right}(?![\u200d🏻-🏿]))", text)
    ends = [match.start() + len(phrase) for match in found]
    return sum(end == len(text) or unicodedata.category(text[end])[0] != "M" for end in ends)


def shown(text):
    """Compose letters, leave out soft hyphens and their like, and make one character of each flag."""
    text = unicodedata.normalize("NFC", re.sub("[\u00ad\u200b\u200c\u2060-\u2064\ufe0f\ufeff]", "", text))
    return re.sub(
        "[🇦-🇿]{2}", lambda flag: chr(0xF0000 + 26 * _number(flag[0][0]) + _number(flag[0][1])), text
    )


def _number(flag_letter):
    return ord(flag_letter) - ord("🇦")


def _unspaced(character):
    return "\u3040" <= character <= "\u9fff"


def judge(request, text):
    """Return what is wrong with the text: nothing, if all is well."""
    wrong = []
    locked = locked_texts(request.draft, request.locked)
    for phrase in set(request.hard):
        wanted = sum(occurrences(phrase, other) for other in (*request.hard, *locked))
        if (found := occurrences(phrase, text)) != wanted:
            wrong.append(f"{phrase!r} stands there {found} times, not {wanted}")
    wrong += [f"{phrase!r} is not locked" for phrase in locked if not occurrences(phrase, text)]
    wrong += [f"{phrase!r} is forbidden" for phrase in request.forbidden if occurrences(phrase, text)]
    return wrong


def check_cases(kind, seed, count, **changes):
    """Translate random requests with a random model, half of them with foresight, and judge each."""
    foreseeing = DecodingConfig(foresight=float(seed // 2 % 2), strength=2.0)
    translator = random_translator(kind, seed, foreseeing, **changes)
    generator = np.random.default_rng(seed)
    requests = [random_request(generator, drafts=kind != "autoregressive") for _ in range(count)]
    for request, answer in zip(requests, translator.translate_all(requests), strict=True):
        assert not isinstance(answer, Exception), (answer, request)
        assert not judge(request, answer.text), (judge(request, answer.text), answer.text, request)
        assert all(use.status == "used" for use in answer.terms if use.hard), (answer.terms, answer.text)
