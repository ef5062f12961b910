"""Tokens without their padding: most of a Transformer works token by token, and need not see any.

About half of a noised canvas is padding. So the layers work on the tokens alone, packed one after the other
(N, D), and only attention, which works row by row, has them spread over the batch (B, T, D).
"""

from typing import Self

import torch
from torch import Tensor

MULTIPLE = 64
"""What the number of packed tokens is a multiple of in training, wherever there is padding.

A product with a new number of rows takes oneDNN some milliseconds to prepare, and each batch has another
number: in bfloat16 that can be a fifth of a small model's step (docs/log.md).
"""


class Packing:
    """Which places of a batch (B, T) hold tokens.

    >>> with torch.inference_mode():
    ...     packing = Packing.of(torch.tensor([[True, True, True], [True, False, False]]))
    >>> packing.pack(torch.tensor([[7, 8, 9], [5, 0, 0]])).tolist()
    [7, 8, 9, 5]
    >>> packing.spread(torch.tensor([[1.0], [2.0], [3.0], [4.0]]))[..., 0].tolist()
    [[1.0, 2.0, 3.0], [4.0, 0.0, 0.0]]
    """

    def __init__(self, rows: int, width: int, places: Tensor | None = None, count: int = 0) -> None:
        self._rows = rows
        self._width = width
        self._places = places  # (N,) of the B·T places, or None for all of them: nothing need be copied
        self.count = rows * width if places is None else count  # of tokens; what is packed after them is cut

    @classmethod
    def of(cls, mask: Tensor) -> Self:
        """Pack what is True in a mask (B, T); in training the first token is repeated to a round number.

        >>> packing = Packing.of(torch.tensor([[True, False]]))
        >>> packing.count, len(packing.pack(torch.tensor([[7, 0]])))
        (1, 64)
        """
        places = mask.flatten().nonzero()[:, 0]
        rows, width = mask.shape
        count = len(places)
        if count == mask.numel():
            return cls(rows, width)
        if torch.is_grad_enabled() and count:
            places = torch.cat([places, places[:1].expand(-count % MULTIPLE)])
        return cls(rows, width, places, count)

    @property
    def whole(self) -> bool:
        """Whether there is no padding."""
        return self._places is None

    def pack(self, padded: Tensor) -> Tensor:
        """Return the tokens (N, …) of a batch (B, T, …)."""
        flat = padded.flatten(0, 1)
        return flat if self._places is None else flat.index_select(0, self._places)

    def spread(self, tokens: Tensor) -> Tensor:
        """Return the batch (B, T, D) of tokens (N, D), with zeros for padding."""
        if self._places is not None:
            room = tokens.new_zeros(self._rows * self._width, tokens.shape[1])
            tokens = room.index_copy(0, self._places[: self.count], tokens[: self.count])
        return tokens.view(self._rows, self._width, tokens.shape[1])
