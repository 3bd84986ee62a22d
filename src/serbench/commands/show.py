"""What commands show on the terminal: lists, verdicts, findings (not progress, not reports)."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from serbench import kinds, text
from serbench.catalog.records import Catalog
from serbench.catalog.tests import ROUNDTRIP
from serbench.commands.doctor import Finding
from serbench.platforms.load import why_absent
from serbench.platforms.records import Board, Emulated, PlatformManifest
from serbench.provision.installable import Installable
from serbench.report.document import Column, Document, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.parts import Layout
from serbench.report.relative import reference_of
from serbench.report.terminal import print_document, print_line
from serbench.results.losses import loss_labels
from serbench.results.schema import RowRecord, Run
from serbench.run.context import BuildResult
from serbench.run.proving import VerifiedDataset
from serbench.run.resume import command_for

if TYPE_CHECKING:
    from serbench.fleet.client import Present

MARKS = {
    "ok": "✓",
    "good": "✓",
    "note": "·",
    "failed": "✗",
    "bad": "✗",
    "unavailable": "–",
    "unsupported": "–",
}
MOST_NAMED = 3
"""Rows that a sentence names."""
MARK = Column("", styles={"✓": "green", "✗": "red"})
ALL = "./serbench run --all              every library and variant, not only the usual ones"
NEXT = (
    "./serbench run --data FILE.json   your own data through every contender",
    "./serbench run --full             narrower intervals",
)
INSTALLED = "installed"
SHORT = {"incremental": "incr.", "serialize": "ser."}
NAME, WHAT = Column("name"), Column("what", least=20)
STATE = Column("state", least=24, styles={INSTALLED: "green"})


def _print(console: Console, *sections: Section) -> None:
    print_document(Document(list(sections)), console)


def contenders(console: Console, catalog: Catalog, ready: dict[str, BuildResult]) -> None:
    """One line per contender: its tests and variants, and whether it is ready."""
    columns = [MARK, *(Column(name) for name in ("contender", "format", "tests"))]
    table = Table([*columns, Column("origin, or why it is not ready", least=30)])
    by_contender: dict[str, list[BuildResult]] = {}
    for item in ready.values():
        by_contender.setdefault(item.row.contender.id, []).append(item)
    for contender_id, items in by_contender.items():
        bad = next((item for item in items if item.status != "ok"), None)
        provided = items[0].provided
        if bad:
            says = f"{'not built' if bad.status == 'failed' else 'unavailable'}: {bad.reason}"
        else:
            says = provided.origin if provided and provided.origin else "built in"
            if provided and provided.skipped_sources:
                says += f", since: {'; '.join(provided.skipped_sources)}"
        variants = len({item.row.variant for item in items} - {""})
        tests = " ".join(SHORT.get(test, test) for test in catalog.contenders[contender_id].manifest.tests)
        known = catalog.formats.get(catalog.contenders[contender_id].manifest.format)
        cells = [contender_id, known.name if known else "-", tests + (f" +{variants}" if variants else "")]
        table.rows.append(TableRow([MARKS[bad.status if bad else "ok"], *cells, says]))
    for name, reason in catalog.broken.items():
        table.rows.append(TableRow([MARKS["failed"], name, "", "", f"bad manifest: {reason}"]))
    says = "incr.: incremental; ser.: serialize; +N: variants, each with rows of its own"
    _print(console, Section(blocks=[table, Paragraph(says, "dim")]))


def verdicts(console: Console, proven: Sequence[VerifiedDataset]) -> bool:
    """Print a table per dataset: a line a row, and each reason once below. Return whether a row failed."""
    columns = [
        MARK,
        Column("row", least=24, fit=text.clipped),
        Column("bytes", align="right"),
        Column("hash"),
    ]
    columns += [
        Column("read back by", priority=2, least=12, fit=text.clipped),
        Column("why", priority=1, least=3),
    ]
    sections = []
    for item in proven:
        facts = item.dataset.facts
        title = f"{item.dataset.name}: content_hash {facts.content_hash}, exact_hash {facts.exact_hash}"
        table, sharing = Table(columns, compact=True), dict[str, list[str]]()
        for record, ready, _ in item.rows:
            says = _reasons(record)
            for reason in says:
                sharing.setdefault(reason, []).append(record.row)
            marks = ",".join(str(list(sharing).index(reason) + 1) for reason in says)
            reader = record.verified_by if record.status == "ok" and ready.row.kind.writes else ""
            size = "" if record.bytes is None else record.bytes
            table.rows.append(TableRow([MARKS[record.status], record.row, size, record.hash, reader, marks]))
        why = [
            Item("", f"{says} ({_some(rows)})", str(n)) for n, (says, rows) in enumerate(sharing.items(), 1)
        ]
        sections.append(Section(title, [table, *([List(why, "Why")] if why else [])]))
    _print(console, *sections)
    return any(record.status == "failed" for item in proven for record, _, _ in item.rows)


def _reasons(record: RowRecord) -> list[str]:
    """Return why a row is not proved, or what it loses of the data."""
    if record.status == "ok":
        return loss_labels(record)
    return [record.reason if record.status == "failed" else f"{record.status}: {record.reason}"]


def _some(rows: Sequence[str]) -> str:
    """Return the first of `rows` in words, and how many more there are."""
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    return f"{', '.join(rows[:MOST_NAMED])}{more}"


def parts(console: Console, known: Mapping[str, Sequence[Installable]]) -> None:
    """The parts of the set-up by name: what each is, the megabytes to download, whether it is installed."""
    rows = []
    for name, things in known.items():
        present = all(thing.is_present() for thing in things if not thing.optional)
        size = sum(thing.download_mb for thing in things)
        rows.append(
            TableRow([name, things[0].title, size, INSTALLED if present else f"./serbench setup {name}"])
        )
    columns = [NAME, WHAT, Column("MB", align="right"), STATE]
    _print(console, Section(blocks=[Table(columns, rows)]))


def platforms(console: Console, found: Iterable[PlatformManifest]) -> None:
    """The platforms, and whether the tools of each are installed, or why only a real board fills its rows."""

    def state(platform: PlatformManifest) -> str:
        if isinstance(platform, Board):
            return f"board only: {platform.reason}"
        return (why_absent(platform) if isinstance(platform, Emulated) else "") or INSTALLED

    rows = [TableRow([each.name, each.title, state(each)]) for each in found]
    _print(console, Section(blocks=[Table([NAME, WHAT, STATE], rows)]))


def findings(console: Console, found: Sequence[Finding]) -> None:
    """One line per finding."""
    columns = [MARK, Column("what"), Column("found", least=24)]
    rows = [TableRow([MARKS[finding.state], finding.what, finding.says]) for finding in found]
    _print(console, Section(blocks=[Table(columns, rows)]))


def places(console: Console, file: Path) -> None:
    """Where a run file and the reports beside it are."""
    print_line(console, f"Run file: {file}")
    print_line(console, f"Report:   {file.with_suffix('.md')}")
    print_line(console, f"Page:     {file.with_suffix('.html')}")


def closing(console: Console, run: Run, file: Path) -> None:
    """Print where the results are, and what one could do next."""
    console.print()
    if not run.complete and run.settings.plan is not None:
        console.print("The run was interrupted; what had been measured is kept. This measures the rest:")
        print_line(console, f"  {command_for(run, file)}")
    places(console, file)
    if any(row.platform and row.test != ROUNDTRIP and row.profile == "size" for row in run.rows):
        for layout in kinds.found(Layout):
            words = shlex.join(["./serbench", "report", str(file), "--layout", layout.name])
            print_line(console, f"As {layout.about}: {words}")
    further = [_details(file), *([] if "--all" in run.settings.command else [ALL]), *NEXT]
    for number, line in enumerate([*further, *_ratios(run, file)] if run.samples else []):
        print_line(console, f"{'      ' if number else 'Next: '}{line}")


def _details(file: Path) -> str:
    return f"./serbench report {shlex.quote(str(file))} --details   all rows, columns and notes"


def _ratios(run: Run, file: Path) -> list[str]:
    """The command that prints ratios to JSON's times, for a run that has its language's reference."""
    reference = reference_of(run)
    rows = {row.contender_id for row in run.rows if row.status == "ok" and row.role == "contender"}
    language = [name for name in rows if name.partition("/")[0] == reference.partition("/")[0]]
    if reference not in rows or len(language) < 2 or run.settings.growth:
        return []
    return [f"./serbench report {shlex.quote(str(file))} --relative-to {reference}   ratios to JSON's times"]


def fleet(console: Console, present: Sequence["Present"]) -> None:
    """The machines of a fleet: what each is, its versions, what disturbs it, and what it does now."""
    columns = [NAME, Column("processor", least=16), Column("cores", align="right")]
    columns += [Column("GB", align="right"), Column("compilers", least=16), Column("system", least=12)]
    columns += [Column("kind"), Column("pace", align="right"), Column("noise", least=12), STATE]
    kinds_of_machines = list(dict.fromkeys(one.worker.kind for one in present))
    rows = []
    for one in present:
        worker, machine = one.worker, one.worker.machine
        compilers = ", ".join(f"{name} {version}" for name, version in machine.compilers.items())
        system = f"{machine.system}, {machine.libc}, {machine.kernel}"
        memory = f"{machine.memory_bytes / 1e9:.0f}"
        kind = chr(ord("A") + kinds_of_machines.index(worker.kind) % 26)
        pace = f"{worker.pace_ns / 1e6:.2f} ms"
        state = "measures" if one.busy else "free"
        noise = "; ".join(worker.noise) or "none seen"
        about = [worker.name, machine.cpu, machine.cores, memory, compilers, system]
        rows.append(TableRow([*about, kind, pace, noise, state]))
    says = "Machines of the same kind share runs. pace: a fixed piece of work, when the machine joined."
    _print(console, Section(blocks=[Table(columns, rows), Paragraph(says, "dim")]))
