"""The charts of a run on microcontrollers, its page, and its correlation with real boards."""

import json
import math
from pathlib import Path

import msgspec
import pytest

from serbench.errors import UserError
from serbench.report.boards import SHIPPED, correlations, load_board_times
from serbench.report.compare import compare_runs
from serbench.report.document import Table
from serbench.report.page.library import svg
from serbench.report.page.make import page
from serbench.report.plots import plots, write_plots
from serbench.report.render import render
from serbench.results.counts import Count, rows_of
from serbench.results.journal import complete
from serbench.results.schema import Machine, Platform, Run, Settings
from tests.page.test_make import unpacked

DOCUMENTS = ("obj int", "Msgpack", "WoT <&>", "HA")
HEADER = "name,deserTimeJson,deserTimeMsgPack,serTimeJson,serTimeMsgPack,serSpaceJson,serSpaceMsgPack\n"


def count(platform: str, format_id: str, n: int, scale: float) -> Count:
    json = format_id == "json"
    return Count(
        **{"platform": platform, "contender": "ArduinoJson", "contender_id": "firmware/arduinojson"},
        **{"format": format_id, "document": DOCUMENTS[n], "status": "ok", "real_life": n > 1},
        deserialize=scale * (1000 * (n + 1) if json else 700 * (n + 1)),
        serialize=scale * (500 * (n + 1) ** 2 if json else 100 * (n + 2)),
        bytes=40 + 10 * n if json else 30 + 8 * n,
    )


def run_of(*platforms: tuple[str, str, float]) -> Run:
    """A run on platforms, each a name, a kind and a factor of its figures."""
    facts = {"system": "s", "kernel": "k", "architecture": "a", "cpu": "c", "cores": 1, "memory_bytes": 1}
    settings = Settings(
        **{"command": [], "precision": "quick", "launches": 5, "max_launches": 7, "seconds_per_launch": 1.0},
        **{"chunk_ns": 1, "target": 0.1, "threshold": 0.01},
    )
    run = Run(serbench="1", id="r", started="t", complete=True, machine=Machine(**facts), settings=settings)
    for name, kind, scale in platforms:
        unit = "microseconds" if kind == "board" else "instructions"
        stated = {"title": name, "stands_for": ["x"], "compiler": "", "flags": "", "emulator": ""}
        run.platforms.append(Platform(name=name, unit=unit, kind=kind, reason="why not", **stated))
        if kind != "board-only":
            run.rows += rows_of(
                [count(name, f, n, scale) for f in ("json", "messagepack") for n in range(4)], len(run.rows)
            )
    return run


def bars_of(spec) -> list[dict]:
    return next(data["values"] for data in spec["data"] if data["name"] == "rows")


def test_the_charts_show_how_much_less_messagepack_takes():
    run = run_of(("avr", "emulated", 1.0), ("m0", "emulated", 2.0), ("esp32", "board-only", 0.0))
    made = dict(plots(run))
    assert set(made) == {
        *(f"{name}-arduinojson-{what}" for name in ("avr", "m0") for what in ("time", "space")),
        *(f"targets-arduinojson-{what}" for what in ("deserialize", "serialize", "average")),
    }
    time = {(bar["label"], bar["series"]): bar for bar in bars_of(made["avr-arduinojson-time"])}
    assert len(time) == 8 and time["WoT <&>", "deserialize"]["value"] == pytest.approx(30)
    assert time["obj int", "serialize"]["text"] == "60.0 %"
    space = bars_of(made["avr-arduinojson-space"])
    assert space[0]["value"] == pytest.approx(25) and len(space) == 4
    points = bars_of(made["targets-arduinojson-serialize"])
    assert {(point["label"], point["series"]) for point in points} == {
        (d, t) for d in DOCUMENTS for t in ("avr", "m0")
    }
    average = {
        (bar["label"], bar["series"]): bar["value"] for bar in bars_of(made["targets-arduinojson-average"])
    }
    assert average["m0", "deserialize"] == pytest.approx(30)
    expected = 100 * sum(1 - 100 * (n + 2) / (500 * (n + 1) ** 2) for n in range(4)) / 4
    assert average["avr", "serialize"] == pytest.approx(expected)
    for name, spec in made.items():
        drawn = svg(spec)
        assert "<svg" in drawn and ("WoT &lt;&amp;&gt;" in drawn or name.endswith("average")), name


def test_one_target_has_no_chart_of_all_and_a_boards_is_of_time(tmp_path):
    run = run_of(("esp32", "board", 1.0))
    names = [path.name for path in write_plots(run, tmp_path)]
    assert names == [
        f"esp32-arduinojson-{what}.{kind}" for what in ("time", "space") for kind in ("svg", "png")
    ]
    assert "improvement in time" in (tmp_path / names[0]).read_text()


def test_each_call_of_each_format_is_compared():
    old, new = run_of(("avr", "emulated", 1.0)), run_of(("avr", "emulated", 2.0))
    found = {row.name: (row.verdict, row.ratio, row.basis) for row in compare_runs(old, new, 0.03).rows}
    assert found == {
        f"ArduinoJson [{form}] {call} {document} · avr": ("slower", 2.0, None)
        for form in ("JSON", "MessagePack")
        for document in DOCUMENTS
        for call in ("deserialize", "serialize")
    }


def test_a_table_has_what_its_rows_have_and_each_reason_once():
    run = run_of(("avr", "emulated", 1.0))
    absent = {"status": "unsupported", "reason": "it is too large", "metrics": {}, "contender": "Large"}
    run.rows += [msgspec.structs.replace(row, id=100 + row.id, **absent) for row in run.rows[:2]]
    shown = render([run], "markdown")
    assert "| Contender | Format | Deserialize | Serialize | Bytes |" in shown
    rows = ["| ArduinoJson | MessagePack | 700 | 200 | 30 |", "| ArduinoJson | JSON | 1,000 | 500 | 40 |"]
    assert "\n".join(rows) in shown
    assert shown.count("it is too large") == 1
    names = "Large [JSON] (roundtrip, Msgpack), Large [JSON] (roundtrip, obj int)"
    assert f"{names}: unsupported: it is too large" in render([run], "table", 200)


def test_the_page_has_the_counts():
    run = run_of(("avr", "emulated", 1.0), ("esp32", "board-only", 0.0))
    (shown,) = unpacked(page([run]), "data")["runs"]
    assert [one["name"] for one in shown["platforms"]] == ["avr", "esp32"]
    assert shown["rows"] == json.loads(msgspec.json.encode(run.rows)) and shown["rows"]


def board(path: Path, name: str, factor: float, power: float = 1.0) -> Path:
    lines = []
    for n, document in enumerate(DOCUMENTS):
        times = [1000 * (n + 1), 700 * (n + 1), 500 * (n + 1) ** 2, 100 * (n + 2)]
        lines.append(",".join([document, *(str(factor * time**power) for time in times), "1", "1"]))
    (path / f"{name}.csv").write_text(HEADER + "\n".join(lines) + "\n")
    return path / f"{name}.csv"


def correlated(runs: list[Run], path: Path | str) -> list[list[str | None]]:
    """The cells of the table of correlations with the boards at `path`."""
    table = correlations(runs, load_board_times([str(path)])).blocks[0]
    assert isinstance(table, Table)
    return [list(row.cells) for row in table.rows]


def test_counts_correlate_with_boards(tmp_path):
    board(tmp_path, "same", 0.01)
    board(tmp_path, "power", 3.0, 2.0)
    runs = [run_of(("avr", "emulated", 1.0), ("m0", "emulated", 2.0), ("esp32", "board-only", 0.0))]
    cells = ["ArduinoJson", "16", "1.000", "1.000"]
    assert correlated(runs, tmp_path) == [[t, b, *cells] for t in ("avr", "m0") for b in ("power", "same")]


def test_an_inverse_relation_is_seen_and_too_few_values_are_not(tmp_path):
    board(tmp_path, "inverse", 1e6, -1.0)
    runs = [run_of(("avr", "emulated", 1.0))]
    (row,) = correlated(runs, tmp_path / "inverse.csv")
    assert row[-2:] == ["-1.000", "-1.000"]
    (row,) = correlated(runs, SHIPPED)
    assert row[1] == "arduinojson-example-board" and row[3] == "8" and not math.isnan(float(row[4]))
    (tmp_path / "few.csv").write_text(HEADER + "unknown,1,1,1,1,1,1\n")
    (row,) = correlated(runs, tmp_path / "few.csv")
    assert row[3:] == ["0", None, None]


def test_a_collected_run_is_a_board(tmp_path, command):
    complete(run_of(("nano33iot", "board", 0.02)), tmp_path / "board.json")
    complete(run_of(("cortex-m0", "emulated", 1.0)), tmp_path / "counts.json")
    done = command("report", tmp_path / "counts.json", "--boards", tmp_path / "board.json")
    assert done.returncode == 0, done.stderr
    assert "nano33iot" in done.stdout and "1.000" in done.stdout
    words = ("report", tmp_path / "counts.json", "--boards", tmp_path / "board.json", "--format", "markdown")
    assert "| cortex-m0 | nano33iot | ArduinoJson | 16 | 1.000 | 1.000 |" in command(*words).stdout
    done = command("report", tmp_path / "counts.json", "--boards", tmp_path / "counts.json")
    assert done.returncode == 2 and "no times of a real board" in done.stderr.replace("\n", " ")
    done = command("report", tmp_path / "counts.json", "--boards", SHIPPED, "--format", "csv")
    assert done.returncode == 2 and "table or markdown" in done.stderr.replace("\n", " ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name,deserTimeJson\nx,1\n", "no column"),
        (HEADER + "x,1,2,three,4,5,6\n", "no number"),
        (HEADER + "x,1,2\n", "no number"),
        (HEADER + "x,1,2,0,4,5,6\n", "not above 0"),
        (HEADER + "x,1,2,nan,4,5,6\n", "not above 0"),
        ("\xff", "no CSV file"),
    ],
)
def test_bad_boards_are_refused(text, reason, tmp_path):
    path = tmp_path / "bad.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=reason):
        load_board_times([str(path)])


def test_missing_boards_are_refused(tmp_path):
    with pytest.raises(UserError, match="no CSV file in"):
        load_board_times([str(tmp_path)])
    with pytest.raises(UserError, match="cannot read"):
        load_board_times([str(tmp_path / "missing.csv")])
