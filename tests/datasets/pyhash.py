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


def tape_of(tree: Tree) -> bytes:
    """The tape of a tree; an int is written as i64 if it is negative, as u64 otherwise."""
    counts = {"values": 0, "members": 0, "bytes": 0, "depth": 0}

    def text(value: str) -> bytes:
        data = value.encode()
        counts["bytes"] += len(data)
        return struct.pack("<I", len(data)) + data

    def put(value: Tree, depth: int) -> bytes:
        counts["values"] += 1
        if value is None or isinstance(value, bool):
            return {None: b"n", False: b"f", True: b"t"}[value]
        if isinstance(value, int):
            return struct.pack("<cq", b"i", value) if value < 0 else struct.pack("<cQ", b"u", value)
        if isinstance(value, float):
            return struct.pack("<cd", b"d", value)
        if isinstance(value, str):
            return b"s" + text(value)
        counts["depth"] = max(counts["depth"], depth + 1)
        if isinstance(value, list):
            return struct.pack("<cI", b"a", len(value)) + b"".join(put(item, depth + 1) for item in value)
        counts["members"] += len(value)
        entries = (text(key) + put(member, depth + 1) for key, member in value.items())
        return struct.pack("<cI", b"m", len(value)) + b"".join(entries)

    body = put(tree, 0)
    return HEADER.pack(b"sbtape1\n", *counts.values()) + body


class Hasher:
    """One of the hashes, mixed value by value; `seen` gets every call if it is there (docs/protocol.md)."""

    def __init__(self, *, exact: bool, unordered: bool = False, seen: bytearray | None = None) -> None:
        self.exact = exact
        self.unordered = unordered
        self.seen = seen
        self.state = HASH_START

    def show(self, tag: str, layout: str = "", *word: float) -> None:
        if self.seen is not None:
            self.seen += tag.encode() + struct.pack("<" + layout, *word)

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

    def string(self, text: str) -> None:
        data = text.encode()
        self.show("s", "I", len(data))
        if self.seen is not None:
            self.seen += data
        self.text(data)

    def integer(self, value: int) -> None:
        self.show("i" if value < 0 else "u", "q" if value < 0 else "Q", value)
        self.words(value)

    def double(self, value: float) -> None:
        self.show("d", "d", value)
        bits = struct.unpack("<Q", struct.pack("<d", value))[0]
        if abs(value) <= 2**53 and value == int(value) and bits != 1 << 63:
            self.words(int(value))
        elif self.exact:
            self.words(bits)
        else:
            self.mix(ANY_DOUBLE)

    def end(self, count: int) -> None:
        self.show("e", "I", count)
        self.mix(count)

    def map(self, tree: dict[str, Tree]) -> None:
        total = 0
        for key, member in tree.items():
            entry = self
            if self.unordered:
                entry = Hasher(exact=self.exact, unordered=True, seen=self.seen)
            entry.string(key)
            entry.value(member)
            total += entry.state
        if self.unordered:
            self.mix(total & 0xFFFFFFFF)
        self.end(len(tree))

    def value(self, tree: Tree) -> None:
        if tree is None:
            self.show("n")
            self.mix(0)
            self.text(b"nil")
        elif isinstance(tree, bool):
            self.show("t" if tree else "f")
            self.mix(int(tree))
        elif isinstance(tree, int):
            self.integer(tree)
        elif isinstance(tree, float):
            self.double(tree)
        elif isinstance(tree, str):
            self.string(tree)
        elif isinstance(tree, list):
            for item in tree:
                self.value(item)
            self.end(len(tree))
        else:
            self.map(tree)


def hashes(tree: Tree) -> tuple[str, str]:
    """content_hash and exact_hash of a tree, as eight hex digits each."""
    both = Hasher(exact=False), Hasher(exact=True)
    for hasher in both:
        hasher.value(tree)
    return f"{both[0].state:08x}", f"{both[1].state:08x}"


def unordered_hash(tree: Tree) -> str:
    """The hash that does not depend on the order of keys."""
    hasher = Hasher(exact=True, unordered=True)
    hasher.value(tree)
    return f"{hasher.state:08x}"
