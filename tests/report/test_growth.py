"""Growth: the curves are those that the synthetic run was made of, and every report says them."""

import csv
import io
import json
import re

import msgspec
import pytest

from serbench.measure.comparison import time_ratio
from serbench.report.growth import growth, place_of
from serbench.report.growth_plots import growth_plots, selections
from serbench.report.plots import plots
from serbench.report.render import render
from serbench.results.analysis import row_figures
from tests.report.grown import ENDS_AT, LIBRARIES, NS_PER_MB, SIZES, UNMAPPED, growth_run
from tests.results.builder import HOSTILE, synthetic_run


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("records:0.1", ("records", 0.1, "")),
        ("records-distinct:371:optional", ("records-distinct", 371.0, "optional")),
        ("generated:2", None),
        ("records:1.2.3", None),
        ("records:", None),
        ("./records:1", None),
    ],
)
def test_the_place_of_a_dataset(name, place):
    assert place_of(name) == place


def test_the_curves_are_the_true_ones():
    encode, decode = growth(growth_run())
    assert (encode.title, decode.title) == ("encode · records", "decode · records")
    for chapter in (encode, decode):
        assert chapter.sizes == list(SIZES)
        assert chapter.curves[0].name == "JSON"
        true = {name: ratio for (_, name, _), ratio in LIBRARIES.items()}
        assert {curve.name for curve in chapter.curves} == set(true)
        for curve in chapter.curves:
            ratios = [point.ratio.value for point in curve.points]
            assert ratios == pytest.approx([true[curve.name]] * len(ratios), rel=0.2)
            times = [point.time.value / point.megabytes for point in curve.points]
            assert times == pytest.approx([NS_PER_MB * true[curve.name]] * len(times), rel=0.2)
            assert all(p.ratio.low <= p.ratio.value <= p.ratio.high for p in curve.points)


def test_ratios_are_formed_within_launches():
    run = growth_run()
    figures = row_figures(run)
    rows = {(row.contender, row.test, row.dataset): row.id for row in run.rows}
    encode = growth(run)[0]
    avsc = next(curve for curve in encode.curves if curve.name == "avsc")
    for point in avsc.points:
        dataset = f"records:{point.megabytes:g}"
        one, other = (rows[name, "write", dataset] for name in ("avsc", "JSON"))
        assert tuple(point.ratio) == tuple(time_ratio(figures[one], figures[other]).log.interval)


def test_where_a_row_was_left_out_its_curve_ends():
    encode = growth(growth_run())[0]
    ends = {curve.contender_id: curve.points[-1].megabytes for curve in encode.curves}
    assert {name.rpartition("/")[2]: end for name, end in ends.items() if end < 371} == ENDS_AT


def test_arrays_are_held_against_maps():
    encode = growth(growth_run(shapes=("", "unmapped")))[0]
    found = {curve.name: curve for curve in encode.curves if curve.setting}
    assert set(found) == {"JSON unmapped", "avsc unmapped", "bson unmapped"}
    for (_, name, _), ratio in UNMAPPED.items():
        curve = found[name if name.endswith("unmapped") else f"{name} unmapped"]
        assert [p.ratio.value for p in curve.points] == pytest.approx([ratio] * len(SIZES), rel=0.2)


def test_a_size_alone_is_no_growth():
    run = growth_run(sizes=(0.1,))
    assert growth(run) == []
    assert "nothing has grown" in render([run], "table", 80)
    assert "Growth" not in render([run], "markdown")


def test_a_run_of_other_data_has_no_curves():
    assert growth(synthetic_run()) == []


def test_one_launch_gives_times_and_no_ratios():
    encode = growth(growth_run(launches=1))[0]
    assert all(point.time and point.time.low is None for c in encode.curves for point in c.points)
    assert all(point.ratio is None for c in encode.curves for point in c.points)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_table_fits_and_has_every_size(width):
    run = growth_run(shapes=("", "unmapped"))
    shown = render([run], "table", width)
    assert max(len(line) for line in shown.splitlines()) <= width
    for title in ("encode · records", "decode · records"):
        assert title in shown
    encode = shown[shown.index("encode ·") : shown.index("decode ·")]
    headers = [word for line in encode.splitlines() if line.startswith("MB") for word in line.split()[1:]]
    assert headers == [f"{size:g}" for size in SIZES]
    avsc = [
        word for line in encode.splitlines() if re.match(r"avsc +[0-9]", line) for word in line.split()[1:]
    ]
    ratios = [float(word) for word in avsc if not word.startswith("(")]
    assert ratios == pytest.approx([0.15] * len(SIZES), rel=0.2)
    assert ("(0." in encode) is (width == 200)


def test_markdown_has_ratios_and_times():
    shown = render([growth_run()], "markdown")
    assert shown.count("### Growth: ") == 2
    assert shown.count("| Contender | 0.1 | 0.53 | 1.99 | 10.4 | 39.8 | 97 | 190 | 371 |") == 4
    assert re.search(r"\| pbf \| 0\.1\d? \(0\.\d+-0\.\d+\)", shown)
    assert re.search(r"\| JSON \| \d+ µs ±", shown)
    assert "left out: the budget has no room" in shown
    assert "What the columns say" not in shown


def test_csv_and_json_have_the_ordinary_rows():
    run = growth_run()
    assert len(list(csv.DictReader(io.StringIO(render([run], "csv"))))) == len(run.rows)
    assert json.loads(render([run], "json"))


def test_hostile_names_stay_text():
    run = growth_run()
    for record in run.rows:
        record.contender = f"{record.contender} {HOSTILE}"
    for shown in (render([run], "table", 200), render([run], "markdown")):
        assert "\x1b" not in shown and "\u202e" not in shown


def test_the_groups_of_the_plots():
    encode = growth(growth_run(shapes=("", "unmapped")))[0]
    found = {each.name: {curve.name for curve in each.curves} for each in selections(encode)}
    assert set(found) == {"full", "protocol-buffers", "settings"}
    assert found["full"] == {name for _, name, _ in LIBRARIES}
    assert found["protocol-buffers"] == {
        *("JSON", "pbf", "protobufjs", "google-protobuf", "protons", "protons 1.2"),
    }
    assert found["settings"] == {"JSON", "JSON unmapped", "avsc", "avsc unmapped", "bson", "bson unmapped"}


def test_the_plots_show_the_curves_with_their_intervals():
    run = growth_run()
    specs = dict(plots(run))
    assert set(specs) == {
        f"growth-{group}-{word}-{kind}"
        for group in ("full", "protocol-buffers")
        for word in ("encode", "decode")
        for kind in ("time", "ratio")
    }
    values = next(d["values"] for d in specs["growth-full-encode-ratio"]["data"] if d["name"] == "rows")
    encode = growth(run)[0]
    expected = [
        (c.name, p.megabytes, p.ratio.value, p.ratio.low, p.ratio.high)
        for c in encode.curves
        for p in c.points
    ]
    found = [(v["label"], v["megabytes"], v["value"], v["low"], v["high"]) for v in values]
    assert found == expected
    signals = {s["name"]: s.get("value") for s in specs["growth-full-encode-ratio"]["signals"]}
    assert signals["level"] == 1
    assert (
        signals["least"] < min(v["value"] for v in values) < max(v["value"] for v in values) < signals["most"]
    )


def test_any_run_of_several_sizes_has_curves():
    run = growth_run()
    run.settings = msgspec.structs.replace(run.settings, growth=False)
    names = [name for name, _ in plots(run)]
    assert "growth-full-encode-time" in names and "write-records-0.1-speed-ranking" in names
    assert [name for name, _ in growth_plots(run)] == [n for n in names if n.startswith("growth-")]
    assert "### Growth: encode" in render([run], "markdown")
