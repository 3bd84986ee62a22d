"""A chart of the page as a plot for a document: on white, with title and data."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from serbench import text
from serbench.report.page.library import chart, theme
from serbench.results.analysis import RowSummary

WIDTH = 720

Spec = dict[str, Any]
Bar = dict[str, Any]


def safe_name(name: str) -> str:
    """Return `name` as a part of a file's name that any system takes; it may be empty."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")


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
    for row in rows:
        if row.role == "contender":
            counts[text.visible(row.format_name)] += row.status == "ok"
    return sorted(counts, key=lambda name: (-counts[name], name))


def labels_of(rows: Sequence[RowSummary], names: dict[int, str]) -> dict[int, str]:
    """Return `names` of rows as charts show them: with the format in brackets where several share one."""
    known = {(names[row.id], row.format_name) for row in rows}
    shared = Counter(name for name, _ in known)
    return {
        row.id: text.visible(
            f"{names[row.id]} [{row.format_name}]" if shared[names[row.id]] > 1 else names[row.id]
        )
        for row in rows
    }
