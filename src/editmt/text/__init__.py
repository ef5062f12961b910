"""Text ↔ ids: two pipelines behind one small interface, and the vocabulary they share the shape of.

`subwords.SentencePiecePipeline` works on raw text without loss; `moses.MosesPipeline` is the paper's.
"""

from editmt.text.pipeline import TextPipeline, load_pipeline
from editmt.text.vocabulary import BOS, BOUNDARIES, EOS, NEVER_WRITTEN, PAD, PLH, SYMBOLS, UNK, Vocabulary

__all__ = [
    "BOS",
    "BOUNDARIES",
    "EOS",
    "NEVER_WRITTEN",
    "PAD",
    "PLH",
    "SYMBOLS",
    "UNK",
    "TextPipeline",
    "Vocabulary",
    "load_pipeline",
]
