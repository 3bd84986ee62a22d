"""Makes docs/results/TABLES.md and README's two examples from the run files in docs/results/runs.

PYTHONPATH=src .venv/bin/python -m benchmarks.published

For every run file the tables have the fastest library of each language, with a schema and without, the
fastest of each format and language, and the sizes. README has the first lines of one run's answer and of its
first table, between two marks.
"""

import itertools
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from serbench import text
from serbench.catalog.records import NEEDS_SCHEMA
from serbench.catalog.tests import KINDS, Test
from serbench.files import replace_file
from serbench.project import ROOT
from serbench.publish.history.store import run_files
from serbench.publish.site.answers import Best, Languages, answers, time_of
from serbench.report.answer_table import short
from serbench.report.brief import brief_document
from serbench.report.document import Block, Column, Document, Paragraph, Section, Table, TableRow
from serbench.report.markdown import markdown_of
from serbench.report.terminal import DEFAULT_WIDTH, terminal_text
from serbench.results.answer_schema import needs_schema
from serbench.results.candidates import Candidate, GroupKey, Winner, candidates, winner
from serbench.results.load import load_run
from serbench.results.revision import name_of
from serbench.results.schema import Run
from serbench.results.summary import summary_of

RUNS = ROOT / "docs" / "results" / "runs"
TABLES = ROOT / "docs" / "results" / "TABLES.md"
README = ROOT / "README.md"
MARKS = ("<!-- examples: made by benchmarks/published.py -->", "<!-- end of examples -->")
DATASET = "corpus:citm_catalog"
"""What README's examples are about: what a run measures in which the user names nothing."""
LINES = 10
"""Lines of each example in README."""
TESTS: tuple[Test, ...] = ("write", "tree")


def published_runs(folder: Path = RUNS) -> list[Run]:
    """Return the runs of `folder`, by their files' names."""
    return [load_run(path) for path in run_files(folder)]


def about(run: Run) -> str:
    """Return how a run was made, in words."""
    machine = run.machine
    virtual = f" in a virtual machine ({machine.virtual})" if machine.virtual else ""
    command = shlex.join(["./serbench", *run.settings.command])
    return (
        f"Measured on {run.started[:10]}, {machine.cores} cores of {machine.cpu}{virtual}, {machine.system}, "
        f"with serbench {run.serbench}, {name_of(run.revision)}: {command}"
    )


def tables(runs: Sequence[Run]) -> str:
    """Return the tables of `runs` as Markdown."""
    says = (
        "Net time of the fastest library of each language, and of each format and language, ± half the 95 % "
        "interval, and bytes of each format. With a schema, code is generated from the data's types. A "
        "library that may be as fast is named as tied. Times of two sections never meet: each is a run "
        "of its own."
    )
    document = Document([Section(blocks=[Paragraph(says)])], title="Latest tables of the default libraries")
    for run in runs:
        found = answers(run)
        sizes: list[Block] = [found.sizes] if found.sizes else []
        blocks = [Paragraph(about(run)), by_language(run), _fastest(found.formats), *sizes]
        document.sections.append(Section(found.answer.about, blocks))
    return markdown_of(document)


def _fastest(formats: Sequence[Languages]) -> Table:
    """Return the fastest of each format and language, with what its row says of it as notes."""
    tests = list(dict.fromkeys(test for each in formats for test in each.tests))
    table = Table([Column(name) for name in ("format", "language", *tests)])
    for each in formats:
        for language, _, bests in each.rows:
            cells = dict(zip(each.tests, bests, strict=True))
            notes = [note for best in bests if best is not None for note in map(short, best.labels)]
            said = [_said(cells.get(test)) for test in tests]
            table.rows.append(TableRow([each.format, language, *said], list(dict.fromkeys(notes))))
    return table


def _said(best: Best | None) -> str:
    if best is None:
        return text.NONE
    return f"{best.library} {best.time}" + (f", {best.tied}" if best.tied else "")


def by_language(run: Run) -> Table:
    """Return the fastest library of each language on the dataset of `run`, without and with a schema."""
    summary = summary_of(run)
    groups = candidates(run, summary.rows)
    place = GroupKey(run.datasets[0].name, "speed", "")
    tests = {test: groups[place, test] for test in TESTS if (place, test) in groups}
    columns = [Column("language"), Column("schema")]
    for test in tests:
        columns += [Column(KINDS[test].fastest), Column("net", align="right")]
        columns += [Column("bytes", align="right")] if KINDS[test].writes else []
    table = Table(columns)
    for language in sorted({row.record.language_name for rows in tests.values() for row in rows}):
        for schema in (False, True):
            found = {
                test: winner([row for row in rows if _is_of(row, language, schema)])
                for test, rows in tests.items()
            }
            if any(found.values()):
                table.rows.append(_row(language, schema, found))
    return table


def readme_examples(runs: Sequence[Run]) -> str:
    """Return the first lines of the answer and of the first table, and how the run was made, as Markdown."""
    run = next(each for each in runs if [data.name for data in each.datasets] == [DATASET])
    drawn = terminal_text(brief_document(run, DEFAULT_WIDTH), DEFAULT_WIDTH).splitlines()
    parts = [
        _lines(drawn, "Answer for "),
        "The run file of this example is in the repository. Its tables, without measuring anything:",
        f"    ./serbench report docs/results/runs/{run.id}.json.zst",
        _lines(drawn, f"{TESTS[0]} · "),
        f"*{about(run)}*",
    ]
    return "\n\n".join(parts) + "\n"


def _lines(drawn: Sequence[str], title: str) -> str:
    """Return the first LINES of what a terminal shows below `title`, as code in Markdown."""
    start = next((number for number, line in enumerate(drawn) if line.startswith(title)), len(drawn))
    block = [*itertools.takewhile(bool, drawn[start:])]
    more = ["..."] if len(block) > LINES else []
    return "\n".join(f"    {line}" for line in [*block[:LINES], *more])


def _is_of(row: Candidate, language: str, schema: bool) -> bool:
    return row.record.language_name == language and needs_schema(row) == schema


def _row(language: str, schema: bool, found: Mapping[Test, Winner | None]) -> TableRow:
    cells: list[object] = [language, "yes" if schema else "no"]
    notes: dict[str, None] = {}
    for test, each in found.items():
        bytes_ = each.best.record.bytes if each else None
        if each is None:
            cells += [None, None]
        else:
            best = each.best
            others = len({row.record.contender_id for row in each.ties} - {best.record.contender_id})
            tied = f" (tied with {others} more)" if others else ""
            cells += [f"{best.result.name}, {best.record.format_name}{tied}", time_of(best)]
            notes |= dict.fromkeys(short(label) for label in best.result.labels if label != NEEDS_SCHEMA)
        cells += [bytes_] if KINDS[test].writes else []
    return TableRow(cells, list(notes))


def with_examples(readme: str, examples: str) -> str:
    """Return `readme` with `examples` between its marks."""
    before, rest = readme.split(MARKS[0])
    _, after = rest.split(MARKS[1])
    return f"{before}{MARKS[0]}\n\n{examples}\n{MARKS[1]}{after}"


def main() -> None:
    """Write both."""
    runs = published_runs()
    replace_file(TABLES, tables(runs).encode())
    replace_file(README, with_examples(README.read_text("utf-8"), readme_examples(runs)).encode())


if __name__ == "__main__":
    main()
