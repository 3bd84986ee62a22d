"""What a row loses of the data, as its labels say it."""

import msgspec

from serbench.results.schema import RowRecord, Run


def loss_labels(row: RowRecord) -> list[str]:
    """Return a label for each kind of loss that the proof measured."""
    labels: list[str] = []
    stated = any(label.startswith("changes doubles") for label in row.labels)
    if row.doubles is not None and row.doubles.changed > 0 and not stated:
        labels.append(f"changes doubles, by up to {row.doubles.max_relative:.1e} (relative)")
    if row.losses is not None and row.losses.integers:
        labels.append(f"changes {row.losses.integers:,} integers beyond 2^53")
    if row.losses is not None and row.losses.negative_zeros:
        labels.append("loses the sign of -0")
    if row.losses is not None and row.losses.keys_moved:
        labels.append("loses the order of keys")
    return labels


def keeps_all(row: RowRecord) -> bool:
    """Whether nothing of the data is lost: each value, to the last bit, in the order of the document."""
    return row.losses is None and (row.doubles is None or row.doubles.changed == 0)


def exact_part(run: Run) -> Run:
    """Return the run without the rows of contenders that lose something; it is summarised anew."""
    left_out = {row.id for row in run.rows if row.role == "contender" and not keeps_all(row)}
    return msgspec.structs.replace(
        run,
        rows=[row for row in run.rows if row.id not in left_out],
        samples=[sample for sample in run.samples if sample.row not in left_out],
        failures=[failure for failure in run.failures if failure.row not in left_out],
        summary=None,
    )
