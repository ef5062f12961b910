"""One process or many: who we are among the ranks, and the sums between us."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from torch import Tensor, distributed

CPU = torch.device("cpu")


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

    def wait(self) -> None:
        """Wait until all ranks are here."""
        if self.size > 1:
            distributed.barrier()


@contextmanager
def join_ranks() -> Iterator[Ranks]:
    """Join the run that torchrun started, over nccl on GPUs and gloo on CPUs; without torchrun be alone."""
    cuda = torch.cuda.is_available()
    size = int(os.environ.get("WORLD_SIZE", "1"))
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0"))) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if size == 1:
        yield Ranks(device=device)
        return
    distributed.init_process_group("nccl" if cuda else "gloo")
    try:
        yield Ranks(distributed.get_rank(), size, device)
    finally:
        distributed.destroy_process_group()
