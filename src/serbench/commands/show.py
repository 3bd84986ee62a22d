"""What commands show on the terminal besides progress and reports: lists, verdicts, findings."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from serbench.catalog.records import Catalog, Contender, Limits
from serbench.commands.doctor import Finding
from serbench.platforms.load import why_absent
from serbench.platforms.records import Board, Emulated, Found
from serbench.report.growth import REFERENCE
from serbench.report.markdown import escaped
from serbench.report.text import visible
from serbench.results.schema import Run
from serbench.run.context import BuildResult
from serbench.run.proving import VerifiedDataset
from serbench.run.resume import command_for

MARKS = {
    "ok": "✓",
    "good": "✓",
    "note": "·",
    "failed": "✗",
    "bad": "✗",
    "unavailable": "–",
    "unsupported": "–",
}
LANGUAGE = REFERENCE.partition("/")[0]
NEXT = (
    "./serbench run --data FILE.json   your own data through every contender",
    "./serbench run --full             narrower intervals",
    "./serbench new c NAME             a contender of your own",
)
DETAILS_HEAD = (
    "What each of them calls, and why that is the natural way for data of unknown type, as its manifest "
    "says; labels and limits besides: `./serbench list --details`. This page is made by "
    "`./serbench list --details --format markdown`."
)
STYLES = {"ok": "green", "good": "green", "failed": "red", "bad": "red"}


_LEAST_ORIGIN = 30
"""Columns for the origin of a contender, below which it has lines of its own."""


def _mark(status: str) -> Text:
    return Text(MARKS[status], style=STYLES.get(status, ""))


_WIDE = ("row", "found", "encoder", "read back by, or reason", "origin, or why it is not ready")


def grid(*titles: str) -> Table:
    """An empty table with these columns, of which those with sentences may wrap."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in titles:
        table.add_column(title, overflow="fold", no_wrap=title not in _WIDE)
    return table


def contenders(console: Console, catalog: Catalog, ready: dict[str, BuildResult]) -> None:
    """One line per contender: its tests and variants, and whether it is ready; two at a narrow terminal."""
    lines: list[tuple[Text, ...]] = []
    by_contender: dict[str, list[BuildResult]] = {}
    for item in ready.values():
        by_contender.setdefault(item.row.contender.id, []).append(item)
    for contender_id, items in by_contender.items():
        contender = catalog.contenders[contender_id]
        bad = next((item for item in items if item.status != "ok"), None)
        provided = items[0].provided
        says = bad.reason if bad else (provided.origin if provided and provided.origin else "built in")
        if provided and provided.skipped_sources and not bad:
            says += f", since: {'; '.join(provided.skipped_sources)}"
        if bad:
            says = f"{'not built' if bad.status == 'failed' else 'unavailable'}: {says}"
        variants = len({item.row.variant for item in items} - {""})
        tests = " ".join(
            "incr." if t == "incremental" else t for t in dict.fromkeys(i.row.test for i in items)
        )
        stated = catalog.formats.get(contender.manifest.format)
        told = [
            contender_id,
            stated.name if stated else "-",
            tests + (f" +{variants}" if variants else ""),
            visible(says),
        ]
        lines.append((_mark(bad.status if bad else "ok"), *map(Text, told)))
    for name, reason in catalog.broken.items():
        lines.append((_mark("failed"), Text(name), Text(), Text(), Text(visible(f"bad manifest: {reason}"))))
    _print_contenders(console, lines)
    console.print(Text("incr.: incremental; +N: variants, each with rows of its own", style="dim"))


def _print_contenders(console: Console, lines: Sequence[tuple[Text, ...]]) -> None:
    """Print a table, or below each contender its origin, where a column would leave no room for that."""
    taken = sum(max(text.cell_len for text in column) + 2 for column in list(zip(*lines, strict=True))[:-1])
    if console.width < taken + _LEAST_ORIGIN:
        for *start, says in lines:
            console.print(Text("  ").join(text for text in start if text))
            console.print(Padding(says, (0, 0, 0, 3)), style="dim")
        return
    table = grid("", "contender", "format", "tests", "origin, or why it is not ready")
    for line in lines:
        table.add_row(*line)
    console.print(table)


def details(console: Console, contenders: Iterable[Contender]) -> None:
    """Of every contender: which calls it makes and why, its labels, its variants, its limits."""
    for contender in contenders:
        manifest = contender.manifest
        if manifest.role != "contender":
            continue
        console.print(
            Text(f"{contender.id}: {manifest.name}, {manifest.license}, {manifest.homepage}", "bold")
        )
        lines = [
            ("calls", manifest.api),
            ("left out", manifest.left_out),
            ("labels", "; ".join(manifest.labels)),
        ]
        lines += [(f"labels, {test}", "; ".join(labels)) for test, labels in manifest.test_labels.items()]
        lines += [
            (f"variant {name}", "; ".join([", ".join(v.tests), *v.labels]))
            for name, v in manifest.variants.items()
        ]
        lines += [("limits", _limits(manifest.limits))]
        lines += [(f"limits, {test}", _limits(limits)) for test, limits in manifest.test_limits.items()]
        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(overflow="fold")
        for name, value in lines:
            if value:
                table.add_row(Text(f"  {name}"), Text(visible(value)))
        console.print(table)


def details_markdown(catalog: Catalog, contenders: Iterable[Contender]) -> str:
    """Return as Markdown which calls every contender makes and why, and which it leaves out: by language."""
    lines = ["# The contenders", "", DETAILS_HEAD]
    chosen = [contender for contender in contenders if contender.manifest.role == "contender"]
    shown = {id_: name for harness in catalog.harnesses.values() for id_, name in harness.languages.items()}
    for language in dict.fromkeys(contender.manifest.language for contender in chosen):
        lines += ["", f"## {escaped(shown[language])}", ""]
        lines += ["| contender | format | calls, and why | left out, and why |", "|---|---|---|---|"]
        for contender in chosen:
            manifest = contender.manifest
            if manifest.language == language:
                known = catalog.formats.get(manifest.format)
                cells = [f"{manifest.name} ({contender.id})", known.name if known else manifest.format]
                cells = [escaped(cell) for cell in (*cells, manifest.api, manifest.left_out)]
                lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _limits(limits: Limits) -> str:
    stated = msgspec.structs.asdict(limits)
    usual = msgspec.structs.asdict(Limits())
    return ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in stated.items() if value != usual[name]
    )


def verdicts(console: Console, proven: Sequence[VerifiedDataset]) -> bool:
    """A table per dataset with every row's verdict; returns whether a row failed."""
    failed = False
    for item in proven:
        facts = item.dataset.facts
        console.print(
            Text(
                f"{item.dataset.name}: content_hash {facts.content_hash}, exact_hash {facts.exact_hash}",
                "bold",
            )
        )
        table = grid("", "row", "bytes", "hash", "read back by, or reason")
        for record, _, _ in item.rows:
            failed = failed or record.status == "failed"
            says = record.reason or (record.verified_by if record.test == "write" else "")
            if record.status == "ok" and record.doubles is not None and record.doubles.changed:
                says = f"{says + '; ' if says else ''}changes {record.doubles.changed} doubles"
            if record.status not in ("ok", "failed"):
                says = f"{record.status}: {says}"
            table.add_row(
                _mark(record.status),
                Text(record.row),
                Text(f"{record.bytes:,}" if record.bytes is not None else "", justify="right"),
                Text(record.hash),
                Text(visible(says)),
            )
        console.print(table)
        console.print()
    return failed


def installable(console: Console, name: str, title: str, present: bool) -> None:
    """One line about something that can be set up."""
    mark = "[green]installed[/]" if present else f"./serbench setup {escape(name)}"
    console.print(f"{escape(name)}: {escape(title)}; {mark}", soft_wrap=True)


def platforms(console: Console, found: Iterable[Found]) -> None:
    """The platforms, and whether the tools of each are installed, or why only a real board fills its rows."""
    for platform in found:
        if isinstance(platform, Board):
            mark = f"board only: {escape(platform.manifest.reason)}"
        else:
            absent = isinstance(platform, Emulated) and why_absent(platform)
            mark = f"./serbench setup {platform.name}" if absent else "[green]installed[/]"
        console.print(f"{escape(platform.name)}: {escape(platform.manifest.title)}; {mark}", soft_wrap=True)


def findings(console: Console, found: Sequence[Finding]) -> None:
    """One line per finding."""
    table = grid("", "what", "found")
    for finding in found:
        table.add_row(
            _mark(finding.state),
            Text(finding.what),
            Text(visible(finding.says)),
        )
    console.print(table)


def places(console: Console, file: Path) -> None:
    """Where a run file and the reports beside it are."""
    console.print(Text(f"Run file: {file}"), soft_wrap=True)
    console.print(Text(f"Report:   {file.with_suffix('.md')}"), soft_wrap=True)
    console.print(Text(f"Page:     {file.with_suffix('.html')}"), soft_wrap=True)


def closing(console: Console, run: Run, file: Path) -> None:
    """Where the results stand, and what one could do next."""
    console.print()
    if not run.complete and run.settings.plan is not None:
        console.print("The run was interrupted; what had been measured is kept. This measures the rest:")
        console.print(Text(f"  {command_for(run, file)}"), soft_wrap=True)
    for note in run.notes:
        console.print(Text(f"Note: {note}"))
    places(console, file)
    for number, line in enumerate([*NEXT, *_ratios(run, file)] if run.samples else []):
        console.print(Text(f"{'      ' if number else 'Next: '}{line}"), soft_wrap=True)


def _ratios(run: Run, file: Path) -> list[str]:
    """The command that prints ratios to JSON's times, for a run with rows that 2020 held against it."""
    rows = {
        row.contender_id
        for row in run.rows
        if row.status == "ok" and row.role == "contender" and row.language == LANGUAGE
    }
    if REFERENCE not in rows or len(rows) < 2 or run.settings.growth:
        return []
    return [f"./serbench report {shlex.quote(str(file))} --relative-to {REFERENCE}   ratios to JSON's times"]
