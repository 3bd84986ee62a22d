"""The page in a browser: one test a scenario of drive.mjs, which runs once for all of them."""

import json
import math
import re
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from serbench import text
from serbench.catalog.records import NEEDS_SCHEMA
from serbench.measure.launches import group_figures
from serbench.measure.statistics import Interval, net_figures, ratio_interval
from serbench.report.answer_table import gains_table
from serbench.report.compare import compare_runs
from serbench.report.page.make import page
from serbench.report.view import rank_of
from serbench.results.analysis import RowSummary, analyse
from serbench.results.candidates import candidates
from serbench.results.metrics import METRICS
from serbench.results.schema import Run
from serbench.results.summary import summarise
from tests.firmware.test_counts_report import run_of
from tests.page.conftest import HERE
from tests.page.runs import ATTACK, emulated_run, hostile_run, probed_run, written
from tests.page.test_rows import changed
from tests.report import test_orders as machines
from tests.results.builder import row

OF_KINDS = sorted((HERE.parent / "kinds").glob("*/scenarios.mjs"))
"""Scenarios of kinds of run; `plan()` of a page_plan.py beside one adds to the plan."""
SCENARIOS = [
    name
    for file in (HERE / "drive.mjs", *OF_KINDS)
    for name in re.findall(r'^  async "(.+)"\(page\)', file.read_text(encoding="utf-8"), re.M)
]
REFERENCE = 2
DASH = "–"


def shown_rows(run: Run) -> list[RowSummary]:
    return [
        r
        for r in analyse(run)
        if r.record.test == "tree" and r.record.role == "contender" and r.result.net_ns is not None
    ]


def cells(rows: list[RowSummary], run: Run) -> list[dict[str, Any]]:
    """What the table must say of rows, written by the functions of the other reports."""
    unit, scale = text.unit_for(r.result.net_ns for r in rows)
    assert unit == "µs"
    return [
        {
            "key": f"{run.id}:{r.result.id}",
            "rank": (rank_of(r.result) or DASH).replace("-", DASH),
            "cells": {
                "net": "below resolution"
                if r.result.at_floor
                else text.significant((r.result.net_ns or 0) / scale),
                "harness": text.significant(100 * r.result.harness_share, 3),
                "bytes": text.count(r.result.bytes),
                "allocations": text.count(r.result.heap_allocations).replace(text.NONE, DASH),
                "peak": text.count(r.result.heap_peak).replace(text.NONE, DASH),
            },
        }
        for r in rows
    ]


def ratios(run: Run) -> dict[str, str]:
    """The ratio of each row's net time to that of the reference, formed within launches."""
    raw = group_figures(
        {r.id: [s for s in run.samples if s.row == r.id] for r in run.rows},
        {r.id: "shortest-chunk" for r in run.rows},
    )
    net = {number: net_figures(figures, raw[0]) for number, figures in raw.items()}
    found: dict[str, str] = {}
    for r in shown_rows(run):
        ratio = None if r.result.at_floor else ratio_interval(net[r.result.id], net[REFERENCE])
        assert r.result.at_floor or isinstance(ratio, Interval)
        found[f"{run.id}:{r.result.id}"] = DASH if ratio is None else f"{text.significant(ratio.value, 3)}×"
    return found


def emulated(run: Run) -> list[dict[str, Any]]:
    """What the table must say of each platform: instructions less those of its own baseline."""
    made = []
    for platform in run.platforms:
        own = [r for r in run.rows if r.platform == platform.name and r.instructions is not None]
        base = next(r.instructions for r in own if r.role == "baseline") or 1.0
        found = [(r, r.instructions or 0.0) for r in own if r.role == "contender"]
        made.append(
            {
                "name": platform.name,
                "rows": [
                    {
                        "name": r.contender,
                        "key": f"{run.id}:{r.id}",
                        "cells": {
                            "netcount": f"{math.floor(count - base + 0.5):,}",
                            "instructions": f"{math.floor(count + 0.5):,}",
                            "countratio": text.significant(count / base, 3),
                            "bytes": text.count(r.bytes),
                            "code": text.count(r.code_size),
                        },
                    }
                    for r, count in sorted(found, key=lambda pair: pair[1])
                ],
            }
        )
    return made


def gains(run: Run) -> list[list[str]]:
    """What the page must say a schema buys, in the words of the terminal's table."""
    summary = summarise(run)
    formats = {record.id: record.format_name or record.format for record in run.rows}
    assert summary.answer is not None
    lines: dict[str, list[str]] = {}
    found = zip(summary.answer.gains, gains_table(summary, candidates(run, summary.rows)).rows, strict=True)
    for gain, line in found:
        _, _, name, time, size, other, slower, larger, times = line.cells
        sides = [
            f"{name}, {formats[gain.row]}\n{time}, {text.count(size)} B",
            f"{other}, {formats[gain.without]}\n{slower}, {text.count(larger)} B",
        ]
        lines.setdefault(gain.language, [gain.language]).extend([*sides, times])
    return list(lines.values())


def expectations(run: Run, newer: Run) -> dict[str, Any]:
    rows = shown_rows(run)
    by_id = {r.result.id: r for r in rows}
    reference = by_id[REFERENCE]
    fastest = [r for r in sorted(rows, key=lambda r: r.result.net_ns or 0) if not r.result.at_floor]
    network = (reference.result.bytes or 0) * 1000.0
    assert reference.result.net_ns is not None
    total = text.significant((reference.result.net_ns + network) / 1e6, 3)
    verdicts = [r.verdict for r in compare_runs(run, newer, 0.03).rows if " tree " in r.name]
    found = summarise(run).answer
    assert found is not None and found.findings[0].row is not None
    contenders = {r.contender_id for r in run.rows if r.role == "contender"}
    return {
        "answer": {
            "about": f"Answer for {found.about}",
            "subjects": [line.subject for line in found.findings],
            "texts": [line.text for line in found.findings],
        },
        "gains": gains(run),
        "answerRow": f"{run.id}:{found.findings[0].row}",
        "libraries": len(contenders),
        "library": {
            "language": "C",
            "format": "JSON",
            "version": "1.2.3",
            "licence": "ISC",
            "source": "Debian source yajl",
            "how it is used": "callbacks",
            "notes": "distribution build",
        },
        "rows": cells(rows, run),
        "newerId": newer.id,
        "notes": run.notes,
        "emulated": emulated(emulated_run()),
        "newerRows": cells(shown_rows(newer), newer),
        "missing": sum(
            r.record.test == "tree" and r.record.role == "contender" and r.result.net_ns is None
            for r in analyse(run)
        ),
        "reference": REFERENCE,
        "ratios": ratios(run),
        "best": [f"{run.id}:{r.result.id}" for r in fastest[:2]],
        "metrics": [
            metric.id
            for metric in METRICS
            if metric.page and (not metric.field or any(metric.of(*r) is not None for r in analyse(run)))
        ],
        "details": [
            "--contenders c/mpack",
            "--datasets generated:2",
            "--tests tree",
            reference.record.library_version,
        ],
        "exactNet": repr(reference.result.net_ns),
        "cost": {
            "name": "MPack",
            "cells": [
                "2,367",
                f"{text.significant(reference.result.net_ns / 1e3, 3)} µs",
                f"{text.significant(network / 1e6, 3)} ms",
                f"{total} ms",
            ],
        },
        "decided": sum(verdict in ("faster", "slower") for verdict in verdicts),
    }


def bad_files(run: Run) -> list[tuple[str, str]]:
    """What may be dropped, and what is said of it."""
    whole = json.loads(written(run))

    def without(part: str, name: str) -> str:
        broken = json.loads(json.dumps(whole))
        del (broken[part][0] if isinstance(broken[part], list) else broken[part])[name]
        return json.dumps(broken)

    return [
        ("<script>hacked = 1</script>", "not JSON"),
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"a": 1}', "not a run file"),
        ("[1]", "not a run file"),
        ("null", "not a run file"),
        ('{"schema": "1", "serbench": "x"}', "not a run file"),
        (json.dumps(whole | {"schema": 99}), "version 99"),
        (json.dumps(whole | {"schema": 0}), "version 0"),
        (
            json.dumps(whole | {"rows": [whole["rows"][0] | {"platform": "avr"}, *whole["rows"][1:]]}),
            "was counted on an emulated platform, and has a time",
        ),
        ('{"kind":"header","data":{}}\n', "journal"),
        (json.dumps(whole | {"summary": None}), "./serbench report FILE --html PAGE"),
        (json.dumps(whole | {"summary": whole["summary"] | {"version": 99}}), "summary of another version"),
        (
            json.dumps(whole | {"summary": whole["summary"] | {"rows": whole["summary"]["rows"][1:]}}),
            "summary is of other rows",
        ),
        (json.dumps(whole | {"summary": whole["summary"] | {"rows": [{"id": 0}]}}), "has no field name"),
        (without("rows", "contender"), "has no field contender"),
        (without("machine", "cpu"), "has no field cpu"),
        (json.dumps(whole | {"rows": 3}), "the field rows"),
        (json.dumps(whole | {"rows": [*whole["rows"], whole["rows"][0]]}), "same id"),
        (json.dumps(whole | {"rows": whole["rows"][3:]}), "not there"),
        (
            json.dumps(whole | {"samples": [whole["samples"][0] | {"iterations": 0}]}),
            "impossible times",
        ),
        (json.dumps(whole | {"samples": [whole["samples"][0] | {"wall": ["1"]}]}), "the field wall"),
        (json.dumps(whole | {"notes": [{"toString": 1}]}), "the field notes"),
        (json.dumps(whole | {"rows": [{"test": "roundtrip", "platform": "avr"}]}), "has no field id"),
        (json.dumps(whole | {"platforms": [{"name": 1}]}), "the field name of a Platform"),
        (json.dumps(whole | {"fidelity": [{"contender": "A"}]}), "has no field contender_id"),
        (json.dumps(whole | {"payloads": [3]}), "a Payload is no object"),
        (json.dumps(whole | {"strict": [{"contender": "A"}]}), "has no field contender_id"),
        (json.dumps(whole | {"settings": None}), "a Settings is no object"),
    ]


def write_plan(folder: Path, packages: Path, chromium: str) -> Path:
    """Write pages and run files into `folder`, and a plan for drive.mjs; its path."""
    run, newer = changed(7), changed(8, MPack=1.5, YAJL=0.8)
    for record in run.rows:
        if record.contender == "YAJL":
            record.homepage, record.license, record.api = "https://example.org/yajl", "ISC", "callbacks"
            record.origin, record.labels = "Debian source yajl", ["distribution build"]
        elif record.contender == "MPack":
            record.labels = [*record.labels, NEEDS_SCHEMA]
            record.homepage = "javascript:hacked=1"
    many = changed(7)
    many.id, many.samples, many.failures = "10000 rows", [], []
    many.rows = [
        row(n, f"Row {n} {ATTACK}", status="failed", reason=f"it crashed {ATTACK}", output=ATTACK)
        for n in range(10_000)
    ]
    files = {
        "page": page([run]).encode(),
        "hostile": page([hostile_run()]).encode(),
        "hostileRun": written(hostile_run()),
        "newer": written(newer),
        "probed": written(probed_run()),
        "probedPage": page([probed_run()]).encode(),
        "emulated": written(emulated_run()),
        "machinesPage": page(machines.RUNS[:2]).encode(),
        "emulatedAlone": page([emulated_run()]).encode(),
        "emulatedPage": page([run, emulated_run()]).encode(),
        "many": written(many),
        "counts": written(
            run_of(("avr", "emulated", 1.0), ("m0", "emulated", 2.0), ("esp32", "board-only", 0.0))
        ),
    }
    plan: dict[str, Any] = {"packages": str(packages), "chromium": chromium, "bad": bad_files(run)}
    plan["scenarios"] = [*map(str, OF_KINDS)]
    for path in OF_KINDS:
        if path.with_name("page_plan.py").is_file():
            plan |= import_module(f"tests.kinds.{path.parent.name}.page_plan").plan(folder)
    for name, content in files.items():
        path = folder / f"{name}.{'html' if content.startswith(b'<!doctype html>') else 'json'}"
        path.write_bytes(content)
        plan[name] = str(path)
    plan["expected"] = expectations(run, newer)
    (folder / "plan.json").write_text(json.dumps(plan))
    return folder / "plan.json"


@pytest.fixture(scope="session")
def outcomes(
    node: Path, packages: Path, chromium: str, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, str | None]:
    """What went wrong in each scenario; None where nothing did."""
    plan = write_plan(tmp_path_factory.mktemp("page"), packages, chromium)
    done = subprocess.run([node, HERE / "drive.mjs", plan], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {o["name"]: o["problem"] for o in map(json.loads, done.stdout.splitlines())}


@pytest.mark.first
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_in_a_browser(scenario: str, outcomes: dict[str, str | None]):
    assert outcomes[scenario] is None, outcomes[scenario]
