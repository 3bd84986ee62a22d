"""Ratios to a contender, and the rows that geometric means are over."""

import csv
import io
import json
import math
import random

import pytest

from serbench.errors import UserError
from serbench.report.relative import find_reference, relative
from serbench.report.render import render
from serbench.results.schema import Platform, Run
from tests.results.builder import configured_run, row, samples, synthetic_run

TRUE = {
    ("MPack", "tree", "generated:2"): 2000,
    ("MPack", "tree", "generated:4"): 4000,
    ("MPack", "write", "generated:2"): 1000,
    ("YAJL", "tree", "generated:2"): 4000,
    ("YAJL", "tree", "generated:4"): 32_000,
    ("YAJL", "write", "generated:2"): 4000,
    ("Lone", "tree", "generated:2"): 3000,
}


def known_run() -> Run:
    source = random.Random(3)
    run = synthetic_run()
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    for number, ((name, test, dataset), ns) in enumerate(TRUE.items()):
        record = row(number, name, test, dataset=dataset)
        run.rows.append(record)
        run.samples += samples(record, ns, source, range(6), spread=0.002)
    return run


def test_ratios_and_means_are_those_of_the_true_times() -> None:
    found = relative(known_run(), "mpack", ["mpack", "yajl"])
    ratios = {
        (r.row.record.contender, *group.group[:2]): r.ratio for group in found.groups for r in group.rows
    }
    yajl = ratios["YAJL", "tree", "generated:4"]
    assert yajl is not None and yajl.low < 8.05 and yajl.high > 7.95
    assert yajl.value == pytest.approx(8, rel=0.01)
    reference = ratios["MPack", "tree", "generated:2"]
    assert reference is not None and reference[:3] == (1, 1, 1)
    means = {m.scope: m for m in found.means}
    assert len(means["all tests"].over) == 3 and means["all tests"].left_out == []
    mean = means["all tests"].means[-1]
    assert mean.name == "YAJL"
    assert mean.ratio.value == pytest.approx((2 * 8 * 4) ** (1 / 3), rel=0.01)
    assert mean.ratio.low < mean.ratio.value < mean.ratio.high


def test_a_mean_is_only_over_rows_that_all_compared_contenders_have() -> None:
    found = relative(known_run(), "c/mpack")
    tree = next(m for m in found.means if m.scope == "tree")
    assert tree.over == ["tree generated:2 speed"]
    assert tree.left_out == ["tree generated:4 speed"]
    assert {m.name: round(m.ratio.value, 1) for m in tree.means} == {"MPack": 1.0, "Lone": 1.5, "YAJL": 2.0}
    write = next(m for m in found.means if m.scope == "write")
    assert {m.name for m in write.means} == {"MPack", "YAJL"}


def test_no_common_row_gives_no_mean_and_says_so() -> None:
    run = known_run()
    run.rows[6].dataset = "generated:5"
    run.rows[0].dataset = run.rows[3].dataset = "generated:1"
    run.rows.append(row(7, "MPack", dataset="generated:5"))
    run.samples += samples(run.rows[7], 1000, random.Random(1), range(6))
    tree = next(m for m in relative(run, "mpack").means if m.scope == "tree")
    assert tree.over == [] and tree.means == [] and len(tree.left_out) == 3
    assert "No geometric mean" in render([run], "table", relative_to="mpack")


def test_a_row_is_divided_by_the_reference_of_its_own_compiler_and_allocator() -> None:
    found = relative(configured_run(), "mpack")
    (group,) = found.groups
    assert sum(r.is_reference for r in group.rows) == 4
    for item in group.rows:
        if item.row.record.contender == "YAJL" and item.row.record.toolchain == "clang":
            clang = 1.1
            cheaper = 9000 if item.row.record.allocator == "jemalloc" else 0
            net = [ns * clang - cheaper - 100_000 * clang for ns in (410_000, 180_000)]
            assert item.ratio is not None
            assert item.ratio.value == pytest.approx(net[0] / net[1], rel=0.03)


@pytest.mark.parametrize("compilers", [("gcc", "clang"), ("gcc", ""), ("", "")])
def test_a_row_is_divided_by_the_reference_of_its_own_level(compilers: tuple[str, str]) -> None:
    """The one language may have no choice of compilers, and its rows levels all the same."""
    run = configured_run()
    for record in run.rows:
        record.cpu = "baseline" if record.toolchain == "gcc" else "v3"
        record.toolchain = dict(zip(("gcc", "clang"), compilers, strict=True))[record.toolchain]
    clang = 1.1
    (group,) = relative(run, "mpack").groups
    for item in group.rows:
        if item.row.record.contender == "YAJL" and item.row.record.allocator == "system":
            slower = clang if item.row.record.cpu == "v3" else 1.0
            net = [ns * slower - 100_000 * slower for ns in (410_000, 180_000)]
            assert item.ratio is not None and item.ratio.value == pytest.approx(net[0] / net[1], rel=0.03)
    run.rows = [r for r in run.rows if (r.contender, r.cpu) != ("MPack", "v3")]
    run.samples = [s for s in run.samples if s.row in {r.id for r in run.rows}]
    (group,) = relative(run, "mpack").groups
    assert {
        (item.row.record.cpu, item.ratio is None) for item in group.rows if item.name.startswith("YAJL")
    } == {
        ("baseline", False),
        ("v3", True),
    }


def test_an_unknown_reference_names_the_nearest_and_an_ambiguous_one_all() -> None:
    run = synthetic_run()
    with pytest.raises(UserError, match="did you mean 'yajl'"):
        find_reference(run, "yaijl")
    with pytest.raises(UserError, match="c/msgpack, cpp/msgpack"):
        find_reference(run, "msgpack")
    assert find_reference(run, "cpp/msgpack") == "cpp/msgpack"
    assert find_reference(run, "YAJL") == "c/yajl"


def test_every_format_holds_the_same_ratios() -> None:
    run = known_run()
    made = {
        name: render([run], name, relative_to="mpack", among=["mpack", "yajl"]) for name in ("csv", "json")
    }
    rows = list(csv.DictReader(io.StringIO(made["csv"])))
    ratios = json.loads(made["json"])
    listed = ratios["rows"] + ratios["geometric_means"]
    assert [float(r["ratio"]) for r in rows] == pytest.approx([r["ratio"] for r in listed], abs=1e-6)
    assert {r["relative_to"] for r in rows} == {"c/mpack"}
    assert next(r["over"] for r in rows if r["kind"] == "geometric mean").count(";") == 2
    table, markdown = (render([run], name, relative_to="mpack") for name in ("table", "markdown"))
    assert max(map(len, table.splitlines())) <= 80
    for text in (table, markdown):
        assert "the reference" in text and "tree generated:2 speed" in text
    with pytest.raises(UserError, match="no place for ratios"):
        render([run], "hyperfine", relative_to="mpack")


def test_hostile_and_unmeasured_rows_are_shown_harmlessly() -> None:
    run = synthetic_run()
    for name in ("table", "markdown", "csv", "json"):
        text = render([run], name, relative_to="yajl")
        assert "\x1b" not in text and "\u202e" not in text
        assert "libbson" in text
    assert "<b>" not in render([run], "markdown", relative_to="yajl")
    for item in relative(run, "yajl").groups[0].rows:
        assert (item.ratio is None) == bool(item.reason)
        assert item.ratio is None or math.isfinite(item.ratio.value)


def test_counts_are_refused_in_a_sentence() -> None:
    run = synthetic_run()
    stated = {"title": "t", "stands_for": ["x"], "compiler": "", "flags": "", "emulator": ""}
    run.platforms = [Platform(name="linux-armv6", unit="instructions", **stated)]  # type: ignore[arg-type]
    for row_record in run.rows:
        row_record.platform = "linux-armv6"
    with pytest.raises(
        UserError, match="has counts of linux-armv6, and --relative-to makes ratios of times only"
    ):
        relative(run, "MPack")
    run.rows, run.samples = [], []  # as on a microcontroller
    with pytest.raises(UserError, match="makes ratios of times only"):
        relative(run, "MPack")
