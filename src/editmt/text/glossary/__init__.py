"""Glossaries: read from TSV, CSV, TBX and JSON lines; found in sentences, inflected forms among them."""

from editmt.text.glossary.entry import Entry, Problem, Target
from editmt.text.glossary.glossary import Glossary
from editmt.text.glossary.matching import Match, Sense

__all__ = ["Entry", "Glossary", "Match", "Problem", "Sense", "Target"]
