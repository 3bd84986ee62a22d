"""Why one of our hashes differs from the published one: each reason is proved on the spot, or is none."""

import struct
from collections.abc import Sequence

import msgspec

from serbench.conformance.doubles import BOUND_2016, BOUND_NOW, reprinted, tokens
from serbench.conformance.facts import Published, size_of
from serbench.conformance.integers import Types, integers, with_signed_types
from serbench.datasets.records import DatasetRecord
from serbench.results.schema import RowRecord

HASH_START = 15373
HASH_FACTOR = 31
WORD = 0xFFFFFFFF
MOST_EXAMPLES = 2
TYPES = {
    "binn": Types(natural=0x80, signed=0x81, least=1 << 32),
    "messagepack": Types(natural=0xCF, signed=0xD3, least=0),
}
"""By format; Binn's library has its own choice of type for smaller numbers, zigpak writes all of them
wide."""


class Difference(msgspec.Struct, kw_only=True, frozen=True):
    """A published row, ours, and what is known around them."""

    published: Published
    alike: Sequence[Published]
    """All published rows of the same test, data and library, this one included."""
    right: str
    """The published hash of the data."""
    record: RowRecord
    dataset: DatasetRecord
    written: bytes | None
    """Our writer's output."""


def reason_for(difference: Difference) -> str | None:
    """Return why the hashes differ, as a sentence; None if no reason can be proved."""
    for reason in (_no_order, _was_wrong, _closing_zero, _signed_types, _printing):
        found = reason(difference)
        if found is not None:
            return found
    return None


def string_hash(data: bytes) -> str:
    """Return the hash of a writer's output: of its length, then of its words, the last padded with zeros."""
    value = (HASH_START * HASH_FACTOR & WORD) ^ len(data)
    for (word,) in struct.iter_unpack("<I", data + bytes(-len(data) % 4)):
        value = (value * HASH_FACTOR & WORD) ^ word
    return f"{value:08x}"


def _proved(difference: Difference) -> bool:
    """Tell whether our row passed the gate with every value exact."""
    record, dataset = difference.record, difference.dataset
    return record.status == "ok" and record.exact_hash == dataset.exact_hash


def _versions(difference: Difference) -> tuple[str, str]:
    """Return the published version and ours, without a leading v."""
    return difference.published.version.removeprefix("v"), difference.record.library_version.removeprefix("v")


def _no_order(difference: Difference) -> str | None:
    """The published library kept no order, and ours does: the hash is that of its variant that did."""
    published, record = difference.published, difference.record
    plain = sorted({row.hash for row in difference.alike if row.variant == published.variant})
    ordered = {row.variant: row.hash for row in difference.alike if row.variant != published.variant}
    variants = [variant for variant, found in ordered.items() if found == record.hash]
    then, now = _versions(difference)
    if len(plain) < 2 or not variants or then == now or not _proved(difference):
        return None
    return (
        f"version {then} wrote and read maps in no lasting order, so that each platform published another "
        f"hash ({', '.join(plain)}); version {now} gives that of [{variants[0]}]"
    )


def _was_wrong(difference: Difference) -> str | None:
    """A published reader's hash that is not the data's: nobody can reproduce it rightly."""
    published, record = difference.published, difference.record
    if published.test == "write" or published.hash == difference.right or record.status == "unsupported":
        return None
    here = f"it is refused here: {record.reason}" if record.status != "ok" else "it is right here"
    if record.status == "ok" and record.hash != difference.right:
        return None
    return f"the published reader had not read the data, whose hash is {difference.right}; {here}"


def _closing_zero(difference: Difference) -> str | None:
    """The published output counted the zero byte that ends a string in C."""
    written = difference.written
    if written is None or difference.record.status != "ok":
        return None
    if string_hash(written + b"\0") != difference.published.hash:
        return None
    return (
        f"the published output has a zero byte behind its end, at byte {len(written):,}; with that byte "
        "ours has the "
        f"published hash {difference.published.hash}"
    )


def _signed_types(difference: Difference) -> str | None:
    """With another type for the numbers that were held as signed, our output becomes the published one."""
    written, size = difference.written, size_of(difference.dataset.name)
    types = TYPES.get(difference.record.format)
    if written is None or size is None or types is None or difference.record.status != "ok":
        return None
    then, places = with_signed_types(written, integers(size), types)
    if string_hash(then) != difference.published.hash:
        return None
    return (
        f"{len(places):,} integers that are not negative were of a signed kind in the published program, "
        "and a "
        f"tape knows no such kind: their types differ, first at byte {places[0]:,}, {types.natural:02x} "
        "where "
        f"{types.signed:02x} was. With those types our output has the published hash "
        f"{difference.published.hash}"
    )


def _printing(difference: Difference) -> str | None:
    """RapidJSON's digits: with the bound of 2016 our output becomes the published one, byte for byte."""
    published, written = difference.published, difference.written
    if published.library != "RapidJSON" or written is None or not _proved(difference):
        return None
    then = reprinted(written, BOUND_2016)
    if reprinted(written, BOUND_NOW) != written or string_hash(then) != published.hash:
        return None
    changed: list[tuple[int, bytes, bytes]] = []
    at = 0
    for old, new in zip(tokens(then), tokens(written), strict=True):
        if old != new:
            changed.append((at, old, new))
        at += len(new)
    if any(float(old) != float(new) for _, old, new in changed):
        return None
    examples = [
        f"at byte {at + _first_difference(old, new):,} {new.decode()} where 2016 had {old.decode()}"
        for at, old, new in changed[:MOST_EXAMPLES]
    ]
    return (
        f"{len(changed)} doubles have other last digits and the same value: {'; '.join(examples)}. With "
        f"the older bound in RapidJSON's printer our output has the published hash {published.hash}"
    )


def _first_difference(a: bytes, b: bytes) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
