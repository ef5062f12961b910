"""Which training pairs are left out, and why."""

from dataclasses import dataclass

from editmt.errors import InputError

REASONS = ("empty", "long", "uneven")


@dataclass(frozen=True)
class LengthFilter:
    """Keeps pairs whose sides both have tokens, but not too many, and not too many more than the other side.

    Lengths are in tokens without the boundary symbols, as a model meets them.

    >>> LengthFilter(longest=50, ratio=1.5).objection(10, 20)
    'uneven'
    """

    longest: int = 250
    ratio: float | None = None

    def __post_init__(self) -> None:
        if self.longest < 1:
            raise InputError(f"the longest sentence must have at least 1 token, not {self.longest}")
        if self.ratio is not None and not self.ratio >= 1:
            raise InputError(f"the length ratio must be at least 1, not {self.ratio}")

    def objection(self, source_length: int, target_length: int) -> str | None:
        """Return the reason to leave the pair out, or None."""
        shorter, longer = sorted((source_length, target_length))
        if shorter == 0:
            return "empty"
        if longer > self.longest:
            return "long"
        if self.ratio is not None and longer > self.ratio * shorter:
            return "uneven"
        return None
