"""ONNX Runtime's sessions: one pool of threads for all of them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy.typing as npt
import onnxruntime

from editmt.errors import InputError

Array: TypeAlias = npt.NDArray[Any]

SLOWER = ["SkipLayerNormFusion"]
"""What ONNX Runtime takes for an optimisation: sum and norm fused are eight times as slow as apart."""

CPU_FILE = Path("/proc/cpuinfo")
VNNI = {"avx512_vnni", "avx_vnni"}
EXACT = "session.x64quantprecision"
"""Weights without a sign, whose products x86 adds in 32 bits on any processor; with VNNI it is slower."""

_threads: int | None = None
"""What the pool was made with; None before there is one."""


def set_threads(threads: int) -> None:
    """Run on so many threads; 0 are as many as there are cores, or as were asked for before.

    Sessions with pools of their own wait for each other: three took 2.6 times as long as with one pool. ONNX
    Runtime has one for a process's life, so the first model to be loaded decides.
    """
    global _threads  # noqa: PLW0603 - as global as the pool is
    if _threads is None:
        onnxruntime.set_global_thread_pool_sizes(threads, 1)
        _threads = threads
    elif threads not in (0, _threads):
        raise InputError(f"this process already runs models on {_threads or 'all'} threads, not {threads}")


def has_threads() -> bool:
    """Tell whether the pool of threads is there."""
    return _threads is not None


@cache
def has_vnni() -> bool:
    """Tell whether the processor is known to add products of 8 bits in 32, as weights past 63 need it."""
    try:
        with CPU_FILE.open(encoding="utf-8") as lines:
            flags = next((line for line in lines if line.startswith("flags")), "")
    except OSError:
        return False
    return not VNNI.isdisjoint(flags.split())


class Session:
    """A graph, ready to run."""

    def __init__(self, path: Path) -> None:
        set_threads(0)
        options = onnxruntime.SessionOptions()
        options.use_per_session_threads = False
        options.log_severity_level = 3  # errors: what it warns of concerns graphs that were traced
        if not has_vnni():
            options.add_session_config_entry(EXACT, "1")
        try:
            self._session = onnxruntime.InferenceSession(
                path, options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
            )
        except Exception as error:  # its exceptions have no common class
            raise InputError(f"{path}: ONNX Runtime cannot load it: {error}".splitlines()[0]) from None
        self._names = [value.name for value in self._session.get_inputs()]

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """Run the graph on its inputs, in the order they were declared."""
        outputs: list[Array] = self._session.run(None, dict(zip(self._names, inputs, strict=True)))
        return outputs
