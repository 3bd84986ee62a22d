"""A document's tree, and its encodings on microcontrollers: decimals are 32-bit floats there."""

import json
import struct
from collections.abc import Callable, Iterator

import msgspec

from serbench.build.contract import Tree


def numbers(tree: Tree) -> Iterator[int | float]:
    """All numbers in the tree, in document order."""
    if isinstance(tree, dict):
        for member in tree.values():
            yield from numbers(member)
    elif isinstance(tree, list):
        for element in tree:
            yield from numbers(element)
    elif isinstance(tree, int | float) and not isinstance(tree, bool):
        yield tree


def depth(tree: Tree) -> int:
    """How deep containers are nested; 0 for what is none."""
    if not isinstance(tree, dict | list):
        return 0
    return 1 + max(map(depth, tree.values() if isinstance(tree, dict) else tree), default=0)


def narrowed(number: float) -> float:
    """The nearest 32-bit float; infinite beyond the largest."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", number))[0])
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def _json(tree: Tree) -> bytes:
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()


def _messagepack(tree: Tree) -> bytes:
    if isinstance(tree, float):
        return b"\xca" + struct.pack(">f", narrowed(tree))
    if isinstance(tree, list):
        return _counted(len(tree), 0x90, 0xDC) + b"".join(map(_messagepack, tree))
    if isinstance(tree, dict):
        members = (_messagepack(key) + _messagepack(member) for key, member in tree.items())
        return _counted(len(tree), 0x80, 0xDE) + b"".join(members)
    return msgspec.msgpack.encode(tree)


def _counted(count: int, short: int, long: int) -> bytes:
    return bytes([short | count]) if count < 16 else bytes([long]) + struct.pack(">H", count)


def _cbor_head(kind: int, number: int) -> bytes:
    if number < 24:
        return bytes([kind << 5 | number])
    width = 0 if number < 2**8 else 1 if number < 2**16 else 2 if number < 2**32 else 3
    return bytes([kind << 5 | 24 + width]) + number.to_bytes(1 << width, "big")


def _cbor(tree: Tree) -> bytes:
    if tree is None or isinstance(tree, bool):
        return {None: b"\xf6", False: b"\xf4", True: b"\xf5"}[tree]
    if isinstance(tree, float):
        return b"\xfa" + struct.pack(">f", narrowed(tree))
    if isinstance(tree, int):
        return _cbor_head(0, tree) if tree >= 0 else _cbor_head(1, -1 - tree)
    if isinstance(tree, str):
        return _cbor_head(3, len(tree.encode())) + tree.encode()
    if isinstance(tree, list):
        return _cbor_head(4, len(tree)) + b"".join(map(_cbor, tree))
    members = (_cbor(key) + _cbor(member) for key, member in tree.items())
    return _cbor_head(5, len(tree)) + b"".join(members)


def _read_cbor(data: bytes) -> Tree:
    """One CBOR item of definite lengths that fills `data`. Raises ValueError."""
    at = 0

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        if at > len(data):
            raise ValueError("it ends too early")
        return data[at - size : at]

    def item() -> Tree:
        kind, low = divmod(take(1)[0], 32)
        if kind == 7 and low in (20, 21, 22):
            return {20: False, 21: True, 22: None}[low]
        if kind == 7 and low in (25, 26, 27):
            width = {25: "e", 26: "f", 27: "d"}[low]
            return float(struct.unpack(">" + width, take(struct.calcsize(width)))[0])
        if low > 27 or kind in (2, 6, 7):
            raise ValueError(f"an item of kind {kind}, {low}")
        number = low if low < 24 else int.from_bytes(take(1 << (low - 24)), "big")
        if kind < 2:
            return number if kind == 0 else -1 - number
        if kind == 3:
            return take(number).decode()
        if kind == 4:
            return [item() for _ in range(number)]
        return {item(): item() for _ in range(number)}

    tree = item()
    if at != len(data):
        raise ValueError("bytes follow the item")
    return tree


ENCODERS: dict[str, Callable[[Tree], bytes]] = {"json": _json, "messagepack": _messagepack, "cbor": _cbor}
"""The encodings that every reader gets: compact JSON; the shortest integers, decimals as 32-bit floats."""


def decoded(data: bytes, format_id: str) -> Tree:
    """What `data` in a format holds, by Python's or msgspec's reader or ours. Raises ValueError."""
    if format_id == "json":
        return json.loads(data)
    if format_id == "cbor":
        return _read_cbor(data)
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error
