"""What doctests may use without importing it, and how hypothesis runs."""

from typing import Any

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, max_examples=200, derandomize=True)
settings.load_profile("default")


@pytest.fixture(autouse=True)
def _doctest_names(doctest_namespace: dict[str, Any]) -> None:
    doctest_namespace["np"] = np
