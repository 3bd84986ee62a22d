"""The published figures as records, and which of our rows is meant by each."""

import csv
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import msgspec

DATASETS = {"small": "generated:2", "large": "generated:4"}
"""The suite's names of its datasets, and ours."""
BASELINES = {"write": "hash-data", "tree": "hash-object"}
"""The baselines of the writers and of the readers, as the suite called them."""
SIZES = {1: "Smallest", 2: "Small", 3: "Medium", 4: "Large", 5: "Largest"}
REFERENCE = "Desktop PC"
"""The platform whose hashes are checked and whose times are compared."""
SUITE = "2016 suite"
FORK = "Zig fork"

LIBRARIES = {
    "MPack": "c/mpack",
    "msgpack C": "c/msgpack-c",
    "msgpack C++": "cpp/msgpack-cxx",
    "CMP": "c/cmp",
    "MongoDB Legacy": "cpp/mongo-cxx-legacy",
    "ubj": "c/ubj",
    "RapidJSON": "cpp/rapidjson",
    "libbson": "c/libbson",
    "Binn": "c/binn",
    "YAJL": "c/yajl",
    "json-builder": "c/json-builder",
    "json-parser": "c/json-parser",
    "Jansson": "c/jansson",
    "Zigpak": "zig/zigpak",
}
VARIANTS = {"UTF-8": "utf8"}
"""A published variant and ours, where the names differ."""
ELSEWHERE = {
    ("ubj", "optimized", "tree"): "c/ubj-optimized:tree",
    ("Jansson", "ordered", "tree"): "c/jansson:tree",
}
"""Rows whose variant is no variant of ours: an input of its own, or an option that is the only way now."""
PROGRAMS = {
    "c/mpack:write": "mpack-write",
    "c/mpack:write:tracking": "mpack-tracking-write",
    "c/mpack:tree": "mpack-node",
    "c/mpack:tree:utf8": "mpack-utf8-node",
    "c/mpack:incremental": "mpack-read",
    "c/mpack:incremental:tracking": "mpack-tracking-read",
    "c/mpack:incremental:utf8": "mpack-utf8-read",
    "c/msgpack-c:write": "msgpack-c-pack",
    "c/msgpack-c:tree": "msgpack-c-unpack",
    "cpp/msgpack-cxx:write": "msgpack-cpp-pack",
    "cpp/msgpack-cxx:tree": "msgpack-cpp-unpack",
    "c/cmp:write": "cmp-write",
    "c/cmp:incremental": "cmp-read",
    "cpp/mongo-cxx-legacy:write": "mongo-cxx-builder",
    "cpp/mongo-cxx-legacy:tree": "mongo-cxx-obj",
    "c/ubj:write": "ubj-write",
    "c/ubj:write:optimized": "ubj-opt-write",
    "c/ubj:tree": "ubj-read",
    "c/ubj-optimized:tree": "ubj-opt-read",
    "cpp/rapidjson:write": "rapidjson-write",
    "cpp/rapidjson:tree": "rapidjson-dom",
    "cpp/rapidjson:tree:in-situ": "rapidjson-insitu-dom",
    "cpp/rapidjson:incremental": "rapidjson-sax",
    "cpp/rapidjson:incremental:in-situ": "rapidjson-insitu-sax",
    "c/libbson:write": "libbson-append",
    "c/libbson:tree": "libbson-iter",
    "c/binn:write": "binn-write",
    "c/binn:tree": "binn-load",
    "c/yajl:write": "yajl-gen",
    "c/yajl:tree": "yajl-tree",
    "c/yajl:incremental": "yajl-parse",
    "c/json-builder:write": "json-builder",
    "c/json-parser:tree": "json-parser",
    "c/jansson:write": "jansson-dump",
    "c/jansson:write:ordered": "jansson-ordered-dump",
    "c/jansson:tree": "jansson-load",
}
"""Our rows, and what the suite's program of the same work was called."""


def size_of(dataset: str) -> int | None:
    """Return the suite's number of one of our datasets, 1 to 5; None for data that it did not have."""
    found = re.fullmatch(r"generated:([1-5])", dataset)
    return int(found[1]) if found else None


class Published(msgspec.Struct, frozen=True, kw_only=True):
    """One published row."""

    source: str
    """SUITE or FORK."""
    platform: str
    profile: str
    dataset: str
    """small or large."""
    test: str
    library: str
    version: str
    variant: str
    format: str
    net_us: float
    hash: str

    @property
    def row(self) -> str:
        """The id of our row that does the same."""
        special = ELSEWHERE.get((self.library, self.variant, self.test))
        if special is not None:
            return special
        contender = LIBRARIES.get(self.library, self.library)
        variant = VARIANTS.get(self.variant, self.variant)
        return ":".join(part for part in (contender, self.test, variant) if part)

    @property
    def name(self) -> str:
        """As published: the library with its variant in brackets."""
        return f"{self.library} [{self.variant}]" if self.variant else self.library


class PublishedSize(msgspec.Struct, frozen=True, kw_only=True):
    """The published size of a dataset in one encoding."""

    encoding: str
    """The id of our format, or `json-pretty`."""
    name: str
    dataset: str
    bytes: int


def _records(file: str) -> Iterator[dict[str, str]]:
    yield from csv.DictReader(files(__package__).joinpath(file).read_text(encoding="utf-8").splitlines())


@cache
def published_rows() -> tuple[Published, ...]:
    """Return all published rows but the baselines, in their order, the suite's before the fork's."""
    return tuple(
        Published(
            source=source,
            **{
                name: record[name] for name in Published.__struct_fields__ if name not in ("source", "net_us")
            },
            net_us=float(record["net_us"]),
        )
        for source, file in ((SUITE, "c-cpp-2016.csv"), (FORK, "zig-fork-2024.csv"))
        for record in _records(file)
        if record["test"] != "baseline"
    )


@cache
def published_sizes() -> tuple[PublishedSize, ...]:
    """Return the published sizes of the encodings."""
    return tuple(
        PublishedSize(
            encoding=record["encoding"],
            name=record["name"],
            dataset=record["dataset"],
            bytes=int(record["bytes"]),
        )
        for record in _records("encodings-2016.csv")
    )


@cache
def checked_rows() -> tuple[Published, ...]:
    """Return the published rows whose hashes are checked: the reference platform's, and the fork's."""
    return tuple(row for row in published_rows() if row.source == FORK or row.platform == REFERENCE)


@cache
def object_hash(dataset: str) -> str:
    """Return the published hash of the dataset `small` or `large` itself: the one that most readers found."""
    found = [row.hash for row in published_rows() if row.dataset == dataset and row.test != "write"]
    return max(set(found), key=found.count)
