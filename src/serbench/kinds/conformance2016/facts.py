"""The published figures as records, and which of our rows is meant by each."""

import csv
import re
import tomllib
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

_NAMES: dict[str, dict[str, str]] = tomllib.loads(
    files(__package__).joinpath("names.toml").read_text(encoding="utf-8")
)
LIBRARIES, VARIANTS, ELSEWHERE, PROGRAMS = (
    _NAMES[name] for name in ("libraries", "variants", "elsewhere", "programs")
)
LANGUAGES = sorted({contender.partition("/")[0] for contender in LIBRARIES.values()})
"""The languages of the contenders whose figures were published."""


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
        special = ELSEWHERE.get(f"{self.library}:{self.test}:{self.variant}")
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
    records = [
        record | {"source": source}
        for source, file in ((SUITE, "c-cpp-2016.csv"), (FORK, "zig-fork-2024.csv"))
        for record in _records(file)
        if record["test"] != "baseline"
    ]
    return msgspec.convert(records, tuple[Published, ...], strict=False)


@cache
def published_sizes() -> tuple[PublishedSize, ...]:
    """Return the published sizes of the encodings."""
    return msgspec.convert(list(_records("encodings-2016.csv")), tuple[PublishedSize, ...], strict=False)


@cache
def checked_rows() -> tuple[Published, ...]:
    """Return the published rows whose hashes are checked: the reference platform's, and the fork's."""
    return tuple(row for row in published_rows() if row.source == FORK or row.platform == REFERENCE)


@cache
def object_hash(dataset: str) -> str:
    """Return the published hash of the dataset `small` or `large` itself: the one that most readers found."""
    found = [row.hash for row in published_rows() if row.dataset == dataset and row.test != "write"]
    return max(set(found), key=found.count)
