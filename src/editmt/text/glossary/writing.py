"""Glossaries in any of the formats."""

from collections.abc import Iterable
from typing import Literal, get_args

from editmt.text.glossary.entry import Entry
from editmt.text.glossary.json_lines import write_json_lines
from editmt.text.glossary.tables import write_table
from editmt.text.glossary.tbx_writing import write_tbx

WrittenFormat = Literal["tsv", "csv", "jsonl", "tbx", "tbx3"]
WRITTEN_FORMATS: tuple[WrittenFormat, ...] = get_args(WrittenFormat)


def write_glossary(entries: Iterable[Entry], form: WrittenFormat) -> str:
    r"""Return the entries as a file's text; `tbx` is version 2, which more programs read.

    >>> from editmt.text.glossary import Target
    >>> write_glossary([Entry("start value", (Target("Startwert"),))], "tsv")
    'start value\tStartwert\n'
    """
    match form:
        case "tsv":
            return write_table(entries, "\t")
        case "csv":
            return write_table(entries, ",")
        case "jsonl":
            return write_json_lines(entries)
        case "tbx":
            return write_tbx(entries, 2)
        case "tbx3":
            return write_tbx(entries, 3)
