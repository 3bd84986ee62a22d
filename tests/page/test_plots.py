"""The static plots: which there are, and that what they show is the run's."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from serbench import text
from serbench.report.page.library import svg
from serbench.report.plots import file_name, plots
from serbench.report.view import rank_of
from serbench.results.analysis import analyse
from serbench.results.schema import Run
from serbench.results.summary import Group
from tests.page.runs import ATTACK, emulated_run, hostile_run
from tests.results.builder import row, samples, synthetic_run

SVG = "{http://www.w3.org/2000/svg}"


def moved(run: Run) -> Run:
    run.id = "newer"
    for record in run.rows:
        record.program = record.row
        if record.contender == "MPack":
            record.program = "changed"
    return run


def words(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)  # noqa: S314 - made here
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_each_group_has_its_plots():
    names = [name for name, _ in plots(synthetic_run())]
    assert names == [
        f"{test}-generated-2-speed-{kind}" for test in ("write", "tree") for kind in ("ranking", "pareto")
    ]


def test_a_ranking_shows_every_measured_contender_in_its_order():
    run = synthetic_run()
    spec = dict(plots(run))["tree-generated-2-speed-ranking"]
    bars = next(data["values"] for data in spec["data"] if data["name"] == "rows")
    tree = [row for row in analyse(run) if row.record.test == "tree" and row.record.role == "contender"]
    rows = [row.result for row in tree if row.result.net_ns is not None]
    assert [bar["value"] for bar in bars] == pytest.approx([max(0.0, r.net_ns or 0) / 1e3 for r in rows])
    assert [bar["label"].split("  ")[0] for bar in bars] == [rank_of(r) or text.NONE for r in rows]
    assert "3-4" in {rank_of(r) for r in rows}


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


def test_the_plot_of_what_changed_leaves_out_what_moved_least():
    old, new = formats_run(60), formats_run(60)
    new.id = "newer"
    for sample in new.samples:
        factor = 1 + (sample.row % 900 % 100) / 100
        sample.wall = [round(ns * factor) for ns in sample.wall]
    for record in new.rows:
        record.program = "new" if record.role == "contender" else "same"
    for run in (old, new):
        for record in run.rows:
            record.contender = "Same" if record.id in (1, 59) else record.contender
    spec = dict(plots(new, old))["improvement"]
    bars = next(data["values"] for data in spec["data"] if data["name"] == "rows")
    ratios = [bar["value"] for bar in bars]
    assert len(bars) == 40 and ratios == sorted(ratios) and max(ratios) > 1.5
    assert "23 that moved less are not shown" in spec["title"]["subtitle"]
    assert any(bar["label"].startswith("Same [F59] tree") for bar in bars)


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


def formats_run(number: int) -> Run:
    """A run with two groups: `number` formats of one library each, and the last three of them."""
    source = random.Random(number)
    run = synthetic_run()
    run.failures, run.samples = [], []
    run.rows = [
        row(n, f"L{n}", test, format=f"f{n % 100}", format_name=f"F{n % 100:02}", bytes=2000 + 50 * (n % 100))
        for test, numbers in (("tree", range(number)), ("write", range(100 + number - 3, 100 + number)))
        for n in numbers
    ]
    for test, n in (("tree", 900), ("write", 901)):
        run.rows.append(row(n, "baseline", test, role="baseline"))
    for record in run.rows:
        run.samples += samples(
            record, (3000 if record.id >= 900 else 4000 + 100 * (record.id % 100)), source, range(5)
        )
    return run


def looks(picture: str) -> dict[str, tuple[str, str]]:
    """The colour and the shape that the legend of a picture gives each format."""
    root = ElementTree.fromstring(picture)  # noqa: S314 - made here

    def of(role: str, tag: str) -> list[ElementTree.Element]:
        groups = [g for g in root.iter(f"{SVG}g") if role in g.get("class", "").split()]
        return [element for group in groups for element in group.iter(f"{SVG}{tag}")]

    symbols = of("role-legend-symbol", "path")
    labels = of("role-legend-label", "text")
    return {
        label.text or "": (symbol.get("fill", ""), symbol.get("d", ""))
        for label, symbol in zip(labels, symbols, strict=True)
    }


def test_a_format_has_one_look_in_all_plots_of_a_run():
    made = dict(plots(formats_run(14)))
    pictures = {name: looks(svg(spec)) for name, spec in made.items()}
    points = pictures["tree-generated-2-speed-pareto"]
    assert set(points) == {f"F{n:02}" for n in range(14)}
    assert len(set(points.values())) == 14
    for name, shown in pictures.items():
        assert set(shown) == ({f"F{n:02}" for n in (11, 12, 13)} if name.startswith("write") else set(points))
        for form, (colour, shape) in shown.items():
            assert colour == points[form][0], (name, form)
            # A circle or a closed line; in a stroke is nothing to fill.
            assert "pareto" not in name or (shape == points[form][1] and re.search("[AZ]", shape)), form


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
    assert file_name(Group("tree", "../../etc/passwd", "speed", "")) == "tree-..-..-etc-passwd-speed"
    assert file_name(Group("tree", ATTACK, "x", ATTACK)).isascii()
    assert file_name(Group("..", "/", ".", "")) == "group"
