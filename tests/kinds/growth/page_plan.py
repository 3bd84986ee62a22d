"""A growth run for the page, and what the page must say of it."""

from pathlib import Path
from typing import Any

from serbench import text
from serbench.kinds.growth.curves import growth
from serbench.measure.records import Failure
from serbench.results.schema import Run
from tests.page.runs import written
from tests.report.grown import give_net_time, growth_run

DASH = "–"


def growing_run() -> Run:
    """A growth run one of whose ratios is of raw times, with points that lack something or everything."""
    run = growth_run()
    by_place = {(r.contender, r.test, r.dataset): r for r in run.rows}
    give_net_time(by_place["avsc", "write", "records:190"], run, 0.002)
    give_net_time(by_place["avsc", "write", "records:371"], run, -0.05)
    for megabytes in ("190", "371"):
        record = by_place["pbf", "write", f"records:{megabytes}"]
        record.status, record.reason = "failed", "it ran\n out"
        record.output = "first line\nFATAL: \x1b heap\n\n"
        record.code_size = 1234
        run.samples = [s for s in run.samples if s.row != record.id]
    for record in run.rows:
        if record.contender == "bson" and record.test == "tree":
            record.status, record.reason = "unavailable", "npm has <b>it</b> not"
        if record.contender == "protobufjs":
            record.labels = ["knows the schema"]
    run.failures.append(
        Failure(row=by_place["js-binary", "tree", "records:97"].id, launch=1, reason="it was killed")
    )
    short = by_place["protobufjs", "write", "records:39.8"].id
    run.samples = [s for s in run.samples if (s.row, s.launch) != (short, 2)]
    return run


def growth_lists(table: Any) -> list[str]:
    """What the lists below a table must say."""
    assert table.without
    return [text.visible(f"{what}: {said}") for what, said in [*table.notes, *table.without]]


def growth_table(table: Any) -> list[list[str]]:
    """What the page must say of a table: JSON's times, and the ratios of the others."""
    lines = []
    for curve in table.curves:
        line = [curve.name]
        for size in table.sizes:
            point = curve.at(size)
            value = point and (point.time if curve.is_reference else point.ratio)
            if value is None:
                line.append(DASH)
                continue
            unit, scale = text.unit_for([value.value]) if curve.is_reference else ("", 1.0)
            mark = "*" if point and point.basis == "raw" and not curve.is_reference else ""
            line.append(f"{text.significant(value.value / scale, 3)}{mark} {unit}".strip())
        lines.append(line)
    return lines


def plan(folder: Path) -> dict[str, Any]:
    """What scenarios.mjs is given; the run file is written into `folder`."""
    run = growing_run()
    (folder / "growing.json").write_bytes(written(run))
    said = [{"title": c.title, "table": growth_table(c), "lists": growth_lists(c)} for c in growth(run)]
    return {"growing": str(folder / "growing.json"), "growth": said}
