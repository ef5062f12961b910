"""The report on terms as a page of its own: nothing is loaded from elsewhere."""

from collections.abc import Iterator
from html import escape

from editmt.decoding.term_report import STATUSES, TermRecord, TermReport, Use
from editmt.text.phrases import Span

TITLES = {
    "used": "used",
    "other form": "in another form",
    "inflected": "inflected",
    "missed": "missed",
    "forbidden": "forbidden, but used",
}
_STYLE = """
:root { color-scheme: light dark;
  --ink: light-dark(#1d2430, #e6e9ef); --soft: light-dark(#5b6575, #98a2b3);
  --paper: light-dark(#fff, #14171d); --card: light-dark(#f6f7f9, #1c2129);
  --line: light-dark(#dfe3e9, #303743);
  --used: light-dark(#1a7f4b, #4cc38a); --other: light-dark(#1f6fb2, #6cb2f0);
  --missed: light-dark(#b54708, #f5a35c); --forbidden: light-dark(#b42318, #f97066); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2.5rem 1.25rem 4rem;
  background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; }
p.what { margin: 0 0 1.5rem; color: var(--soft); }
.sums { display: flex; flex-wrap: wrap; gap: .75rem; margin-bottom: 1.5rem; }
.sum { flex: 1 1 8rem; background: var(--card); border: 1px solid var(--line); border-radius: .6rem;
  padding: .7rem 1rem; }
.sum b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.sum span { color: var(--soft); font-size: .85rem; }
.bar { display: flex; height: .5rem; border-radius: .25rem; overflow: hidden; background: var(--line);
  margin-bottom: 2rem; }
.bar i { display: block; }
form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin-bottom: 1rem; }
input[type=search] { flex: 1 1 14rem; font: inherit; padding: .45rem .7rem; border: 1px solid var(--line);
  border-radius: .5rem; background: var(--card); color: inherit; }
details { border: 1px solid var(--line); border-radius: .6rem; margin-bottom: .6rem;
  background: var(--card); }
summary { cursor: pointer; padding: .65rem 1rem; display: flex; gap: .75rem; align-items: baseline;
  flex-wrap: wrap; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "▸"; color: var(--soft); }
details[open] > summary::before { content: "▾"; }
summary .term { font-weight: 600; } summary .target { color: var(--soft); }
summary .counts { margin-left: auto; display: flex; flex-wrap: wrap; gap: .4rem; }
[hidden] { display: none !important; }
.tag { font-size: .8rem; padding: .05rem .5rem; border-radius: 1rem; border: 1px solid currentColor;
  white-space: nowrap; }
.used { color: var(--used); } .other-form, .inflected { color: var(--other); }
.missed { color: var(--missed); } .forbidden { color: var(--forbidden); }
.bar .used, .bar .other-form, .bar .inflected, .bar .missed { background: currentColor; }
ul { list-style: none; margin: 0; padding: 0 1rem .5rem; }
li { border-top: 1px solid var(--line); padding: .6rem 0; display: grid; grid-template-columns: 9.5rem 1fr;
  gap: .25rem 1rem; }
li .where { color: var(--soft); font-size: .85rem; }
li p { margin: 0; } li p.source { color: var(--soft); }
mark { background: none; color: inherit; font-weight: 600; border-bottom: 2px solid currentColor; }
@media (max-width: 36rem) { li { grid-template-columns: 1fr; } }
@media print { form { display: none; } details { break-inside: avoid; } }
"""
_SCRIPT = """
const find = document.querySelector("input[type=search]");
const only = document.querySelector("input[type=checkbox]");
function show() {
  for (const term of document.querySelectorAll("details")) {
    const fits = term.textContent.toLowerCase().includes(find.value.toLowerCase());
    term.hidden = !fits || (only.checked && !term.dataset.bad);
    for (const use of term.querySelectorAll("li")) use.hidden = only.checked && !use.dataset.bad;
  }
}
find.addEventListener("input", show); only.addEventListener("change", show);
"""


def show_report(report: TermReport, title: str) -> str:
    """Return the report as an HTML page."""
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Terms of {escape(title)}</title>\n<style>{_STYLE}</style>",
            f"<h1>Terms of {escape(title)}</h1>",
            *_show_sums(report),
            '<form onsubmit="return false"><input type="search" placeholder="Find a term or a sentence" '
            'aria-label="Find a term or a sentence">'
            '<label><input type="checkbox"> only misses and forbidden words</label></form>',
            *(_show_term(term) for term in report.terms),
            f"<script>{_SCRIPT}</script>\n</html>\n",
        ]
    )


def _show_sums(report: TermReport) -> Iterator[str]:
    counts = {status: report.count(status) for status in STATUSES}
    wanted = sum(counts.values()) - counts["forbidden"]
    if wanted:
        what = f"{len(report.terms)} of the glossary's terms stand in the source, {wanted} times."
    else:
        what = "None of the glossary's terms stands in the source."
    yield f'<p class="what">{what}</p>'
    yield '<div class="sums">'
    yield f'<div class="sum"><b>{100 * report.share:.1f} %</b><span>of the terms are used</span></div>'
    for status, count in counts.items():
        yield f'<div class="sum {_css(status)}"><b>{count}</b><span>{TITLES[status]}</span></div>'
    yield "</div>"
    shares = [
        f'<i class="{_css(status)}" style="width:{100 * counts[status] / wanted:.3f}%"></i>'
        for status in STATUSES[:4]
        if wanted and counts[status]
    ]
    yield f'<div class="bar">{"".join(shares)}</div>'


def _show_term(term: TermRecord) -> str:
    bad = bool(term.count("missed") or term.count("forbidden"))
    targets = "do not translate" if term.verbatim else " · ".join(map(escape, term.targets)) or "–"
    forbidden = "".join(f" · <s>{escape(form)}</s>" for form in term.forbidden)
    tags = "".join(
        f'<span class="tag {_css(status)}">{term.count(status)} {TITLES[status]}</span>'
        for status in STATUSES
        if term.count(status)
    )
    return (
        f"<details{' data-bad=1 open' if bad else ''}><summary>"
        f'<span class="term">{escape(term.source)}</span>'
        f'<span class="target">{targets}{forbidden}</span><span class="counts">{tags}</span></summary>'
        f"<ul>{''.join(map(_show_use, term.uses))}</ul></details>"
    )


def _show_use(use: Use) -> str:
    bad = use.status in {"missed", "forbidden"}
    form = f": {escape(use.form)}" if use.form and use.status != "used" else ""
    return (
        f"<li{' data-bad=1' if bad else ''}><div>"
        f'<span class="{_css(use.status)}">{TITLES[use.status]}{form}</span>'
        f'<div class="where">line {use.line}</div></div>'
        f'<div><p class="source">{_mark(use.passage.source, use.wish.match.span, "")}</p>'
        f"<p>{_mark(use.passage.text, use.span, _css(use.status))}</p></div></li>"
    )


def _mark(text: str, span: Span | None, style: str) -> str:
    if span is None:
        return escape(text)
    start, end = span
    return f'{escape(text[:start])}<mark class="{style}">{escape(text[start:end])}</mark>{escape(text[end:])}'


def _css(status: str) -> str:
    return status.replace(" ", "-")
