"""A run as the 2016 suite's results.csv, from which its own tools make its tables."""

import csv
import io

from serbench.kinds.conformance2016.facts import BASELINES, PROGRAMS, size_of
from serbench.kinds.conformance2016.times import FIXED
from serbench.measure.records import Sample
from serbench.measure.short_runs import short_run_means
from serbench.report.export import csv_field
from serbench.results.analysis import RowSummary, analyse
from serbench.results.schema import Run
from serbench.text import NONE


def published_csv(runs: list[Run]) -> str:
    """Return a line for each of the seven short runs of every row of `runs`; no header, as the suite has
    none.

    The columns are name, language, version, file, format, size (1 to 5), microseconds (the whole time),
    binary size, size-optimized (0 or 1) and hash. The file is the contender's folder. The binary size is
    our code size, from which the baseline's is subtracted already, so a baseline has 0. Rows on data that
    the suite had not are left out; of a row under several compilers or allocators there is only the first.
    Where the suite's fixed block was not measured, the ordinary baseline stands in its place.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    for run in runs:
        samples: dict[int, list[Sample]] = {}
        for sample in run.samples:
            samples.setdefault(sample.row, []).append(sample)
        for row in _first_of_each(analyse(run)):
            texts = [
                _program(row),
                row.record.language_name,
                row.record.library_version,
                row.record.contender_id,
                row.record.format_name,
            ]
            for mean in short_run_means(samples.get(row.result.id, [])):
                figures = [
                    size_of(row.record.dataset),
                    round(mean / 1e3, 6),
                    row.result.code_size or 0,
                    int(row.record.profile == "size"),
                ]
                writer.writerow([_field(part) for part in texts] + figures + [_field(row.record.hash)])
    return out.getvalue()


def _field(content: str) -> str:
    """Return a text that is no formula. A dash alone stays as the suite has it."""
    return content if content == NONE else csv_field(content)


def _first_of_each(rows: list[RowSummary]) -> list[RowSummary]:
    """Return the rows that belong into the file, in their order."""
    fixed = {
        row.group
        for row in rows
        if row.record.role == "baseline" and row.record.variant == FIXED and row.measured
    }
    wanted = [
        row
        for row in rows
        if row.measured
        and size_of(row.record.dataset) is not None
        and _program(row)
        and (row.record.role != "baseline" or bool(row.record.variant) == (row.group in fixed))
    ]
    first: dict[tuple[str, str, str], int] = {}
    for row in sorted(wanted, key=lambda row: row.result.id):
        first.setdefault((row.record.row, row.record.dataset, row.record.profile), row.result.id)
    return [row for row in wanted if row.result.id in first.values()]


def _program(row: RowSummary) -> str:
    """Return the suite's name of a row's program, or one in its manner; empty for what it had not."""
    if row.record.role == "baseline":
        return BASELINES.get(row.record.test, "") if row.record.variant in ("", FIXED) else ""
    if row.record.role != "contender":
        return ""
    name = row.record.row
    return PROGRAMS.get(name, name.replace("/", "-").replace(":", "-"))
