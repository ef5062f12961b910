"""Models exported for CPUs against the same in PyTorch, with tiny models of random weights."""

import itertools
import random
import subprocess
import sys

import numpy as np
import pytest
import torch

from editmt.config import DecodingConfig
from editmt.data.pairs import PairSet, join_sentences, write_pairs
from editmt.data.texts import Texts
from editmt.decoding import cpu_policy
from editmt.decoding.beam import beam_search
from editmt.decoding.cpu_beam import cpu_beam_search
from editmt.decoding.cpu_policy import WORTH_A_PASS, CpuPolicy, group_lengths
from editmt.decoding.foresight import CANDIDATES, score_tokens
from editmt.decoding.loading import load_engine
from editmt.decoding.model_policy import ModelPolicy
from editmt.decoding.translator import Translator
from editmt.edits import Canvas
from editmt.errors import InputError
from editmt.models.heads import DRAFT_MARGIN, DRAFT_RANK, score_drafted
from editmt.models.saved import save_model, weights_of
from editmt.runtime.cpu_export import ExportSettings, save_export, save_shortlist
from editmt.runtime.cpu_folder import DRAFT_HEAD, CpuExport
from editmt.runtime.cpu_model import CpuEditModel
from editmt.runtime.cpu_search import CpuSearchModel
from editmt.runtime.shortlist import Shortlist, learn_shortlist
from editmt.text import BOS, EOS, PLH, SYMBOLS
from editmt.text.subwords import SentencePiecePipeline
from tests.tiny import tiny_model

SHAPES = list(itertools.product(("editor", "levenshtein"), ("pre", "post"), ("own", "shared")))
SOURCE = Canvas.of([[BOS, 7, 8, 9, 10, EOS], [BOS, 11, EOS], [BOS, 12, 13, 14, EOS]])
CANVAS = Canvas.of([[BOS, 9, PLH, 7, 7, PLH, PLH, EOS], [BOS, EOS], [BOS, 20, 21, PLH, EOS]])


@pytest.fixture(scope="module")
def texts():
    generator = random.Random(1)
    lines = [" ".join(generator.choices("0123456789", k=8)) for _ in range(100)]
    pipeline = SentencePiecePipeline.train(lines, size=273)
    return Texts(pipeline, pipeline)


def exported(model, texts, folder):
    save_export(model.eval(), texts, folder, ExportSettings())
    return CpuExport.open(folder)


def policies(model, texts, folder, precision="float32", source=SOURCE):
    export = exported(model, texts, folder)
    ours = ModelPolicy.start(model, torch.from_numpy(source.ids), torch.from_numpy(source.mask))
    return ours, CpuPolicy.start(CpuEditModel(export.config, export.part(precision)), source)


def assert_same_scores(ours, theirs, places):
    np.testing.assert_allclose(theirs[places], ours[places], atol=2e-5)


def test_a_canvas_is_read_once(texts, tmp_path, monkeypatch):
    _, policy = policies(tiny_model("editor"), texts, tmp_path)
    expected, read = policy.words(CANVAS, 2), []
    plain = CpuEditModel.insertion_states

    def spy(model, source, ids, mask):
        read.append(ids.tolist())
        return plain(model, source, ids, mask)

    monkeypatch.setattr(CpuEditModel, "insertion_states", spy)
    again = CANVAS.take(slice(None))
    assert policy.words(again, 2).ids.tolist() == expected.ids.tolist()
    assert read == [CANVAS.ids.tolist()]
    some = np.arange(len(expected.ids)) % 2 == 1
    assert policy.words(again, 2, some).ids.tolist() == expected.ids[some].tolist()
    assert len(read) == 1, "nothing is read twice"


@pytest.mark.parametrize("worth", [0, 64, 1000])
def test_sentences_of_about_a_length_are_read_together(texts, tmp_path, monkeypatch, worth):
    ours, theirs = policies(tiny_model("editor", texts.sizes[1]), texts, tmp_path)
    monkeypatch.setattr(cpu_policy, "WORTH_A_PASS", worth)
    found, expected = theirs.words(CANVAS, 2), ours.words(CANVAS, 2)
    assert found.ids.tolist() == expected.ids.tolist()


@pytest.mark.parametrize("seed", range(20))
def test_no_sentence_is_forgotten_in_groups_of_a_length(seed):
    generator = np.random.default_rng(seed)
    lengths = generator.integers(2, 80, generator.integers(1, 60))
    groups = group_lengths(lengths)
    assert sorted(row for rows in groups for row in rows.tolist()) == list(range(len(lengths)))
    padding = sum(int((lengths[rows].max() - lengths[rows]).sum()) for rows in groups)
    assert padding <= int((lengths.max() - lengths).sum())
    for rows in groups:
        rising = np.sort(lengths[rows])
        saved = np.arange(1, len(rising)) * (rising[-1] - rising[:-1])
        assert (saved <= WORTH_A_PASS).all(), "no other cut would be worth a pass"


@pytest.mark.parametrize(("kind", "norm", "stacks"), SHAPES)
def test_float32_scores_are_those_of_pytorch(texts, tmp_path, kind, norm, stacks):
    model = tiny_model(kind, texts.sizes[1], norm=norm, stacks=stacks)
    ours, theirs = policies(model, texts, tmp_path / "model")
    assert_same_scores(ours.reposition_scores(CANVAS), theirs.reposition_scores(CANVAS), CANVAS.mask)
    assert_same_scores(ours.placeholder_scores(CANVAS), theirs.placeholder_scores(CANVAS), CANVAS.gaps)
    for count in (1, 3, 10_000):
        expected, found = ours.words(CANVAS, count), theirs.words(CANVAS, count)
        assert found.ids.shape == expected.ids.shape
        assert found.ids[:, :3].tolist() == expected.ids[:, :3].tolist()  # far down, some are all but equal
        np.testing.assert_allclose(found.scores, expected.scores, atol=1e-5)


@pytest.mark.parametrize("vocabulary", [40, 273, 1000])
def test_float32_drafts_are_those_of_pytorch(texts, tmp_path, vocabulary):
    ours, theirs = policies(tiny_model("editor", vocabulary), texts, tmp_path / "model")
    tokens = np.array(
        [[7, 39], [8, 9], [20, EOS], [5, 6]]
    )  # of four placeholders; what is no word is padding
    expected, found = ours.draft_scores(CANVAS, tokens), theirs.draft_scores(CANVAS, tokens)
    np.testing.assert_allclose(found[:, 0], expected[:, 0], atol=2e-5)
    np.testing.assert_allclose(found[tokens > PLH], expected[tokens > PLH], atol=2e-5)


def test_drafts_of_few_words_are_exact_down_to_the_floor():
    logits = torch.randn(6, 100, generator=torch.Generator().manual_seed(1))
    found = score_drafted(logits, torch.arange(100).expand(6, -1))
    exact = logits.log_softmax(1)
    floor = exact.topk(DRAFT_RANK, dim=1).values[:, -1:] - DRAFT_MARGIN
    torch.testing.assert_close(found, torch.maximum(exact, floor))


@pytest.mark.parametrize("shortlist", [False, True])
def test_drafts_without_a_graph_of_their_own_go_by_the_best_words(texts, tmp_path, shortlist):
    model = tiny_model("editor", texts.sizes[1])
    export = exported(model, texts, tmp_path / "model")
    part = export.part("float32")
    if shortlist:
        words = np.arange(len(SYMBOLS), texts.sizes[1])
        save_shortlist(model, Shortlist(np.tile(words, (texts.sizes[0], 1)), words), part, "float32")
    else:
        (part / f"{DRAFT_HEAD}.onnx").unlink()
    policy = CpuPolicy.start(CpuEditModel(export.config, part, shortlist=shortlist), SOURCE)
    tokens = np.array([[7], [8], [20], [5]])
    expected = score_tokens(tokens, policy.words(CANVAS, CANDIDATES))
    np.testing.assert_allclose(policy.draft_scores(CANVAS, tokens), expected)


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
@pytest.mark.parametrize("tied", [True, False])
def test_tables_tied_or_not(texts, tmp_path, positions, tied):
    model = tiny_model("editor", texts.sizes[1], positions=positions, tied=tied)
    ours, theirs = policies(model, texts, tmp_path / "model")
    assert_same_scores(ours.placeholder_scores(CANVAS), theirs.placeholder_scores(CANVAS), CANVAS.gaps)
    assert theirs.words(CANVAS, 1).ids.tolist() == ours.words(CANVAS, 1).ids.tolist()


@pytest.mark.parametrize("stacks", ["own", "shared"])
def test_int8_is_near(texts, tmp_path, stacks):
    model = tiny_model("editor", texts.sizes[1], stacks=stacks)
    ours, theirs = policies(model, texts, tmp_path / "model", "int8")
    expected, found = ours.placeholder_scores(CANVAS), theirs.placeholder_scores(CANVAS)
    error = np.abs(found - expected)[CANVAS.gaps].mean()
    assert 0 < error < 0.05 * np.abs(expected[CANVAS.gaps]).mean()


def test_states_of_rows_that_stay_are_used_again(texts, tmp_path):
    """What the placeholder head says after a reposition is the same whether states were known or not."""
    model = tiny_model("editor", texts.sizes[1], stacks="shared")
    _, policy = policies(model, texts, tmp_path / "model")
    moved = Canvas.of([[BOS, 9, PLH, 7, 7, PLH, PLH, EOS], [BOS, EOS], [BOS, 21, 20, EOS]])
    shorter = Canvas.of([[BOS, 9, PLH, EOS], [BOS, EOS], [BOS, 20, 21, EOS]])
    for after in (CANVAS, moved, shorter):
        anew = policy.placeholder_scores(after)
        policy.reposition_scores(CANVAS)
        np.testing.assert_allclose(policy.placeholder_scores(after)[after.gaps], anew[after.gaps], atol=1e-5)


def test_a_confirming_iteration_runs_the_stack_once(texts, tmp_path, monkeypatch):
    model = tiny_model("editor", texts.sizes[1], stacks="shared")
    _, policy = policies(model, texts, tmp_path / "model")
    calls = []
    run = CpuEditModel._states
    monkeypatch.setattr(CpuEditModel, "_states", lambda *args: calls.append(1) or run(*args))
    policy.reposition_scores(CANVAS)
    policy.placeholder_scores(CANVAS)
    assert len(calls) == 1


def test_selected_sources_answer_as_before(texts, tmp_path):
    model = tiny_model("editor", texts.sizes[1])
    _, policy = policies(model, texts, tmp_path / "model")
    rows = np.array([2, 0])
    some = CANVAS.take(rows)
    everything, chosen = policy.placeholder_scores(CANVAS), policy.select(rows).placeholder_scores(some)
    np.testing.assert_allclose(chosen[some.gaps], everything[rows][some.gaps], atol=1e-5)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("beam", [1, 4, 7])
def test_beam_search_finds_what_ours_finds(texts, tmp_path, norm, beam):
    model = tiny_model("autoregressive", texts.sizes[1], norm=norm).eval()
    with torch.no_grad():
        model.output.weight.mul_(2)
        model.output.weight[EOS] *= 3  # so that lengths differ
    export = exported(model, texts, tmp_path / "model")
    search = CpuSearchModel(export.config, export.part("float32"))
    generator = random.Random(beam)
    types = range(len(SYMBOLS), texts.sizes[0])
    rows = [[BOS, *generator.choices(types, k=generator.randint(0, 12)), EOS] for _ in range(30)]
    source, limits = Canvas.of(rows), [generator.choice((0, 1, 2, 5, 9, 20, 40)) for _ in rows]
    for power in (1.0, 0.0):
        ids, mask = torch.from_numpy(source.ids), torch.from_numpy(source.mask)
        ours = beam_search(model, ids, mask, limits, beam=beam, length_power=power)
        found = cpu_beam_search(search, source, limits, beam=beam, length_power=power)
        assert [each.ids for each in found] == [each[0].ids for each in ours]
        assert [each.score for each in found] == pytest.approx([each[0].score for each in ours], abs=1e-4)


def test_the_translator_is_the_same(texts, tmp_path):
    """Text, terms, hard and forbidden words, traces: nobody downstream can tell."""
    model = tiny_model("editor", texts.sizes[1], stacks="shared").eval()
    save_model(tmp_path / "saved", model.config, weights_of(model), texts)
    save_export(model, texts, tmp_path / "exported", ExportSettings())
    ours = Translator.load(tmp_path / "saved", threads=1)
    theirs = Translator.load(tmp_path / "exported", precision="float32")
    for source in ("1 2 3", "4 5 6 7 8 9 0", "0"):
        wanted = {"terms": ["7 7"], "hard": ["12"], "forbidden": ["3"]}
        expected, found = ours.translate(source, **wanted), theirs.translate(source, **wanted)
        assert (found.text, found.terms, found.iterations) == (
            expected.text,
            expected.terms,
            expected.iterations,
        )
        assert found.score == pytest.approx(expected.score, abs=1e-4)


def test_it_runs_without_torch(texts, tmp_path):
    save_export(
        tiny_model("editor", texts.sizes[1]).eval(), texts, tmp_path / "model", ExportSettings(("int8",))
    )
    program = (
        "import sys; sys.modules['torch'] = sys.modules['onnx'] = None\n"
        "from editmt import Translator\n"
        f"print(Translator.load({str(tmp_path / 'model')!r}).translate('1 2', hard=['7']).text)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "7" in done.stdout


def test_damage_is_refused_in_one_line(texts, tmp_path):
    folder = tmp_path / "model"
    save_export(tiny_model("editor", texts.sizes[1]).eval(), texts, folder, ExportSettings(("int8",)))
    generator = random.Random(1)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        place = generator.randrange(len(whole))
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(InputError, match=r"^[^\n]+$"):
            load_engine(folder)
        path.write_bytes(whole)
    assert load_engine(folder)


def test_precisions(texts, tmp_path):
    save_export(
        tiny_model("editor", texts.sizes[1]).eval(), texts, tmp_path / "model", ExportSettings(("int8",))
    )
    with pytest.raises(InputError, match="has no float32 weights, only int8"):
        load_engine(tmp_path / "model", precision="float32")


def test_an_exported_search_refuses_terms(texts, tmp_path):
    model = tiny_model("autoregressive", texts.sizes[1]).eval()
    save_export(model, texts, tmp_path / "model", ExportSettings(("int8",)))
    translator = Translator.load(tmp_path / "model", options=DecodingConfig(beam=2))
    assert translator.translate("1 2").iterations > 0
    with pytest.raises(InputError, match="without terms"):
        translator.translate("1 2", terms=["7"])


@pytest.fixture(scope="module")
def lexicon(texts):
    """A shortlist that knows one word for each token, and three for all."""
    types = np.arange(texts.sizes[0])
    return Shortlist(np.maximum(types, 20)[:, None], np.array([20, 21, 22]))


@pytest.mark.parametrize("precision", ["int8", "float32"])
def test_a_shortlist_chooses_the_best_of_its_words(texts, tmp_path, lexicon, precision):
    model = tiny_model("editor", texts.sizes[1]).eval()
    export = exported(model, texts, tmp_path / "model")
    part = export.part(precision)
    save_shortlist(model, lexicon, part, precision)
    exact = CpuPolicy.start(CpuEditModel(export.config, part), SOURCE)
    short = CpuPolicy.start(CpuEditModel(export.config, part, shortlist=True), SOURCE)
    allowed = lexicon.words(SOURCE.ids).tolist()
    everything, few = exact.words(CANVAS, 10_000), short.words(CANVAS, 3)
    for ranked, found in zip(everything.ids.tolist(), few.ids.tolist(), strict=True):
        assert found == [word for word in ranked if word in allowed][:3]


def test_a_shortlist_knows_what_stands_together(texts, tmp_path):
    """Source token n always goes with word n + 1, and word 30 with all."""
    first = len(SYMBOLS)
    with write_pairs(tmp_path, "train", texts.sizes) as writer:
        for token in range(first, first + 20):
            pair = ([[token, token + 1]], [[token + 1, token + 2, 30]])
            writer.add(*(join_sentences(side) for side in pair))
    learnt = learn_shortlist(PairSet.open(tmp_path, "train"), texts.sizes)
    assert {first + 6, 30} <= set(learnt.words(np.array([[first + 5]])).tolist())
    assert learnt.likely[first + 5, 0] == first + 6
    assert learnt.frequent[0] == 30
    assert learnt.words(np.arange(10)).min() >= first, "no special symbols"


def test_who_has_no_shortlist(texts, tmp_path):
    save_export(
        tiny_model("editor", texts.sizes[1]).eval(), texts, tmp_path / "model", ExportSettings(("int8",))
    )
    with pytest.raises(InputError, match="there is no shortlist"):
        load_engine(tmp_path / "model", shortlist=True)
