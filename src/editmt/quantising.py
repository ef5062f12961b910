"""Weights as 8-bit numbers, each row of a matrix with a scale of its own."""

import numpy as np
import numpy.typing as npt

MOST = 127
"""The largest of 8 bits with a sign."""

MOST_ANYWHERE = 63
"""Of weights that come with each run: x86 without VNNI adds two products of 8 bits in 16 bits, which larger
weights overflow; only constant weights can be kept from that (`runtime.sessions`)."""


def quantise(
    weight: npt.NDArray[np.float32], most: int
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return the rows of a matrix as whole numbers, and the scale of each.

    >>> numbers, scales = quantise(np.array([[1.0, -2.0], [0.0, 0.0]], dtype=np.float32), most=2)
    >>> numbers.tolist(), scales.tolist()
    ([[1, -2], [0, 0]], [1.0, 1.0])
    """
    largest = np.abs(weight).max(axis=1)
    scales = np.where(largest > 0, largest / most, 1.0).astype(np.float32)
    return np.rint(weight / scales[:, None]).astype(np.int8), scales
