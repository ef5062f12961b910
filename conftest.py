"""What doctests may use without importing it, and how hypothesis runs."""

from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from editmt.runtime.sessions import set_threads

settings.register_profile("default", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("default")
set_threads(1)  # for a process's whole life, so no test can choose; several run side by side


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
