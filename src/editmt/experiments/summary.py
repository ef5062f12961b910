"""What a reader wants to know first: a few numbers, and what to bear in mind."""

from dataclasses import dataclass

from editmt.experiments import paper_numbers
from editmt.records import JsonObject

CHOSEN = (
    ("penalty", 0, "What inserting nothing costs (γ): {}; without, they write too little."),
    (
        "length_quantile",
        0,
        "How sure the first canvas is to be long enough: {}; without, they write too little.",
    ),
    (
        "penalty_foreseen",
        None,
        "γ where users' words start where they are foreseen, so that less is missing: {}.",
    ),
    (
        "fill_share",
        1,
        "Of the placeholders such a share, the surest, is filled first, then of those left, and so on: {}; "
        "the paper fills all at once.",
    ),
)
"""What a model may have of its own: its key, what is usual, and what the report says of what is not."""


@dataclass(frozen=True)
class Headline:
    """A number and what it says; None where it was not run."""

    value: str | None
    label: str


def headlines(results: JsonObject, latency: JsonObject | None) -> list[Headline]:
    """Return the numbers at the top of the report."""
    plain, editor = _bleu(results, "translation", "ar-beam4"), _bleu(results, "translation", "editor")
    soft, cpr = (_score(results, "constrained", "editor-soft", metric) for metric in ("bleu", "cpr"))
    share = None if editor is None or plain is None else 100 * editor / plain if plain else 0.0
    foreseen = _bleu(results, "constrained", "editor-foreseen")
    gain, better = (
        None if with_words is None or editor is None else with_words - editor
        for with_words in (soft, foreseen)
    )
    speed = _ratio(latency, "dba-beam10", "editor-soft")
    return [
        Headline(_show(editor, "{:.1f}"), "BLEU of EDITOR without constraints"),
        Headline(_show(share, "{:.0f} %"), "of the autoregressive model's BLEU (beam 4)"),
        Headline(_change(gain), "BLEU by soft constraints"),
        Headline(_change(better), "BLEU by soft constraints with foresight, which is ours"),
        Headline(_show(cpr, "{:.1f} %"), "of soft constraints preserved"),
        Headline(_show(speed, "{:.1f}×"), "as fast as constrained beam search (beam 10)"),
    ]


def _told(results: JsonObject, key: str, usual: float | None) -> str:
    """Return which models decode how, where that is not as usual."""
    values = {name: model.get(key) for name, model in results["models"].items()}
    return ", ".join(f"{name} {value:g}" for name, value in values.items() if value not in (None, usual))


def remarks(results: JsonObject, latency: JsonObject | None) -> list[str]:
    """Return what to bear in mind when reading the numbers."""
    task = results["task"]
    notes = []
    if task["paper"]:
        notes.append(
            f"The small numbers are the paper's, on {paper_numbers.PAIRS[task['paper']]}, with models of the "
            "base size on eight GPUs: another corpus and another scale. What can be compared is the order of "
            "the rows, not the numbers."
        )
    if task["edit_steps"]:
        notes.append(
            f"The edit models were trained for {task['edit_steps']:,} steps each, fewer than their "
            "configurations have: all alike, but none to its end; with more steps the order may be another."
        )
    chosen = [text.format(told) for key, usual, text in CHOSEN if (told := _told(results, key, usual))]
    if chosen:
        notes += [
            *chosen,
            "All of that is chosen for each model on the validation set: the value nearest to the paper's "
            "that is not significantly worse there than the best.",
        ]
    notes.append(
        "Underlined is what is best of all, bold what is best of the edit models; with it, what is not "
        "significantly worse (p ≥ 0.05). BLEU is sacreBLEU's; “BLEU, words” and RIBES are of words as "
        f"“{task['tokenise']}” splits them."
    )
    if latency is not None:
        machine = latency["machine"]
        notes.append(
            f"Latency: {latency['unit']}; {latency['sentences']} sentences, {latency['of']}; "
            f"{machine['cores']} cores of {machine['processor']}. Times are in latency.json, not in "
            "results.json: they are measured once and kept."
        )
    failed = sum(results["failures"].values())
    if failed:
        notes.append(
            f"{failed} sentences could not be translated, and count as empty (results.json: failures)."
        )
    return notes


def _bleu(results: JsonObject, comparison: str, condition: str) -> float | None:
    return _score(results, comparison, condition, "bleu")


def _score(results: JsonObject, comparison: str, condition: str, metric: str) -> float | None:
    systems = {} if results[comparison] is None else results[comparison]["systems"]
    score = systems.get(condition, {}).get(metric, {}).get("score")
    return None if score is None else float(score)


def _ratio(latency: JsonObject | None, slow: str, fast: str) -> float | None:
    times = {} if latency is None else latency["conditions"]
    if slow not in times or not times.get(fast, {}).get("mean"):
        return None
    return float(times[slow]["mean"]) / float(times[fast]["mean"])


def show_change(number: float, decimals: int) -> str:
    """Return a difference with its sign; one that rounds to zero has none that means anything.

    >>> show_change(-0.81, 1), show_change(2.4, 1), show_change(-0.001, 2)
    ('−0.8', '+2.4', '+0.00')
    """
    return f"{number:+z.{decimals}f}".replace("-", "−")


def _change(number: float | None) -> str | None:
    return None if number is None else show_change(number, 1)


def _show(number: float | None, form: str) -> str | None:
    return None if number is None else form.format(number)
