"""The canonical encodings of a dataset side by side, and what general compressors make of them."""

from serbench import text
from serbench.datasets.records import DatasetRecord, Encoding
from serbench.report.document import Column, Paragraph, Section, Table, TableRow
from serbench.report.view import per_message
from serbench.results.schema import Run

REFERENCE = "json"
"""The format that others are a part of: JSON without white space."""


def share(size: int | None, whole: int | None) -> float | None:
    """Return `size` as a part of `whole`; None where one of them is not known."""
    return size / whole if size is not None and whole else None


def shown_share(part: float | None) -> str:
    """Return a part such as 0.323 with three decimals."""
    return text.NONE if part is None else f"{part:.3f}"


OF_JSON = Column("of JSON", align="right", show=shown_share)


def duration(time_ns: float | None) -> str:
    """Return a time in the unit in which it reads best."""
    if time_ns is None:
        return text.NONE
    unit, scale = text.unit_for([time_ns])
    return f"{text.significant(time_ns / scale, 3)} {unit}"


def compressors(dataset: DatasetRecord) -> list[str]:
    """Return the compressors that some encoding of `dataset` went through, by name."""
    return sorted({name for encoding in dataset.encodings.values() for name in encoding.compressed})


def encodings_table(dataset: DatasetRecord, detailed: bool) -> Table:
    """Return the encodings of `dataset`, the smallest first; `detailed` has hashes and what there is not."""
    whole = dataset.encodings[REFERENCE].bytes if REFERENCE in dataset.encodings else None
    names = compressors(dataset)
    columns = [Column("format"), Column("bytes", align="right"), *([OF_JSON] if whole else [])]
    columns += [Column("hash")] if detailed else []
    for name in names:
        columns += [Column(name, align="right"), Column("time", align="right", show=duration)]
    table = Table(columns)
    for name, encoding in sorted(dataset.encodings.items(), key=_by_size):
        if encoding.bytes is None and not detailed:
            continue
        cells: list[object] = [name, _shared(encoding.bytes, dataset)]
        cells += [share(encoding.bytes, whole)] if whole else []
        cells += [encoding.hash or encoding.reason] if detailed else []
        for compressor in names:
            found = encoding.compressed.get(compressor)
            cells += [
                _shared(found.bytes if found else None, dataset),
                found.nanoseconds / dataset.messages if found else None,
            ]
        table.rows.append(TableRow(cells))
    return table


def _by_size(pair: tuple[str, Encoding]) -> tuple[bool, int, str]:
    return pair[1].bytes is None, pair[1].bytes or 0, pair[0]


def _shared(number: int | None, dataset: DatasetRecord) -> float | None:
    """Return what a message has of a number of bytes."""
    return number if number is None or dataset.messages == 1 else number / dataset.messages


def data_section(dataset: DatasetRecord) -> Section:
    """Return what is known of a dataset, with all its encodings."""
    facts = (
        f"{text.count(dataset.nodes)} nodes, depth {text.count(dataset.depth)}, content hash "
        f"{dataset.content_hash}, exact hash {dataset.exact_hash}."
    )
    title = f"Data: {dataset.name}{per_message(dataset.messages)}"
    return Section(title, [Paragraph(facts), encodings_table(dataset, detailed=True)], level=3)


def encodings(run: Run) -> list[Section]:
    """Return the tables of the datasets of `run` that have compressed encodings."""
    said = "Bytes of the canonical encodings, and after compression in memory with the time of that."
    of_json = "of JSON: bytes as a part of those of JSON without white space."
    return [
        Section(
            f"encodings · {dataset.name}{per_message(dataset.messages)}",
            [
                encodings_table(dataset, detailed=False),
                Paragraph(said, "dim"),
                *([Paragraph(of_json, "dim")] if REFERENCE in dataset.encodings else []),
            ],
        )
        for dataset in run.datasets
        if compressors(dataset)
    ]
