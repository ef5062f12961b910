"""One process or many: who we are among the ranks, and what passes between us."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed.nn  # see `join_ranks`
from torch import Tensor, distributed

from editmt.errors import BAD_INPUT, EditMTError
from editmt.training.stopping import Stopped

Result = TypeVar("Result")

CPU = torch.device("cpu")
PATIENCE = timedelta(hours=6)
"""How long ranks wait for one another: rank 0 validates and saves alone, which may take longer than torch's
own limit of some minutes. A rank that dies is noticed at once."""


@dataclass(frozen=True)
class Ranks:
    """Where this process stands among those of a run; alone it is rank 0 of 1."""

    rank: int = 0
    size: int = 1
    device: torch.device = CPU

    @property
    def leads(self) -> bool:
        """Whether this process writes files and speaks."""
        return self.rank == 0

    def rows(self) -> slice:
        """The rows of a batch that are this rank's."""
        return slice(self.rank, None, self.size)

    def sum(self, values: Tensor) -> Tensor:
        """Return the sum of all ranks' values."""
        if self.size > 1:
            distributed.all_reduce(values)
        return values

    def largest(self, number: int) -> int:
        """Return the largest of all ranks' numbers; it does not wait for a GPU."""
        if self.size == 1:
            return number
        value = torch.tensor(number)
        distributed.all_reduce(value, distributed.ReduceOp.MAX)
        return int(value)

    def lead(self, action: Callable[[], None]) -> None:
        """Let rank 0 do something for all; the others wait, and end with its exit code where it fails."""
        self.together(action if self.leads else lambda: None)

    def together(self, action: Callable[[], Result]) -> Result:
        """Let each rank do something; where some fail, the first of these says why, and all end.

        What is wrong for all of them, such as a configuration, is told once. The action itself must not
        need other ranks.
        """
        failure: Exception | None = None
        try:
            result = action()
        except Exception as error:
            failure = error
        code = self.largest(_exit_code(failure))
        first = -self.largest(-(self.size if failure is None else self.rank))  # the lowest that failed
        if failure is not None and first == self.rank:
            raise failure
        if code:
            raise SystemExit(code)
        return result


def _exit_code(failure: Exception | None) -> int:
    match failure:
        case None:
            return 0
        case Stopped():
            return failure.exit_code
        case EditMTError():
            return BAD_INPUT
    return 1


@contextmanager
def join_ranks() -> Iterator[Ranks]:
    """Join the run that torchrun started, over nccl on GPUs and gloo on CPUs; without torchrun be alone.

    `torch.distributed.nn` has to be imported before: its functions' defaults keep the group that is there at
    their import for good, so that gloo's threads would outlive it, and abort the process at its end.
    """
    cuda = torch.cuda.is_available()
    size = int(os.environ.get("WORLD_SIZE", "1"))
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if cuda else CPU
    if cuda:
        torch.cuda.set_device(device)
    if size == 1:
        yield Ranks(device=device)
        return
    # Numbers of the run itself are on CPUs even where the gradients are not: hence both.
    distributed.init_process_group("cpu:gloo,cuda:nccl" if cuda else "gloo", timeout=PATIENCE)
    try:
        yield Ranks(distributed.get_rank(), size, device)
    finally:
        distributed.destroy_process_group()
