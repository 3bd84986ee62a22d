"""A run as a Markdown document: what ran where on which data, the tables, and what their columns say."""

import re
import shlex
from collections.abc import Callable
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from serbench.report import fidelity, payloads, text
from serbench.report.encodings import compressed_cells, compressors, has_json, of_json, shared_bytes
from serbench.report.growth_show import growth_markdown
from serbench.report.heap import heap_legend
from serbench.report.markdown import escaped, escaped_line
from serbench.report.view import View, legend, per_message, views, why
from serbench.results.analysis import RowSummary
from serbench.results.revision import name_of
from serbench.results.schema import Run


def _resumed(run: Run) -> str:
    again = [period.started for period in run.periods[1:]]
    return f"; resumed {', '.join(again)}" if again else ""


def _facts(run: Run) -> list[tuple[str, str]]:
    machine, asked = run.machine, run.settings
    used = run.periods[0].budget_seconds if run.periods else asked.budget_seconds
    budget = "" if used is None else f", at most {used:g} s"
    state = "complete" if run.complete else "INTERRUPTED: what is here is not all"
    facts = [
        ("Date", run.started),
        ("State", f"{state}; {run.seconds:.0f} s" + _resumed(run)),
        ("serbench", ", ".join(filter(None, (run.serbench, name_of(run.revision))))),
        ("Command", shlex.join(asked.command)),
        ("System", f"{machine.system}, kernel {machine.kernel}, {machine.architecture}"),
        ("Processor", f"{machine.cpu}, {machine.cores} cores"),
        ("Memory", text.size(machine.memory_bytes)),
        ("Virtual machine", machine.virtual),
        ("Frequency governor", machine.governor),
        ("Turbo", {True: "on", False: "off", None: ""}[machine.turbo]),
        ("C library", machine.libc),
        (
            "Allocators",
            ", ".join(f"{name} {version}" for name, version in sorted(machine.allocators.items())),
        ),
        ("Compilers", ", ".join(f"{name} {version}" for name, version in sorted(machine.compilers.items()))),
        (
            "Precision",
            f"{asked.precision}: {asked.launches} to {asked.max_launches} launches{budget}, chunks of "
            f"{asked.chunk_ns / 1e6:g} ms, wanted ±{text.percent(asked.target)}",
        ),
        ("Profile", ", ".join(dict.fromkeys(row.profile for row in run.rows)) or asked.profile),
    ]
    # What was only probed has no launches and no profile.
    untimed = {"Precision", "Profile"} if not run.rows and (run.fidelity or run.payloads) else set()
    return [(name, value) for name, value in facts if value and name not in untimed]


def _datasets(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "name": dataset.name,
            "nodes": text.count(dataset.nodes),
            "depth": dataset.depth,
            "content_hash": dataset.content_hash,
            "exact_hash": dataset.exact_hash,
            "per": per_message(dataset.messages),
            "compressors": compressors(dataset),
            "has_json": has_json(dataset),
            "encodings": [
                (
                    name,
                    [shared_bytes(encoding.bytes, dataset.messages), *of_json(dataset, encoding)],
                    encoding.hash or encoding.reason,
                    compressed_cells(encoding, compressors(dataset), dataset.messages),
                )
                for name, encoding in sorted(dataset.encodings.items())
            ],
        }
        for dataset in run.datasets
    ]


def _columns(run: Run) -> list[tuple[str, str]]:
    known, heap = dict(legend(run)), heap_legend(run)
    optional = [
        ("Code size", known.get("code size", "")),
        ("Bundle", known.get("bundle", "")),
        ("Instructions (Callgrind)", known.get("instructions", "")),
        ("Allocated", heap.get("allocated", "")),
        ("Allocations", heap.get("allocs", "")),
        ("Peak", heap.get("peak", "")),
    ]
    return [
        ("Rank", known["rank"]),
        ("Net", known["net"]),
        ("Raw", "the time per iteration as measured, baseline included."),
        ("±", "half the 95 % interval over launches, in percent of the figure."),
        ("Typical", "the plain median of all chunks, in which disturbances by others take part."),
        ("× base", known["× base"]),
        ("Bytes", "the size of the encoding read, or of the output written."),
        *[(name, sentence) for name, sentence in optional if sentence],
        ("Notes", "what must be known about the row; the numbers are those below the table."),
    ]


def _extra(view: View) -> list[tuple[str, Callable[[RowSummary], str]]]:
    """Return the further columns that a table has where any of its rows has a figure in them."""
    columns: list[tuple[str, Callable[[RowSummary], str]]] = [
        ("Code size", lambda row: text.count(row.code_size)),
        ("Bundle", lambda row: text.count(row.bundle_size)),
        ("Instructions (Callgrind)", lambda row: _rounded(row.instructions)),
        ("Allocated", lambda row: text.count(row.heap_bytes)),
        ("Allocations", lambda row: text.count(row.heap_allocations)),
        ("Peak", lambda row: text.count(row.heap_peak)),
    ]
    return [
        (name, cell) for name, cell in columns if any(cell(entry.row) != text.NONE for entry in view.measured)
    ]


def _rounded(number: float | None) -> str:
    return text.NONE if number is None else f"{number:,.0f}"


def _figure(cell: str) -> str:
    """Return a padded cell without its padding, which Markdown aligns by itself."""
    return " ".join(cell.split())


def environment() -> Environment:
    """Return what renders the templates, with the filters by which they make any text safe."""
    made = Environment(  # noqa: S701 - not HTML: every name goes through `escaped`
        loader=PackageLoader("serbench.report"), undefined=StrictUndefined, keep_trailing_newline=True
    )
    made.filters |= {
        "md": escaped,
        "line": escaped_line,
        "count": text.count,
        "why": why,
        "figure": _figure,
        "extra": _extra,
    }
    return made


def document(template: str, **values: object) -> str:
    """Return the Markdown that `template` makes of `values`, with one blank line between blocks."""
    made = environment().get_template(template).render(**values)
    return re.sub(r"\n{3,}", "\n\n", made).strip() + "\n"


def markdown(runs: list[Run]) -> str:
    """Return the report of all `runs` as one Markdown document, each run a section."""
    return document(
        "report.md.j2",
        runs=[
            {
                "id": run.id,
                "facts": _facts(run),
                "notes": run.notes,
                "datasets": _datasets(run),
                "growth": growth_markdown(run, escaped, escaped_line),
                "views": [] if run.settings.growth else views(run),
                "columns": _columns(run) if views(run) and not run.settings.growth else [],
                "fidelity": fidelity.lines(run),
                "fidelity_title": fidelity.TITLE,
                "fidelity_caption": fidelity.CAPTION,
                "marks": fidelity.MARKS,
                "payloads": payloads.lines(run),
                "payloads_title": payloads.TITLE,
                "payloads_caption": payloads.caption(run),
                "directions": payloads.DIRECTIONS,
            }
            for run in runs
        ],
    )
