"""A run as a document: briefly for a terminal, and in detail for the report beside its run file."""

import shlex
from collections.abc import Sequence
from dataclasses import replace

from serbench import text
from serbench.kinds import found
from serbench.report.counted import counted_sections
from serbench.report.document import Column, Document, Item, Legend, List, Paragraph, Section, Table, TableRow
from serbench.report.encodings import data_section, encodings
from serbench.report.groups import Reasons, group_section
from serbench.report.parts import ResultSection, TimeTables
from serbench.results.analysis import RowSummary, analyse, grouped
from serbench.results.revision import name_of
from serbench.results.schema import Run

INTERRUPTED = "INTERRUPTED: what is here is not all"


def run_document(runs: Sequence[Run], detailed: bool = False) -> Document:
    """Return the tables of all `runs`; if it is `detailed`, with all that is known of machine and data."""
    document = Document(title="Benchmark report")
    for run in runs:
        rows = analyse(run)
        document.sections += [_head(run, detailed), *_sections(run, rows, detailed)]
        document.sections.append(Section(blocks=[Legend("What the columns say")], level=3))
    return document


def _head(run: Run, detailed: bool) -> Section:
    section = Section(f"Run {run.id}")
    if detailed:
        facts = Table([Column(""), Column("")], [TableRow(fact) for fact in _facts(run)])
        section.blocks.append(facts)
    else:
        resumed = " · resumed" if len(run.periods) > 1 else ""
        state = "" if run.complete else f" · {INTERRUPTED}"
        about = (
            f"{run.started.replace('T', ' ')} · serbench {run.serbench} · {run.machine.cpu}, "
            f"{run.machine.cores} cores · {run.settings.precision}{resumed}{state}"
        )
        section.blocks.append(Paragraph(about, "dim"))
    if run.notes:
        subject = "Note" if detailed else ""
        section.blocks.append(List([Item(subject, note, mark="!") for note in run.notes]))
    for part in _results(run):
        if part.summary is not None and _is_brief(run, part, detailed):
            section.blocks.append(Paragraph(part.summary(run), "dim"))
    return section


def _results(run: Run) -> list[ResultSection]:
    """Return what kinds of run add to the report of this one."""
    return [part for part in found(ResultSection) if getattr(run, part.results)]


def _is_brief(run: Run, part: ResultSection, detailed: bool) -> bool:
    """Tell whether a sentence is enough: there are rows, or a section that has no sentence."""
    mainly = run.rows or any(each.summary is None for each in _results(run))
    return part.summary is not None and bool(mainly) and not detailed


def _sections(run: Run, rows: list[RowSummary], detailed: bool) -> list[Section]:
    """Return everything but the head: what the run measured, searched or counted."""
    if run.platforms:
        return [replace(section, level=3) for section in counted_sections(run, rows)]
    sections = [data_section(dataset) for dataset in run.datasets] if detailed else []
    others = list(found(TimeTables))
    growing = run.settings.growth and bool(others)
    for tables in others if growing or detailed else []:
        sections += tables.sections(run, rows, detailed)
    groups = grouped([] if growing else rows).items()
    reasons = None if detailed else Reasons()
    sections += [group_section(run, group, rows, reasons) for group, rows in groups]
    results = _results(run)
    sections += [c.section(run, detailed) for c in results if not _is_brief(run, c, detailed)]
    if not detailed and not growing:
        sections += encodings(run)
        if not run.rows and not results:
            sections.append(Section(blocks=[Paragraph("The run has no rows.")]))
    return sections


def _facts(run: Run) -> list[tuple[str, str]]:
    machine, asked = run.machine, run.settings
    used = run.periods[0].budget_seconds if run.periods else asked.budget_seconds
    budget = "" if used is None else f", at most {used:g} s"
    again = [period.started for period in run.periods[1:]]
    state = f"{'complete' if run.complete else INTERRUPTED}; {run.seconds:.0f} s"
    precision = (
        f"{asked.precision}: {asked.launches} to {asked.max_launches} launches{budget}, chunks of "
        f"{asked.chunk_ns / 1e6:g} ms, wanted ±{text.percent(asked.target)}"
    )
    facts = [
        ("Date", run.started),
        ("State", state + (f"; resumed {', '.join(again)}" if again else "")),
        ("serbench", ", ".join(filter(None, (run.serbench, name_of(run.revision))))),
        ("Command", shlex.join(asked.command)),
        ("System", f"{machine.system}, kernel {machine.kernel}, {machine.architecture}"),
        ("Processor", f"{machine.cpu}, {machine.cores} cores"),
        ("Memory", text.size(machine.memory_bytes)),
        ("Virtual machine", machine.virtual),
        ("Frequency governor", machine.governor),
        ("Turbo", {True: "on", False: "off", None: ""}[machine.turbo]),
        ("C library", machine.libc),
        ("Allocators", _versions(machine.allocators)),
        ("Compilers", _versions(machine.compilers)),
        ("Precision", "" if run.platforms else precision),
        ("Profile", ", ".join(dict.fromkeys(row.profile for row in run.rows)) or asked.profile),
    ]
    # What was only probed has no launches and no profile.
    untimed = {"Precision", "Profile"} if not run.rows else set()
    return [(name, value) for name, value in facts if value and name not in untimed]


def _versions(versions: dict[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
