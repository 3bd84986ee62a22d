"""What is in a document's tree, and the trees of what targets wrote.

The readers of this machine's contenders (serbench.verify) are not asked: they would have to be provided and
built before the smallest firmware could be counted.
"""

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


def _read_messagepack(data: bytes) -> Tree:
    """Raises ValueError."""
    try:
        return msgspec.msgpack.decode(data)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from error


DECODERS: dict[str, Callable[[bytes], Tree]] = {
    "json": json.loads,
    "messagepack": _read_messagepack,
    "cbor": _read_cbor,
}
"""What reads an encoding back; each raises ValueError."""
