"""Random sentences with hard, forbidden and soft words, and how to judge what came of them."""

import re

import numpy as np

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
    *("👩‍🚀", "Zyx-9", "東京", "naïve", "²", "e\u0301"),
    *("Boot", "Boote", "Bootes", "See", "am See", "der See am See"),
]
"""Words that no corpus of ours has, and words that contain each other."""


def random_translator(kind, seed, options=None, **changes):
    model = tiny_model(kind, vocabulary=len(PIPELINE.vocabulary), seed=seed, max_length=256, **changes).eval()
    return Translator(make_engine(model, PIPELINE.vocabulary), Texts(PIPELINE, PIPELINE), options)


def phrases(generator, most):
    """Draw some phrases of one to three words; some of them twice."""
    found = []
    for _ in range(generator.integers(1, most + 1)):
        pool = STRANGE if generator.random() < 0.3 else WORDS
        found.append(" ".join(generator.choice(pool, generator.integers(1, 4 if pool is WORDS else 2))))
    return found + found[: int(generator.random() < 0.2)]


def random_request(generator):
    """Draw a request whose hard and forbidden words do not contradict each other."""
    source = " ".join(generator.choice(ENGLISH).split()[: generator.integers(1, 10)])
    hard = phrases(generator, 10) if generator.random() < 0.8 else []
    forbidden = phrases(generator, 4) if generator.random() < 0.5 else []
    forbidden = [phrase for phrase in forbidden if not any(occurrences(phrase, other) for other in hard)]
    terms = phrases(generator, 4) if generator.random() < 0.4 else []
    return Request.of(source, terms=terms, hard=hard, forbidden=forbidden)


def occurrences(phrase, text):
    """Count whole words with a regular expression: not the way the package does it."""
    left = r"(?<!\w)" if re.match(r"[^\W\d_]|\d", phrase) and not _unspaced(phrase[0]) else ""
    right = r"(?![\w\u0300-\u036f])" if re.search(r"\w$", phrase) and not _unspaced(phrase[-1]) else ""
    return len(re.findall(f"(?={left}{re.escape(phrase)}{right})", text))


def _unspaced(character):
    return "\u3040" <= character <= "\u9fff"


def judge(request, text):
    """Return what is wrong with the text: nothing, if all is well."""
    wrong = []
    for phrase in set(request.hard):
        wanted = sum(occurrences(phrase, other) for other in request.hard)
        if (found := occurrences(phrase, text)) != wanted:
            wrong.append(f"{phrase!r} stands there {found} times, not {wanted}")
    wrong += [f"{phrase!r} is forbidden" for phrase in request.forbidden if occurrences(phrase, text)]
    return wrong


def check_cases(kind, seed, count, **changes):
    """Translate random requests with a random model, and judge each."""
    translator = random_translator(kind, seed, **changes)
    generator = np.random.default_rng(seed)
    requests = [random_request(generator) for _ in range(count)]
    for request, answer in zip(requests, translator.translate_all(requests), strict=True):
        assert not isinstance(answer, Exception), (answer, request)
        assert not judge(request, answer.text), (judge(request, answer.text), answer.text, request)
        assert all(use.status == "used" for use in answer.terms if use.hard), (answer.terms, answer.text)
