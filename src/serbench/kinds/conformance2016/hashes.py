"""Every hash and size that was published beside ours.

A difference must have a reason, which is found anew each time (reasons.py); without one it is `unexplained`.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from serbench.datasets.records import DatasetRecord, Encoding
from serbench.kinds.conformance2016.facts import (
    DATASETS,
    SUITE,
    Published,
    PublishedSize,
    checked_rows,
    object_hash,
    published_sizes,
)
from serbench.kinds.conformance2016.reasons import Difference, reason_for
from serbench.results.schema import RowRecord

Outcome = Literal["equal", "explained", "unavailable", "unexplained"]


class OurRow(msgspec.Struct, kw_only=True):
    """One of our rows as the gate left it."""

    record: RowRecord
    written: Path | None = None
    """The file of a writer's output."""


class OurDataset(msgspec.Struct, kw_only=True):
    """A dataset that the gate has seen, `generated:2` or `generated:4`, with all rows."""

    record: DatasetRecord
    rows: list[OurRow]
    encodings: dict[str, Encoding] = {}
    """Encodings that are not in the record, such as `json-pretty`."""


class Finding(msgspec.Struct, kw_only=True, frozen=True):
    """A published hash or size, and what became of it."""

    source: str
    """The publisher: the 2016 suite, the Zig fork or the boards of 2021."""
    dataset: str
    """small or large; or the name of a document."""
    what: str
    """write, tree or incremental; `data` for the hash of the dataset itself; `bytes` for a size."""
    name: str
    """As published: the library with its variant, or the encoding; of a document what writes it here."""
    version: str = ""
    row: str = ""
    """The id of our row."""
    published: str
    ours: str
    outcome: Outcome
    reason: str = ""


def conformance(datasets: Iterable[OurDataset]) -> list[Finding]:
    """Return a finding for everything published about `datasets`: hashes of the data, of all rows, and sizes.

    All rows of the catalog are expected for each dataset, whatever their status; a row or an encoding that
    is not there at all is unexplained, as is a dataset of `DATASETS` that is missing.
    """
    known = {dataset.record.name: dataset for dataset in datasets}
    findings: list[Finding] = []
    for name, ours in DATASETS.items():
        dataset = known.get(ours)
        if dataset is None:
            findings.append(_data(name, "", f"{ours} was not examined"))
            continue
        findings.append(_data(name, dataset.record.content_hash, "the generator makes other data"))
        findings += [_size(size, dataset) for size in published_sizes() if size.dataset == name]
        for published in checked_rows():
            if published.dataset == name:
                findings += _row(published, dataset)
    return findings


def unexplained(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings for which a caller should exit with 1."""
    return [finding for finding in findings if finding.outcome == "unexplained"]


def _data(dataset: str, ours: str, otherwise: str) -> Finding:
    published = object_hash(dataset)
    return _of_suite(dataset, "data", "the data itself", published, ours, otherwise)


def _size(size: PublishedSize, dataset: OurDataset) -> Finding:
    encoding = dataset.encodings.get(size.encoding) or dataset.record.encodings.get(size.encoding)
    facts = (size.dataset, "bytes", size.name, str(size.bytes))
    if encoding is None:
        return _of_suite(*facts, "", f"no encoding '{size.encoding}' was asked for")
    if encoding.bytes is None:
        return _of_suite(*facts, "", encoding.reason, "unavailable")
    return _of_suite(*facts, str(encoding.bytes), f"{encoding.bytes - size.bytes:+d} bytes")


def _of_suite(
    dataset: str,
    what: str,
    name: str,
    published: str,
    ours: str,
    reason: str,
    outcome: Outcome = "unexplained",
) -> Finding:
    """Return what became of a figure of the data; `outcome` and `reason` are of one that is not equal."""
    if published == ours:
        outcome, reason = "equal", ""
    return Finding(
        source=SUITE,
        dataset=dataset,
        what=what,
        name=name,
        published=published,
        ours=ours,
        outcome=outcome,
        reason=reason,
    )


def _row(published: Published, dataset: OurDataset) -> list[Finding]:
    """Return a finding for each of our rows with the published one's id: several under several compilers."""
    found = [_judged(published, row, dataset) for row in dataset.rows if row.record.row == published.row]
    missing = _finding(published, "", "unexplained", f"there is no row {published.row}")
    return list(dict.fromkeys(found or [missing]))


def _finding(published: Published, ours: str, outcome: Outcome, reason: str = "") -> Finding:
    same = {name: getattr(published, name) for name in ("source", "dataset", "name", "version", "row")}
    known = {"what": published.test, "published": published.hash}
    return Finding(**same, **known, ours=ours, outcome=outcome, reason=reason)


def _judged(published: Published, row: OurRow, dataset: OurDataset) -> Finding:
    record = row.record
    if record.status == "unavailable":
        return _finding(published, "", "unavailable", record.reason)
    if record.status == "ok" and record.hash == published.hash:
        return _finding(published, record.hash, "equal")
    known = Difference(
        published=published, record=record, dataset=dataset.record, written=_content(row.written)
    )
    reason = reason_for(known)
    if reason is not None:
        return _finding(published, record.hash, "explained", reason)
    said = f"{record.status}: {record.reason}"
    if record.status == "ok":
        # A version says nothing of which bytes differ, so it is a hint and no reason.
        then, now = known.versions
        newer = f" (version {now} where {then} was published)" if now and then != now else ""
        said = f"the hashes differ, for no known reason{newer}"
    return _finding(published, record.hash, "unexplained", said)


def _content(written: Path | None) -> bytes:
    try:
        return written.read_bytes() if written else b""
    except OSError:
        return b""
