"""A run as a Markdown document: what ran where on which data, the tables, and what their columns say."""

import re
import shlex
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from serbench.report import text
from serbench.report.view import legend, views, why
from serbench.results.schema import Run

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
"""Entities rather than backslashes, which tables and HTML blocks do not take everywhere."""


def escaped(value: object) -> str:
    """Return `value` as Markdown within a line that shows it as it is: it begins no markup, HTML or cell."""
    safe = re.sub(r"[\\`*_\[\]~$]", r"\\\g<0>", text.visible(str(value)))
    return re.sub(r"[&<>|]", lambda found: ENTITIES[found[0]], safe)


def escaped_line(value: object) -> str:
    """Return `value` like `escaped`, and so that no list, heading or rule begins where it begins a line."""
    return re.sub(r"^(\s*\d*)([-+=#.)])", r"\1\\\2", escaped(value))


def _facts(run: Run) -> list[tuple[str, str]]:
    machine, asked = run.machine, run.settings
    budget = "" if asked.budget_seconds is None else f", at most {asked.budget_seconds:g} s"
    state = "complete" if run.complete else "INTERRUPTED: what is here is not all"
    facts = [
        ("Date", run.started),
        ("State", f"{state}; {run.seconds:.0f} s"),
        ("serbench", run.serbench),
        ("Command", shlex.join(asked.command)),
        ("System", f"{machine.system}, kernel {machine.kernel}, {machine.architecture}"),
        ("Processor", f"{machine.cpu}, {machine.cores} cores"),
        ("Memory", text.size(machine.memory_bytes)),
        ("Virtual machine", machine.virtual),
        ("Frequency governor", machine.governor),
        ("Compilers", ", ".join(f"{name} {version}" for name, version in sorted(machine.compilers.items()))),
        (
            "Precision",
            f"{asked.precision}: {asked.launches} to {asked.max_launches} launches{budget}, chunks of "
            f"{asked.chunk_ns / 1e6:g} ms, wanted ±{text.percent(asked.target)}",
        ),
        ("Profile", asked.profile),
    ]
    return [(name, value) for name, value in facts if value]


def _datasets(run: Run) -> list[dict[str, Any]]:
    return [
        {
            "name": dataset.name,
            "nodes": text.count(dataset.nodes),
            "depth": dataset.depth,
            "content_hash": dataset.content_hash,
            "exact_hash": dataset.exact_hash,
            "encodings": [
                (name, text.count(encoding.bytes), encoding.hash or encoding.reason)
                for name, encoding in sorted(dataset.encodings.items())
            ],
        }
        for dataset in run.datasets
    ]


def _columns(run: Run) -> list[tuple[str, str]]:
    known = dict(legend(run))
    return [
        ("Rank", known["rank"]),
        ("Net", known["net"]),
        ("Raw", "the time per iteration as measured, baseline included."),
        ("±", "half the 95 % t-interval over launches, in percent of the figure."),
        ("Typical", "the plain median of all chunks, in which disturbances by others take part."),
        ("× base", known["× base"]),
        ("Bytes", "the size of the encoding read, or of the output written."),
        ("Allocations", "how often one iteration asks for memory, counted in a launch of its own."),
        ("Notes", "what must be known about the row; the numbers are those below the table."),
    ]


def _figure(cell: str) -> str:
    """Return a padded cell without its padding, which Markdown aligns by itself."""
    return " ".join(cell.split())


def markdown(runs: list[Run]) -> str:
    """Return the report of all `runs` as one Markdown document, each run a section."""
    environment = Environment(  # noqa: S701 - not HTML: every name goes through `escaped`
        loader=PackageLoader("serbench.report"), undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters |= {
        "md": escaped,
        "line": escaped_line,
        "count": text.count,
        "why": why,
        "figure": _figure,
    }
    document = environment.get_template("report.md.j2").render(
        runs=[
            {
                "id": run.id,
                "facts": _facts(run),
                "notes": run.notes,
                "datasets": _datasets(run),
                "views": views(run),
                "columns": _columns(run),
            }
            for run in runs
        ]
    )
    return re.sub(r"\n{3,}", "\n\n", document).strip() + "\n"
