"""Whether a beam search fits into the machine: what does not would be killed, or end in a traceback."""

import os

from editmt.config import ModelConfig
from editmt.errors import InputError

BYTES = 4  # of a float
COPIES = 3  # of the scores of all words: logits, log-probabilities, candidates


def check_beam(beam: int, config: ModelConfig, vocabulary: int, *, rows: int, length: int) -> None:
    """Refuse a beam whose keys, values, masks and scores need more than the memory there is.

    `rows` sentences are searched at a time, for at most `length` tokens each.
    """
    keys_and_values = 2 * config.decoder_layers * config.width * length
    mask = beam * length // BYTES  # which hypothesis sees which token
    needed = BYTES * rows * beam * (keys_and_values + mask + COPIES * vocabulary)
    there_is = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > there_is:
        raise InputError(
            f"a beam of {beam:,} needs some {needed / 1e9:,.0f} GB of memory with {rows} at a time, and "
            f"there are {there_is / 1e9:,.0f}: take a smaller beam, or fewer tokens at a time"
        )
