"""How what a reader saw differs from a dataset: found by the tool that made its tape."""

import subprocess
from pathlib import Path

import msgspec

from serbench.datasets.store import TOOL_TIMEOUT, Dataset
from serbench.errors import UserError


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """What the tool says of the calls that a reader made (harness/c/tools/compare.h)."""

    difference: str
    """The first place where something differs other than a number or the order of keys; empty if none."""
    exact_hash: str
    """The hash of the values as they were seen, and ..."""
    unordered_hash: str
    """... by the rule that does not depend on the order of keys."""
    integers: int
    """Changed ones, each to the nearest double or one beside it: all else is a `difference`."""
    negative_zeros: int
    """Doubles -0 that became 0."""
    retyped: int
    """Integers beyond 2^53 that are doubles of the same value, and the reverse: no loss, but another hash."""
    keys_moved: bool
    doubles: int
    """Changed ones, by up to ..."""
    max_relative: float
    """... this, relative to the original."""


def difference(dataset: Dataset, seen: Path) -> Difference:
    """How the calls in the file `seen` differ from the dataset. Raises UserError if the tool fails."""
    kind = "messages" if dataset.framed else "document"
    words = [str(dataset.tool), "compare", str(dataset.tape), str(seen), kind]
    try:
        done = subprocess.run(words, capture_output=True, timeout=TOOL_TIMEOUT, check=False)
        return msgspec.json.decode(done.stdout, type=Difference)
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError) as error:
        raise UserError(f"dataset '{dataset.name}': the dataset tool failed: {error}") from error
