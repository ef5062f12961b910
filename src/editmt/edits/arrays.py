"""The functions of whichever library an array belongs to, by the names of the array API standard."""

from typing import Any, TypeAlias

import numpy as np
from array_api_compat import array_namespace

Array: TypeAlias = Any
"""A NumPy array or a torch tensor: everything in `edits` works on both, and answers in kind."""


def functions_of(array: Array) -> Any:
    """Return the namespace to compute with; NumPy has the standard's names itself.

    array_api_compat's wrapper of NumPy does no more, and takes 0.1 s of every start to import.
    """
    return np if isinstance(array, np.ndarray) else array_namespace(array)
