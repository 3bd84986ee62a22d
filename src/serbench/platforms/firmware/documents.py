"""Documents for microcontrollers: read from tapes, and hashed with decimals as 32-bit floats."""

import math
import struct
from pathlib import Path
from typing import Any

import msgspec

from serbench.build.contract import Data, Tree
from serbench.catalog.load import read_manifest
from serbench.catalog.manifest import Manifest
from serbench.catalog.records import Row
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.datasets.spec import file_spec
from serbench.datasets.store import Dataset, Store
from serbench.errors import UserError
from serbench.platforms.firmware import schema
from serbench.platforms.firmware.encodings import ENCODERS, decoded, depth, narrowed, numbers

HASH_START = 15373
ANY_DECIMAL = 43013
LARGEST = 60_000
"""Bytes of JSON beyond which no target is asked: sizes in the firmware have 16 bits."""
DEEPEST = 64
"""Nested containers beyond which no library is asked: no target's stack holds more calls."""


SLACK = 64
"""Bytes of room for output beyond the largest encoding, for a library that writes decimals at length."""


class Stated(Manifest, frozen=True, kw_only=True):
    """A document in datasets/documents/documents.toml."""

    name: str
    file: str
    real_life: bool = False
    published: tuple[int, int]
    """Bytes of the document of 2021 whose place it has, as JSON and as MessagePack."""


class _List(Manifest, frozen=True, kw_only=True):
    document: list[Stated]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A document in memory."""

    name: str
    tree: Tree
    real_life: bool = False
    dataset: Dataset | None = None
    """What it was read from."""

    def record(self, encodings: dict[str, Encoding]) -> DatasetRecord:
        """What a run file says of it."""
        assert self.dataset is not None
        return msgspec.structs.replace(self.dataset.record(encodings), name=self.name)

    @property
    def hashes(self) -> tuple[str, str]:
        """content_hash and exact_hash, with decimals as 32-bit floats."""
        return narrow_hash(self.tree, exact=False), narrow_hash(self.tree, exact=True)

    @property
    def integers(self) -> tuple[int, int]:
        """The least and the largest integer; 0 and 0 if there is none."""
        found = [number for number in numbers(self.tree) if isinstance(number, int)]
        return min(found, default=0), max(found, default=0)

    @property
    def depth(self) -> int:
        """How deep containers are nested; 0 for a document that is none."""
        return depth(self.tree)

    def encoded(self, format_id: str) -> bytes:
        """The document in one of ENCODERS, or by its own schema. Raises Inexpressible where none fits it."""
        if format_id == "protobuf":
            return schema.encode(schema.schema_of(self.tree), self.tree)
        return ENCODERS[format_id](self.tree)

    @property
    def room(self) -> int:
        """The bytes of the buffer that every library writes this document into."""
        return max(len(self.encoded("json")), len(self.encoded("cbor"))) + SLACK

    def data(self, row: Row) -> Data:
        """What the program of `row` holds of it; as JSON for the program without a library."""
        firmware = row.contender.manifest.firmware
        format_id = row.format if row.role == "contender" else "json"
        return Data(
            name=self.name,
            tree=self.tree,
            format=format_id,
            input=self.encoded(format_id),
            room=self.room,
            schema=firmware.schema,
            needs_tree=firmware.tree,
        )

    def decoded(self, data: bytes, format_id: str) -> Tree:
        """What `data`, an encoding of this document, holds. Raises ValueError."""
        if format_id == "protobuf":
            return schema.decode(schema.schema_of(self.tree), data)
        return decoded(data, format_id)


def stated_documents(root: Path) -> list[Stated]:
    """What datasets/documents/documents.toml lists. Raises UserError."""
    return read_manifest(root / "datasets" / "documents" / "documents.toml", _List).document


def document_path(root: Path, stated: Stated) -> Path:
    """The JSON file of a stated document."""
    return root / "datasets" / "documents" / stated.file


def load_documents(root: Path, store: Store) -> list[Document]:
    """The project's own documents, through the same importer as everybody's. Raises UserError."""
    return [
        msgspec.structs.replace(
            load_document(document_path(root, stated), store),
            name=stated.name,
            real_life=stated.real_life,
        )
        for stated in stated_documents(root)
    ]


def load_document(path: Path, store: Store) -> Document:
    """The document in the JSON file at `path`. Raises UserError for one that no target could hold, too."""
    if path.exists() and path.stat().st_size > LARGEST:
        raise UserError(
            f"{path}: {path.stat().st_size:,} bytes; a document for a microcontroller has at most {LARGEST:,}"
        )
    spec = file_spec(path)
    if spec.messages:
        raise UserError(f"{path}: on a microcontroller each document is a file of its own, no JSON Lines")
    dataset = store.dataset(spec)
    if dataset.facts.depth > DEEPEST:
        raise UserError(
            f"{path}: nested {dataset.facts.depth} deep; a document for a microcontroller is nested at most "
            f"{DEEPEST} deep"
        )
    if dataset.facts.nul_in_keys or dataset.facts.nul_in_values:
        raise UserError(f"{path}: there is a NUL character in a string, which most libraries here end at")
    return Document(name=spec.name, tree=read_tape(dataset.tape.read_bytes()), dataset=dataset)


def read_tape(data: bytes) -> Tree:
    """The tree on a tape (docs/tape.md)."""
    at = 40

    def take(layout: str) -> Any:
        nonlocal at
        (number,) = struct.unpack_from("<" + layout, data, at)
        at += struct.calcsize("<" + layout)
        return number

    def text() -> str:
        nonlocal at
        length = take("I")
        at += length
        return data[at - length : at].decode()

    def value() -> Tree:
        tag = chr(take("B"))
        if tag in "nft":
            return {"n": None, "f": False, "t": True}[tag]
        if tag in "iud":
            return take({"i": "q", "u": "Q", "d": "d"}[tag])
        if tag == "s":
            return text()
        if tag == "a":
            return [value() for _ in range(take("I"))]
        return {text(): value() for _ in range(take("I"))}

    return value()


def narrow_hash(tree: Tree, *, exact: bool) -> str:
    """The hash of harness/c/include/serbench/hash.h under SB_NARROW, eight hexadecimal digits."""
    state = HASH_START

    def mix(word: int) -> None:
        nonlocal state
        state = (state * 31 & 0xFFFFFFFF) ^ word

    def whole(number: int) -> None:
        mix(number >> 32 & 0xFFFFFFFF)
        mix(number & 0xFFFFFFFF)

    def text(data: bytes) -> None:
        mix(len(data))
        for at in range(0, len(data), 4):
            mix(int.from_bytes(data[at : at + 4], "little"))

    def decimal(number: float) -> None:
        for candidate in (number, narrowed(number)):
            negative_zero = candidate == 0 and math.copysign(1, candidate) < 0
            if abs(candidate) <= 2**53 and candidate == int(candidate) and not negative_zero:
                whole(int(candidate))
                return
        bits = struct.unpack("<I", struct.pack("<f", narrowed(number)))[0]
        mix(bits if exact else ANY_DECIMAL)

    def value(tree: Tree) -> None:
        if tree is None:
            mix(0)
            text(b"nil")
        elif isinstance(tree, bool):
            mix(int(tree))
        elif isinstance(tree, int):
            whole(tree)
        elif isinstance(tree, float):
            decimal(tree)
        elif isinstance(tree, str):
            text(tree.encode())
        elif isinstance(tree, list):
            for element in tree:
                value(element)
            mix(len(tree))
        else:
            for key, member in tree.items():
                text(key.encode())
                value(member)
            mix(len(tree))

    value(tree)
    return f"{state:08x}"
