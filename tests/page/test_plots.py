"""The static plots: which there are, and that what they show is the run's."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from serbench.report.page.library import svg
from serbench.report.plots import file_name, plots
from serbench.results.analysis import analyse
from serbench.results.schema import Run
from tests.page.runs import ATTACK, emulated_run, hostile_run
from tests.results.builder import synthetic_run


def moved(run: Run) -> Run:
    run.id = "newer"
    for record in run.rows:
        record.program = record.row
        if record.contender == "MPack":
            record.program = "changed"
    return run


def words(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)  # noqa: S314 - made here
    return ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]


def test_each_group_has_its_plots():
    names = [name for name, _ in plots(synthetic_run())]
    assert names == [
        f"{test}-generated-2-speed-{kind}" for test in ("write", "tree") for kind in ("ranking", "pareto")
    ]


def test_a_ranking_shows_every_measured_contender_in_its_order():
    run = synthetic_run()
    spec = dict(plots(run))["tree-generated-2-speed-ranking"]
    bars = next(data["values"] for data in spec["data"] if data["name"] == "rows")
    rows = [r for r in analyse(run) if r.test == "tree" and r.role == "contender" and r.net_ns is not None]
    assert [bar["value"] for bar in bars] == pytest.approx([max(0.0, r.net_ns or 0) / 1e3 for r in rows])
    assert [bar["label"].split("  ")[0].rstrip("=–-") for bar in bars] == [str(r.rank or "") for r in rows]


def test_the_pareto_front_is_beaten_by_no_row():
    spec = dict(plots(synthetic_run()))["tree-generated-2-speed-pareto"]
    points = next(data["values"] for data in spec["data"] if data["name"] == "rows")
    for point in points:
        beaten = any(
            o["bytes"] <= point["bytes"] and o["value"] <= point["value"] and o is not point for o in points
        )
        assert point["front"] is not beaten


def test_the_command_writes_svg_and_png(command: Callable[..., object], tmp_path: Path):
    for name, run in (("new", moved(synthetic_run(8))), ("old", moved(synthetic_run(7)))):
        (tmp_path / f"{name}.json").write_bytes(msgspec.json.encode(run))
    folder = tmp_path / "plots"
    done = command("plot", tmp_path / "new.json", "--old", tmp_path / "old.json", "--out", folder)
    assert done.returncode == 0, done.stderr  # type: ignore[attr-defined]
    names = {path.name for path in folder.iterdir()}
    assert {"improvement.svg", "improvement.png", "tree-generated-2-speed-pareto.svg"} <= names
    for path in folder.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    shown = words((folder / "tree-generated-2-speed-ranking.svg").read_text())
    assert any("MPack" in word for word in shown) and any(re.search(r"±\d", word) for word in shown)


def test_an_emulated_linux_is_ranked_by_counts_of_its_own():
    made = dict(plots(emulated_run()))
    assert set(made) == {
        f"{platform}-tree-generated-2-size-{what}"
        for platform in ("linux-armv6", "linux-arm64")
        for what in ("instructions", "code-size")
    }

    def bars(name: str) -> list[tuple[str, float]]:
        data = next(d["values"] for d in made[name]["data"] if d["name"] == "rows")
        return [(bar["label"], bar["value"]) for bar in data]

    assert bars("linux-armv6-tree-generated-2-size-instructions") == [("Large", 2000.0), ("Small", 4000.5)]
    assert bars("linux-arm64-tree-generated-2-size-instructions") == [("Large", 1000.0), ("Small", 2000.25)]
    assert bars("linux-arm64-tree-generated-2-size-code-size") == [("Small", 2000), ("Large", 9000)]
    shown = words(svg(made["linux-armv6-tree-generated-2-size-instructions"]))
    assert "2,000" in shown and not any(re.search(r"\d (ns|µs|ms)", word) for word in shown)


def test_attacks_stay_text(tmp_path: Path):
    from serbench.report.plots import write_plots

    files = write_plots(hostile_run(), tmp_path)
    assert files
    assert all(path.parent == tmp_path for path in files)
    for path in tmp_path.glob("*.svg"):
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(path.read_text()).iter()}  # noqa: S314
        assert not tags & {"script", "img", "image", "foreignObject"}
    assert json.dumps([spec for _, spec in plots(hostile_run())])


def test_names_of_files_are_harmless():
    assert file_name(("tree", "../../etc/passwd", "speed")) == "tree-..-..-etc-passwd-speed"
    assert file_name(("tree", ATTACK, "x")).isascii()
    assert file_name(("..", "/", ".")) == "group"
