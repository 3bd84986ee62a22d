"""Why one of our hashes differs from the published one: each reason is proved on the spot, or is none."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from serbench.datasets.records import DatasetRecord
from serbench.kinds.conformance2016.doubles import (
    BOUND_2016,
    BOUND_NOW,
    printed,
    reprinted,
    tokens,
    with_17_digits,
)
from serbench.kinds.conformance2016.facts import Published, object_hash, published_rows, size_of
from serbench.kinds.conformance2016.integers import Types, integers, with_signed_types
from serbench.results.schema import RowRecord
from serbench.verify.published import string_hash

MOST_EXAMPLES = 2
TYPES = {
    "binn": Types(natural=0x80, signed=0x81, least=1 << 32),
    "messagepack": Types(natural=0xCF, signed=0xD3, least=0),
}
"""By format; Binn's library has its own choice of type for smaller numbers, zigpak writes all of them
wide."""


class Printer(NamedTuple):
    """How a library printed doubles in 2016, which is not how it does today."""

    name: str
    then: Callable[[float], str]
    now: Callable[[float], str] | None = None
    """Today's, where it can be foretold."""


PRINTERS = {
    "RapidJSON": Printer(
        "the older bound in RapidJSON's printer",
        partial(printed, bound=BOUND_2016),
        partial(printed, bound=BOUND_NOW),
    ),
    "Jansson": Printer("the 17 digits of Jansson before version 2.15", with_17_digits),
}


class Difference(msgspec.Struct, kw_only=True, frozen=True):
    """A published row, ours, and what is known around them."""

    published: Published
    record: RowRecord
    dataset: DatasetRecord
    written: bytes
    """Our writer's output; empty where there is none."""

    @property
    def proved(self) -> bool:
        """Whether our row passed the gate with every value exact."""
        return self.record.status == "ok" and self.record.exact_hash == self.dataset.exact_hash

    @property
    def printed_then(self) -> bytes:
        """Our writer's output with its doubles printed as in 2016; as it is where nobody knows how."""
        printer = PRINTERS.get(self.published.library)
        if printer is None or (printer.now and reprinted(self.written, printer.now) != self.written):
            return self.written
        return reprinted(self.written, printer.then)

    @property
    def versions(self) -> tuple[str, str]:
        """The published version and ours, without a leading v."""
        return self.published.version.removeprefix("v"), self.record.library_version.removeprefix("v")


def reason_for(difference: Difference) -> str | None:
    """Return why the hashes differ, as a sentence; None if no reason can be proved."""
    reasons = [_no_order, _was_wrong]
    if difference.written and difference.record.status == "ok":
        reasons += [_closing_zero, _signed_types, _printing]
    return next((found for reason in reasons if (found := reason(difference)) is not None), None)


def _no_order(difference: Difference) -> str | None:
    """The published library kept no order, and ours does: the hash is that of its variant that did."""
    published = difference.published
    same = ("source", "dataset", "test", "library")
    alike = [row for row in published_rows() if all(getattr(row, n) == getattr(published, n) for n in same)]
    plain = sorted({row.hash for row in alike if row.variant == published.variant})
    others = [row for row in alike if row.variant != published.variant]
    ours = {difference.record.hash: ""}
    if published.library in PRINTERS:
        name = f", with {PRINTERS[published.library].name}"
        ours = {string_hash(difference.printed_then): name} | ours
    variants = [f"[{row.variant}]{ours[row.hash]}" for row in others if row.hash in ours]
    then, now = difference.versions
    if len(plain) < 2 or not variants or then == now or not difference.proved:
        return None
    return (
        f"version {then} wrote and read maps in no lasting order, so that each platform published another "
        f"hash ({', '.join(plain)}); version {now} gives that of {variants[0]}"
    )


def _was_wrong(difference: Difference) -> str | None:
    """A published reader's hash that is not the data's: nobody can reproduce it rightly."""
    published, record = difference.published, difference.record
    right, ok = object_hash(published.dataset), record.status == "ok"
    if published.test == "write" or published.hash == right or record.status == "unsupported":
        return None
    if ok and record.hash != right:
        return None
    here = "it is right here" if ok else f"it is refused here: {record.reason}"
    return f"the published reader had not read the data, whose hash is {right}; {here}"


def _closing_zero(difference: Difference) -> str | None:
    """The published output counted the zero byte that ends a string in C."""
    if string_hash(difference.written + b"\0") != difference.published.hash:
        return None
    return (
        f"the published output has a zero byte behind its end, at byte {len(difference.written):,}; with "
        f"that byte ours has the published hash {difference.published.hash}"
    )


def _signed_types(difference: Difference) -> str | None:
    """With another type for the numbers that were held as signed, our output becomes the published one."""
    size, types = size_of(difference.dataset.name), TYPES.get(difference.record.format)
    if size is None or types is None:
        return None
    then, places = with_signed_types(difference.written, integers(size), types)
    if string_hash(then) != difference.published.hash:
        return None
    return (
        f"{len(places):,} integers that are not negative were of a signed kind in the published program, and "
        f"a tape knows no such kind: their types differ, first at byte {places[0]:,}, {types.natural:02x} "
        f"where {types.signed:02x} was. With those types our output has the published hash "
        f"{difference.published.hash}"
    )


def _printing(difference: Difference) -> str | None:
    """Other digits of the same doubles: printed as they were then, our output becomes the published one."""
    published, written, then = difference.published, difference.written, difference.printed_then
    if written == then or not difference.proved or string_hash(then) != published.hash:
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
        f"{PRINTERS[published.library].name} our output has the published hash {published.hash}"
    )


def _first_difference(a: bytes, b: bytes) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
