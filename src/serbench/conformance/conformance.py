"""Every hash and size that was published beside ours.

A difference must have a reason, which is found anew each time (reasons.py); without one it is `unexplained`.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from serbench.conformance.facts import (
    DATASETS,
    SUITE,
    Published,
    PublishedSize,
    checked_rows,
    object_hash,
    published_rows,
    published_sizes,
)
from serbench.conformance.reasons import Difference, reason_for
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.results.schema import RowRecord

Outcome = Literal["equal", "explained", "unavailable", "unexplained"]


class OurRow(msgspec.Struct, kw_only=True):
    """One of our rows as the gate left it."""

    record: RowRecord
    written: Path | bytes | None = None
    """A writer's output, or the file in which it stands."""


class OurDataset(msgspec.Struct, kw_only=True):
    """A dataset that the gate has seen, `generated:2` or `generated:4`, with all rows."""

    record: DatasetRecord
    rows: list[OurRow]
    encodings: dict[str, Encoding] = {}
    """Encodings that are not in the record, such as `json-pretty`."""


class Finding(msgspec.Struct, kw_only=True, frozen=True):
    """A published hash or size, and what became of it."""

    source: str
    """Who published it: `2016 suite` or `Zig fork`."""
    dataset: str
    """small or large."""
    what: str
    """write, tree or incremental; `data` for the hash of the dataset itself; `bytes` for a size."""
    name: str
    """As published: the library with its variant, or the encoding."""
    version: str = ""
    row: str = ""
    """The id of our row."""
    published: str
    ours: str
    outcome: Outcome
    reason: str = ""


def conformance(datasets: Iterable[OurDataset]) -> list[Finding]:
    """Return a finding for everything published about `datasets`: hashes of the data, of all rows, and sizes.

    Of each dataset all rows of the catalog are expected, whatever their status; a row or an encoding that
    is not there at all is unexplained, as is a dataset of `DATASETS` that is missing.
    """
    known = {dataset.record.name: dataset for dataset in datasets}
    findings: list[Finding] = []
    for name, ours in DATASETS.items():
        dataset = known.get(ours)
        if dataset is None:
            findings.append(_data(name, object_hash(name), "", f"{ours} was not examined"))
            continue
        findings.append(_data(name, object_hash(name), dataset.record.content_hash))
        findings += [_size(size, dataset) for size in published_sizes() if size.dataset == name]
        for published in checked_rows():
            if published.dataset == name:
                findings += _row(published, dataset)
    return findings


def unexplained(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings for which a caller should exit with 1."""
    return [finding for finding in findings if finding.outcome == "unexplained"]


def _data(dataset: str, published: str, ours: str, missing: str = "") -> Finding:
    equal = published == ours
    reason = "" if equal else missing or "the generator makes other data"
    outcome: Outcome = "equal" if equal else "unexplained"
    facts = {"source": SUITE, "dataset": dataset, "what": "data", "name": "the data itself"}
    return Finding(**facts, published=published, ours=ours, outcome=outcome, reason=reason)


def _size(size: PublishedSize, dataset: OurDataset) -> Finding:
    encoding = dataset.encodings.get(size.encoding) or dataset.record.encodings.get(size.encoding)
    outcome: Outcome = "unexplained"
    if encoding is None:
        reason = f"no encoding '{size.encoding}' was asked for"
    elif encoding.bytes is None:
        outcome, reason = "unavailable", encoding.reason
    elif encoding.bytes == size.bytes:
        outcome, reason = "equal", ""
    else:
        reason = f"{encoding.bytes - size.bytes:+d} bytes"
    ours = str(encoding.bytes) if encoding and encoding.bytes is not None else ""
    facts = {"source": SUITE, "dataset": size.dataset, "what": "bytes", "name": size.name}
    return Finding(**facts, published=str(size.bytes), ours=ours, outcome=outcome, reason=reason)


def _row(published: Published, dataset: OurDataset) -> list[Finding]:
    """Return a finding for each of our rows with the published one's id: several under several compilers."""
    found = [row for row in dataset.rows if row.record.row == published.row]
    if not found:
        return [_finding(published, "", "unexplained", f"there is no row {published.row}")]
    return list(dict.fromkeys(_judged(published, row, dataset) for row in found))


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
    reason = reason_for(
        Difference(
            published=published,
            alike=_alike(published),
            right=object_hash(published.dataset),
            record=record,
            dataset=dataset.record,
            written=_content(row.written),
        )
    )
    if reason is not None:
        return _finding(published, record.hash, "explained", reason)
    said = f"{record.status}: {record.reason}"
    if record.status == "ok":
        # A version says nothing of which bytes differ, so it is a hint and no reason.
        then, now = published.version.removeprefix("v"), record.library_version.removeprefix("v")
        newer = f" (version {now} where {then} was published)" if now and then != now else ""
        said = f"the hashes differ, for no known reason{newer}"
    return _finding(published, record.hash, "unexplained", said)


def _alike(published: Published) -> Sequence[Published]:
    """Return what was published of the same test, data and library, whatever platform and variant."""
    return [
        row
        for row in published_rows()
        if (row.source, row.dataset, row.test, row.library)
        == (published.source, published.dataset, published.test, published.library)
    ]


def _content(written: Path | bytes | None) -> bytes | None:
    try:
        return written.read_bytes() if isinstance(written, Path) else written
    except OSError:
        return None
