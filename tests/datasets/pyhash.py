"""The tape and its two hashes in plain Python, written from docs/tape.md and independent of the C code.

It is also what a harness of another language needs before any of its contenders can take part.
"""

import struct
from typing import Any

Tree = Any
"""None, bool, int, float, str, a list of trees, or a dict of trees by str."""

HEADER = struct.Struct("<8s4Q")
HASH_START = 15373
ANY_DOUBLE = 43013


class TapeReader:
    """Reads one tape: `root` is its tree; `values`, `members`, `string_bytes` and `depth` its header."""

    def __init__(self, data: bytes) -> None:
        magic, self.values, self.members, self.string_bytes, self.depth = HEADER.unpack_from(data)
        if magic != b"sbtape1\n":
            raise ValueError("not a tape of this version")
        self._data = data
        self._at = HEADER.size
        self.root = self._value()
        if self._at != len(data):
            raise ValueError("bytes follow the root")

    def _take(self, layout: str) -> Any:
        (number,) = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return number

    def _text(self) -> str:
        length = self._take("I")
        self._at += length
        return self._data[self._at - length : self._at].decode("utf-8")

    def _value(self) -> Tree:
        match chr(self._take("B")):
            case "n":
                return None
            case "f":
                return False
            case "t":
                return True
            case "i":
                return self._take("q")
            case "u":
                return self._take("Q")
            case "d":
                return self._take("d")
            case "s":
                return self._text()
            case "a":
                return [self._value() for _ in range(self._take("I"))]
            case "m":
                pairs = [(self._text(), self._value()) for _ in range(self._take("I"))]
                return dict(pairs)
            case tag:
                raise ValueError(f"unknown tag {tag!r}")


class Hasher:
    """One of the two hashes, mixed value by value."""

    def __init__(self, *, exact: bool) -> None:
        self.exact = exact
        self.state = HASH_START

    def mix(self, word: int) -> None:
        self.state = (self.state * 31 & 0xFFFFFFFF) ^ word

    def words(self, number: int) -> None:
        bits = number & 0xFFFFFFFFFFFFFFFF
        self.mix(bits >> 32)
        self.mix(bits & 0xFFFFFFFF)

    def text(self, data: bytes) -> None:
        self.mix(len(data))
        for at in range(0, len(data), 4):
            self.mix(int.from_bytes(data[at : at + 4], "little"))

    def double(self, value: float) -> None:
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        if abs(value) <= 2**53 and value == int(value) and bits != 1 << 63:
            self.words(int(value))
        elif self.exact:
            self.words(bits)
        else:
            self.mix(ANY_DOUBLE)

    def value(self, tree: Tree) -> None:
        if tree is None:
            self.mix(0)
            self.text(b"nil")
        elif isinstance(tree, bool):
            self.mix(int(tree))
        elif isinstance(tree, int):
            self.words(tree)
        elif isinstance(tree, float):
            self.double(tree)
        elif isinstance(tree, str):
            self.text(tree.encode())
        elif isinstance(tree, list):
            for item in tree:
                self.value(item)
            self.mix(len(tree))
        else:
            for key, member in tree.items():
                self.text(key.encode())
                self.value(member)
            self.mix(len(tree))


def hashes(tree: Tree) -> tuple[str, str]:
    """content_hash and exact_hash of a tree, as eight hex digits each."""
    both = Hasher(exact=False), Hasher(exact=True)
    for hasher in both:
        hasher.value(tree)
    return f"{both[0].state:08x}", f"{both[1].state:08x}"
