"""Sentence pairs: from text files to ids on disk (`prepare`), and from there to batches.

`pairs` and `prepared` are what is on disk; `batching` and `collation` what a training run asks for.
"""

from editmt.data.batching import oversized, plan_epoch
from editmt.data.collation import Batch, collate
from editmt.data.pairs import PairSet
from editmt.data.prepared import PreparedData

__all__ = ["Batch", "PairSet", "PreparedData", "collate", "oversized", "plan_epoch"]
