"""The block of random bytes that the 2016 suite's baselines hashed or copied: 100 * 8^size bytes."""

import random
import re
import struct
from pathlib import Path

from serbench.files import sha256
from serbench.verify.encodings import InputEncoding

VARIANT = "published"


def string_hash(data: bytes) -> str:
    """The hash of `data` as one string (docs/tape.md), as eight hexadecimal digits."""
    words = struct.unpack(f"<{-(-len(data) // 4)}I", data + bytes(-len(data) % 4))
    state = 15373
    for word in (len(data), *words):
        state = (state * 31 ^ word) & 0xFFFFFFFF
    return f"{state:08x}"


def block(dataset: str, folder: Path) -> InputEncoding | None:
    """The block for a dataset, made now in `folder`.

    None for a dataset that is not of the generator's usual seed: the suite had no other.
    """
    found = re.fullmatch(r"generated:([1-5])", dataset)
    if found is None:
        return None
    size = 100 * 8 ** int(found.group(1))
    data = random.Random(size).randbytes(size)  # noqa: S311 - any bytes would do
    file = folder / "published-block"
    file.write_bytes(data)
    return InputEncoding(size, string_hash(data), sha256(file), lambda: file)
