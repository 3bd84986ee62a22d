"""The tests, each declared once: what a worker is given, what it yields, and the words that reports use."""

from typing import Literal

import msgspec

Test = Literal["write", "tree", "incremental", "serialize", "lookup", "roundtrip"]


class TestKind(msgspec.Struct, frozen=True, kw_only=True):
    """What must be known of a test."""

    __test__ = False
    """It is none of pytest's."""
    yields: Literal["bytes", "values", "some values"]
    """Bytes are proved by reading them back, values by their hashes, some values by the hashes of these."""
    encoded: bool = True
    """Whether a worker is given the encoding of the dataset, and not its value tree alone."""
    usual: bool = True
    """Whether a run measures it in which the user names no tests."""
    timed: str
    """What one iteration does, as the end of a sentence."""
    fastest: str
    """What the row is that takes the least time, and ..."""
    fewest: str
    """... the one that takes the fewest instructions."""
    brief: str
    """The test in a word or two."""

    @property
    def writes(self) -> bool:
        """Whether it yields bytes."""
        return self.yields == "bytes"


KINDS: dict[Test, TestKind] = {
    "write": TestKind(
        yields="bytes",
        encoded=False,
        timed="writing the value tree as bytes into a growing buffer, and hashing them",
        fastest="fastest to write",
        fewest="fewest to write",
        brief="write",
    ),
    "tree": TestKind(
        yields="values",
        timed="copying the bytes, reading them into a tree, walking and hashing it, freeing it",
        fastest="fastest to read",
        fewest="fewest to read",
        brief="read",
    ),
    "incremental": TestKind(
        yields="values",
        timed="copying the bytes, reading them element by element and hashing these, without a tree",
        fastest="reading, no tree",
        fewest="reading, no tree",
        brief="no tree",
    ),
    "serialize": TestKind(
        yields="bytes",
        usual=False,
        timed="writing the library's own document, which was read before, as bytes, and hashing them",
        fastest="own document",
        fewest="own document",
        brief="own document",
    ),
    "lookup": TestKind(
        yields="some values",
        usual=False,
        timed="copying the bytes, finding the values at a few paths, and hashing these",
        fastest="fastest look-up",
        fewest="fewest to look up",
        brief="look up",
    ),
}
"""By name, those of a worker on this machine or on an emulated Linux, in the order of reports."""
TESTS: tuple[Test, ...] = tuple(KINDS)
USUAL: tuple[Test, ...] = tuple(test for test, kind in KINDS.items() if kind.usual)
ROUNDTRIP: Test = "roundtrip"
"""A document is read and written again: the test of a microcontroller, whose program does both."""
