"""What a run counted on an emulated Linux: the ordinary rows with instructions in the place of times."""

from collections.abc import Iterator, Sequence

from serbench.report.document import Column, Legend, Paragraph, Row, Section, Table
from serbench.report.view import notes_of, per_message, why
from serbench.results.analysis import Group, RowSummary, analyse
from serbench.results.schema import Platform, Run

COLUMNS = (
    Column("contender", priority=10, least=18, most=30),
    Column("version", priority=30),
    Column("format"),
    Column("net", align="right", says="the instructions less those of the baseline of the test."),
    Column(
        "instructions",
        align="right",
        says="those of one iteration, those of the C library included, counted while QEMU ran the program. "
        "They are counts of the instruction set and no times: caches, the pipeline and the memory of a real "
        "processor are not in them (METHOD.md).",
    ),
    Column("× base", align="right", priority=20, says="the instructions as a multiple of the baseline's."),
    Column("bytes", align="right"),
    Column(
        "code size",
        align="right",
        says="text and data of the statically linked program less those of the baseline's.",
    ),
)


def counted_sections(run: Run) -> Iterator[Section]:
    """Everything that is said of the rows of the run's platforms, with the fewest instructions first.

    In the profile `size` a table begins with the smallest code.
    """
    rows = analyse(run)
    for platform in run.platforms:
        own = [row for row in rows if row.platform == platform.name]
        shared = _shared(own)
        section = Section(f"{platform.name}: {platform.title}")
        section.blocks += [Paragraph(sentence) for sentence in [*_about(platform), *shared]]
        groups: dict[Group, list[RowSummary]] = {}
        for row in own:
            groups.setdefault(row.group, []).append(row)
        for group, members in groups.items():
            table = _table(group, members, shared)
            section.blocks += [table] if table.rows else [table, Paragraph("No row was counted.")]
        section.blocks += [Paragraph(sentence) for sentence in _without(own)]
        section.blocks.append(Legend())
        yield section


def _about(platform: Platform) -> list[str]:
    return [
        f"Stands for: {', '.join(platform.stands_for)}. {platform.compiler}, {platform.flags}. "
        f"{platform.emulator}."
    ]


def _shared(rows: Sequence[RowSummary]) -> list[str]:
    """The labels that all rows with figures have, as sentences."""
    counted = [row.labels for row in rows if row.instructions is not None]
    return [label for label in counted[0] if all(label in labels for labels in counted)] if counted else []


def _table(group: Group, rows: list[RowSummary], shared: Sequence[str]) -> Table:
    test, dataset, profile, _ = group
    table = Table(COLUMNS, title=f"{test} · {dataset} · {profile}{per_message(rows[0].messages)}")
    counted = [row for row in rows if row.instructions is not None]
    names = {row.id: row.name for row in rows}
    bases = {row.test: row.instructions for row in counted if row.role == "baseline" and not row.variant}
    base = bases.get(test)

    def place(row: RowSummary) -> tuple[bool, float, float, int]:
        size = float(row.code_size or 0) if profile == "size" else 0.0
        return row.role != "contender", size, row.instructions or 0.0, row.id

    for row in sorted(counted, key=place):
        whole = row.instructions or 0.0
        is_base = row.role == "baseline"
        cells = [
            names[row.id],
            row.library_version,
            "-" if is_base else row.format_name,
            None if is_base or base is None else f"{whole - base:,.0f}",
            f"{whole:,.0f}",
            None if is_base or not base else f"{whole / base:.2f}",
            row.bytes,
            row.code_size,
        ]
        table.rows.append(Row(cells, [note for note in notes_of(row, 0) if note not in shared], is_base))
    return table


def _without(rows: Sequence[RowSummary]) -> list[str]:
    """Who has no figures and why: each reason once, with the rows that share it."""
    sharing: dict[str, list[str]] = {}
    for row in rows:
        if row.instructions is None and not (row.role == "baseline" and row.variant):
            reason = row.instructions_reason if row.status == "ok" else why(row)
            where = "" if row.status == "unavailable" else f" ({row.test}, {row.dataset})"
            variant = f" {row.variant}" if row.variant and row.status != "unavailable" else ""
            sharing.setdefault(reason, []).append(f"{row.contender}{variant} [{row.format_name}]{where}")
    return [f"{', '.join(dict.fromkeys(names))}: {reason}" for reason, names in sharing.items()]
