"""The canonical encodings of a dataset side by side, and what general compressors make of them."""

from dataclasses import dataclass

from serbench.datasets.records import DatasetRecord, Encoding
from serbench.report import text
from serbench.report.view import per_message
from serbench.results.schema import Run


@dataclass
class Encodings:
    """A table as strings; the first column is the format, the others are figures."""

    title: str
    headers: list[str]
    rows: list[list[str]]
    caption: list[str]


REFERENCE = "json"
"""The format that others are a part of: JSON without white space."""
OF_JSON = "of JSON"
SAYS_OF_JSON = f"{OF_JSON}: bytes as a part of those of JSON without white space."


def part_of(size: int | None, whole: int | None) -> float | None:
    """Return `size` as a part of `whole`; None where one of them is not known."""
    return size / whole if size is not None and whole else None


def part(share: float | None) -> str:
    """Return a part such as 0.323 with three decimals."""
    return text.NONE if share is None else f"{share:.3f}"


def of_json(dataset: DatasetRecord, encoding: Encoding) -> list[str]:
    """Return the cell with the size of `encoding` as a part of JSON's; none where `dataset` has no JSON."""
    if not has_json(dataset):
        return []
    return [part(part_of(encoding.bytes, dataset.encodings[REFERENCE].bytes))]


def has_json(dataset: DatasetRecord) -> bool:
    """Return whether sizes can be given as parts of JSON's."""
    return REFERENCE in dataset.encodings and dataset.encodings[REFERENCE].bytes is not None


def compressors(dataset: DatasetRecord) -> list[str]:
    """Return the compressors that some encoding of `dataset` went through, by name."""
    return sorted({name for encoding in dataset.encodings.values() for name in encoding.compressed})


def encodings(run: Run) -> list[Encodings]:
    """Return one table for each dataset of `run` with compressed encodings, smallest encoding first."""
    return [_table(dataset, compressors(dataset)) for dataset in run.datasets if compressors(dataset)]


def compressed_cells(encoding: Encoding, names: list[str], messages: int) -> list[str]:
    """Return bytes and time under each of the compressors `names`, per message."""
    cells = []
    for name in names:
        found = encoding.compressed.get(name)
        cells += (
            [shared_bytes(found.bytes, messages), duration(found.nanoseconds / messages)]
            if found
            else [text.NONE] * 2
        )
    return cells


def shared_bytes(number: int | None, messages: int) -> str:
    """Return what a message has of a number of bytes."""
    return text.count(number if number is None or messages == 1 else number / messages)


def duration(time_ns: float) -> str:
    """Return a time in the unit in which it reads best."""
    unit, scale = text.unit_for([time_ns])
    return f"{text.significant(time_ns / scale, 3)} {unit}"


def _table(dataset: DatasetRecord, names: list[str]) -> Encodings:
    made = [(name, encoding) for name, encoding in dataset.encodings.items() if encoding.bytes is not None]
    return Encodings(
        title=f"encodings · {dataset.name}{per_message(dataset.messages)}",
        headers=[
            *("format", "bytes", *([OF_JSON] if has_json(dataset) else [])),
            *(header for name in names for header in (name, "time")),
        ],
        rows=[
            [
                name,
                shared_bytes(encoding.bytes, dataset.messages),
                *of_json(dataset, encoding),
                *compressed_cells(encoding, names, dataset.messages),
            ]
            for name, encoding in sorted(made, key=lambda pair: (pair[1].bytes or 0, pair[0]))
        ],
        caption=[
            "Bytes of the canonical encodings, and after compression in memory with the time of that.",
            *([SAYS_OF_JSON] if has_json(dataset) else []),
        ],
    )
