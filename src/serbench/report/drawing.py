"""A chart of the page as a plot for a document: on white, with title and data."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from serbench import text
from serbench.files import refuse_existing, replace_file
from serbench.report.page.library import chart, png, svg, theme
from serbench.results.analysis import RowSummary

WIDTH = 720

Spec = dict[str, Any]
Bar = dict[str, Any]


def safe_name(*parts: str) -> str:
    """Return `parts` as a file's name without ending that any system takes; it may be empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", "-".join(parts)).strip("-.")


def left_out(number: int, most: int, what: str) -> str:
    """Return the end of a subtitle: how many of `number` there is no room for, where it has `most`."""
    return f"; {number - most} {what} are not shown" if number > most else ""


def drawn(name: str, title: str, subtitle: str, rows: list[Bar], /, **signals: object) -> Spec:
    """Return the chart `name` with its data, ready to be drawn on white."""
    spec = chart(name)
    spec["config"] = theme("light")
    spec["background"] = "white"
    spec["padding"] = 16
    spec["width"] = WIDTH
    spec["title"] = {"text": text.visible(title), "subtitle": text.visible(subtitle), "anchor": "start"}
    spec["title"] |= {"offset": 14, "frame": "bounds"}
    step = spec.get("usermeta")
    if step:
        # Title and subtitle take what a page's heading takes there.
        spec["height"] = step["extra"] + 60 + step["step"] * len(rows)
    for data in spec["data"]:
        if data["name"] == "rows":
            data["values"] = rows
    for signal in spec["signals"]:
        if signal["name"] in signals:
            signal["value"] = signals[signal["name"]]
    return spec


def formats_of(rows: Iterable[RowSummary]) -> list[str]:
    """Return the formats of all rows of a run, those of most rows first: naming.mjs gives the same order.

    It gives each format the same colour and shape in all plots of the run.
    """
    counts: Counter[str] = Counter()
    for record, result in rows:
        if record.role == "contender":
            counts[text.visible(record.format_name)] += result.status == "ok"
    return sorted(counts, key=lambda name: (-counts[name], name))


def write_pictures(made: Mapping[Path, Spec], force: bool) -> list[Path]:
    """Write charts, by paths without ending, as SVG and PNG, and return the files.

    Raises UserError, also for a file that is there, unless `force`: then none is written.
    """
    files = [path.with_name(f"{path.name}.{ending}") for path in made for ending in ("svg", "png")]
    for path in files:
        refuse_existing(path, force)
    for path, spec in made.items():
        replace_file(path.with_name(f"{path.name}.svg"), svg(spec).encode())
        replace_file(path.with_name(f"{path.name}.png"), png(spec))
    return files
