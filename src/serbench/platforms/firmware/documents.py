"""Documents for microcontrollers: read from tapes, and hashed with decimals as 32-bit floats."""

import math
import struct
from functools import cached_property
from pathlib import Path

import msgspec

from serbench.build.contract import Data, Tree
from serbench.catalog.load import read_manifest
from serbench.catalog.manifest import Manifest
from serbench.catalog.records import Row
from serbench.datasets.float32 import narrowed
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.datasets.spec import file_spec
from serbench.datasets.store import Dataset
from serbench.errors import UserError
from serbench.platforms.firmware.decode import DECODERS, depth, numbers
from serbench.provision import Unavailable
from serbench.run.context import BuildContext
from serbench.run.typed import documents_of, float32, with_schema
from serbench.verify.encodings import Canonical

HASH_START = 15373
ANY_DECIMAL = 43013
LARGEST = 60_000
"""Bytes of JSON beyond which no target is asked: sizes in the firmware have 16 bits."""
DEEPEST = 64
"""Nested containers beyond which no library is asked: no target's stack holds more calls."""
REORDERED = "no schema fits the data: its objects have their keys in orders that contradict each other"
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


class Encodings:
    """The canonical encodings of a dataset as targets get them, each made when it is asked for."""

    def __init__(self, context: BuildContext, dataset: Dataset) -> None:
        self._context, self._dataset = context, dataset
        self._made: dict[str, Canonical] = {}

    @cached_property
    def float32(self) -> Dataset:
        """The data with decimals as 32-bit floats, and their schema. Raises UserError."""
        made = float32(self._context, self._dataset)
        found = with_schema(self._context, made)
        # Every row gets the document as it is, with its own order of keys.
        return found if found.tape == made.tape else msgspec.structs.replace(made, no_schema=REORDERED)

    def of(self, format_id: str) -> Canonical:
        """The encoding in a format. Raises UserError."""
        if format_id not in self._made:
            # A text has the digits of the document: whoever reads it rounds them.
            text = self._context.catalog.formats[format_id].text
            dataset = self._dataset if text else self.float32
            self._made[format_id] = self._context.canonical(dataset, format_id)
        return self._made[format_id]


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """A document in memory."""

    name: str
    tree: Tree
    real_life: bool = False
    dataset: Dataset | None = None
    """What it was read from, ..."""
    encodings: Encodings | None = None
    """... and what targets get of it."""

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

    def canonical(self, format_id: str) -> Canonical:
        """The document in a format, or why it is not. Raises UserError."""
        assert self.encodings is not None
        return self.encodings.of(format_id)

    def encoded(self, format_id: str) -> bytes:
        """The bytes of that. Raises Unavailable where there are none."""
        made = self.canonical(format_id)
        if made.encoded is None:
            raise Unavailable(made.reason)
        return made.encoded.path.read_bytes()

    def row(self, row: Row) -> Row:
        """The row as it is built for this document: with its schema, if its code is generated from one."""
        if not row.contender.generated:
            return row
        assert self.encodings is not None
        return msgspec.structs.replace(row, schema=self.encodings.float32.inferred)

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
            needs_tree=firmware.tree,
        )

    def decoded(self, data: bytes, format_id: str) -> Tree:
        """What `data`, an encoding of this document, holds. Raises ValueError."""
        if format_id in DECODERS:
            return DECODERS[format_id](data)
        # All writers of a format with a schema make the same bytes, which a library of this machine wrote.
        if data != self.encoded(format_id):
            raise ValueError("it is not the canonical encoding")
        return self.tree


def stated_documents(root: Path) -> list[Stated]:
    """What datasets/documents/documents.toml lists. Raises UserError."""
    return read_manifest(root / "datasets" / "documents" / "documents.toml", _List).document


def document_path(root: Path, stated: Stated) -> Path:
    """The JSON file of a stated document."""
    return root / "datasets" / "documents" / stated.file


def load_documents(root: Path, context: BuildContext) -> list[Document]:
    """The project's own documents, through the same importer as everybody's. Raises UserError."""
    return [
        msgspec.structs.replace(
            load_document(document_path(root, stated), context),
            name=stated.name,
            real_life=stated.real_life,
        )
        for stated in stated_documents(root)
    ]


def load_document(path: Path, context: BuildContext) -> Document:
    """The document in the JSON file at `path`. Raises UserError for one that no target could hold, too."""
    if path.exists() and path.stat().st_size > LARGEST:
        raise UserError(
            f"{path}: {path.stat().st_size:,} bytes; a document for a microcontroller has at most {LARGEST:,}"
        )
    spec = file_spec(path)
    if spec.messages:
        raise UserError(f"{path}: on a microcontroller each document is a file of its own, no JSON Lines")
    dataset = context.store.dataset(spec)
    if dataset.facts.depth > DEEPEST:
        raise UserError(
            f"{path}: nested {dataset.facts.depth} deep; a document for a microcontroller is nested at most "
            f"{DEEPEST} deep"
        )
    if dataset.facts.nul_in_keys or dataset.facts.nul_in_values:
        raise UserError(f"{path}: there is a NUL character in a string, which most libraries here end at")
    (tree,) = documents_of(context, dataset)
    return Document(name=spec.name, tree=tree, dataset=dataset, encodings=Encodings(context, dataset))


def narrow_hash(tree: Tree, *, exact: bool) -> str:
    """The hash of harness/c/include/serbench/hash.h under SB_NARROW, eight hexadecimal digits.

    The dataset tool has the rule of 64-bit doubles alone, and this is also of what a target wrote.
    """
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
