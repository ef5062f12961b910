import numpy as np
import pytest

from editmt.decoding.mending import Mender, to_actions
from editmt.decoding.rules import Rules
from editmt.edits import Canvas, apply
from editmt.errors import InputError
from editmt.text import BOS, EOS
from editmt.text.subwords import SentencePiecePipeline
from tests.sentences import ENGLISH, GERMAN

PIPELINE = SentencePiecePipeline.train(ENGLISH + GERMAN, size=420)


def mend(parts, rules, words=("Tee",)):
    """Mend a sentence of (text, lock) parts; `words` are proposed for every place."""
    ids, locks = [BOS], [0]
    for text, lock in parts:
        new = PIPELINE.encode(text)
        ids += new
        locks += [lock] * len(new)
    ids, locks = [*ids, EOS], [*locks, 0]
    proposals = [(PIPELINE.encode(word)[0], -1.0) for word in words]
    pieces = Mender(rules, PIPELINE, 100).mend(ids, locks, lambda _ids, _count: proposals)
    canvas = Canvas.of([ids], [locks])
    for action in to_actions(len(ids), pieces):
        canvas = apply(canvas, action)
    assert canvas.rows()[0] == [piece.id for piece in pieces]
    assert canvas.locks[0].tolist() == [piece.lock for piece in pieces]
    return PIPELINE.decode(canvas.rows()[0])


def rules(hard=(), locked=(), forbidden=()):
    return Rules.of(hard=hard, locked=locked, forbidden=forbidden)


def test_what_keeps_the_rules_stays():
    assert mend([("die alte Lampe", 0)], rules(forbidden=["Lamp", "alt"])) == "die alte Lampe"


def test_a_forbidden_word_is_exchanged_for_the_next_best():
    assert mend([("die alte Lampe ist an", 0)], rules(forbidden=["Lampe"])).startswith("die alte T")
    assert "Lampe" not in mend([("die Lampe", 0)], rules(forbidden=["Lampe"]), words=("Lampe", "Lampe"))


def test_a_forbidden_phrase_loses_one_word():
    mended = mend([("am Montag und am Dienstag", 0)], rules(forbidden=["am Montag"]), words=())
    assert mended in ("Montag und am Dienstag", "am und am Dienstag")


def test_a_hard_word_stays_alone_and_once():
    assert mend([("die", 0), ("Lampe", 1)], rules(hard=["Lampe"])) == "die Lampe"
    assert mend([("Lampe und", 0), ("Lampe", 1)], rules(hard=["Lampe"]), words=()) == "und Lampe"


def test_a_piece_behind_a_hard_word_does_not_make_another_word_of_it():
    suffix = PIPELINE.vocabulary.id_of("en")
    ids = [BOS, *PIPELINE.encode("Lampe"), suffix, suffix, EOS]
    locks = [0, *[1] * (len(ids) - 4), 0, 0, 0]
    assert PIPELINE.decode(ids) == "Lampeenen"
    pieces = Mender(rules(hard=["Lampe"]), PIPELINE, 100).mend(ids, locks, lambda _ids, _count: [])
    assert PIPELINE.decode([piece.id for piece in pieces]) == "Lampe"


def test_two_hard_words_that_would_spell_a_forbidden_phrase_are_parted():
    demanded = rules(hard=["am", "Montag"], forbidden=["am Montag"])
    mended = mend([("am", 1), ("Montag", 2)], demanded, words=("d",))
    assert mended == "am d Montag"


def test_many_hard_words_are_parted_in_one_go():
    asked = []

    def propose(ids, _count):
        asked.append(ids)
        return [(PIPELINE.encode("d")[0], -1.0)]

    words = [PIPELINE.encode("am")] * 10
    ids = [BOS, *(index for word in words for index in word), EOS]
    locks = [0, *(number for number, word in enumerate(words, start=1) for _ in word), 0]
    mender = Mender(rules(hard=["am"] * 10, forbidden=["am am"]), PIPELINE, 100)
    assert not mender.misses([piece.id for piece in mender.mend(ids, locks, propose)])
    assert len(asked) <= 11, "not again from the left for each"


def test_what_cannot_be_kept_is_left_broken_for_others_to_tell():
    demanded = rules(hard=["am", "Montag"], forbidden=["am Montag"])
    assert mend([("am", 1), ("Montag", 2)], demanded, words=()) == "am Montag"


def test_contradictions_are_told():
    with pytest.raises(InputError, match="'See' is forbidden, and 'am See' has to be kept"):
        rules(hard=["am See"], forbidden=["See"])
    rules(hard=["Seen"], forbidden=["See"])


def test_a_phrase_within_a_phrase_counts_for_both():
    demanded = rules(hard=["See", "am See"])
    assert demanded.misses("am See und See") == 0
    assert demanded.misses("am See") == 1
    assert demanded.misses("See am See See") == 1


def test_places_that_overlap_do_not_count_twice_for_what_is_wanted():
    demanded = rules(hard=["ja ja", "ja ja"])
    assert demanded.misses("ja ja und ja ja") == 0
    assert demanded.misses("ja ja ja ja") == 1, "three places"
    assert demanded.misses("ja ja ja jaX") == 1, "two places, but the second phrase is spoilt"
    demanded = rules(hard=["am See am", "See am See"])
    assert demanded.misses("am See am See") == 1, "each needs its own words"
    assert demanded.misses("am See am und See am See") == 0


def test_locked_parts_may_stand_elsewhere_too():
    assert rules(locked=["der"]).misses("der und der") == 0
    assert rules(locked=["der"]).misses("die") == 1


def test_actions_of_an_untouched_sentence_change_nothing():
    canvas = Canvas.of([[BOS, 7, 8, EOS]])
    mender = Mender(rules(), PIPELINE, 100)
    for action in to_actions(4, mender.mend([BOS, 7, 8, EOS], [0] * 4, lambda _ids, _count: [])):
        canvas = apply(canvas, action)
    assert np.array_equal(canvas.ids, [[BOS, 7, 8, EOS]])
