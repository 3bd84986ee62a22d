"""Growth: the curves are those that the synthetic run was made of, and every report says them."""

import csv
import io
import json
import re

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.datasets.limits import without_schema
from serbench.kinds.growth.curves import growth, place_of, sizes
from serbench.kinds.growth.plan import growth_rows
from serbench.kinds.growth.plots import growth_plots, selections
from serbench.measure.records import Failure
from serbench.project import ROOT
from serbench.report.plots import plots
from serbench.report.render import render
from tests.report.grown import (
    ENDS_AT,
    LIBRARIES,
    NS_PER_MB,
    PARTS,
    SIZES,
    UNMAPPED,
    UNMAPPED_PARTS,
    give_net_time,
    growth_run,
)
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
    for table in (encode, decode):
        assert table.sizes == list(SIZES)
        assert table.curves[0].name == "JSON"
        true = {name: ratio for (_, name, _), ratio in LIBRARIES.items()}
        assert {curve.name for curve in table.curves} == set(true)
        for curve in table.curves:
            ratios = [point.ratio.value for point in curve.points]
            assert ratios == pytest.approx([true[curve.name]] * len(ratios), rel=0.2)
            times = [point.time.value / point.megabytes for point in curve.points]
            assert times == pytest.approx([NS_PER_MB * true[curve.name]] * len(times), rel=0.2)
            assert all(p.ratio.low <= p.ratio.value <= p.ratio.high for p in curve.points)


@pytest.mark.parametrize(
    ("stated", "reference"), [(None, "JSON"), (["javascript/bson"], "bson"), (["c/other"], None)]
)
def test_the_reference_is_the_one_that_the_run_states(stated, reference):
    run = growth_run(sizes=(0.1, 1.99))
    run.settings.references = stated
    for table in growth(run):
        assert [curve.name for curve in table.curves if curve.is_reference] == [reference] * bool(reference)
        points = [point for curve in table.curves for point in curve.points]
        if reference is None:
            assert not any(point.ratio for point in points)
            continue
        true = {name: ratio for (_, name, _), ratio in LIBRARIES.items()}
        (json,) = [point for curve in table.curves if curve.name == "JSON" for point in curve.points[:1]]
        assert json.ratio.value == pytest.approx(1 / true[reference], rel=0.2)


def test_ratios_are_formed_within_launches():
    """A launch that is slower for all rows changes no ratio, though it changes every time."""
    calm = growth_run()
    # Only a little: a net time that reaches 0 has no ratio, and that of the raw times takes its place.
    slowed = [
        msgspec.structs.replace(sample, wall=[wall * (10 + sample.launch) for wall in sample.wall])
        for sample in calm.samples
    ]
    uneven = msgspec.structs.replace(calm, samples=slowed)
    for before, after in zip(growth(calm), growth(uneven), strict=True):
        for curve, changed in zip(before.curves, after.curves, strict=True):
            for point, other in zip(curve.points, changed.points, strict=True):
                assert tuple(other.ratio) == pytest.approx(tuple(point.ratio))
                assert other.time.value == pytest.approx(11 * point.time.value, rel=0.02)


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


def test_a_size_alone_has_a_table_in_a_growth_run_and_no_curve():
    run = growth_run(sizes=(0.1,))
    table = render([run], "table", 80)
    assert "encode · records" in table and "avsc" in table
    assert "### Growth: encode · records" in render([run], "markdown")
    assert list(growth_plots(run)) == []
    usual = msgspec.structs.replace(run, settings=msgspec.structs.replace(run.settings, growth=False))
    assert growth(usual) == [] and "Growth" not in render([usual], "markdown")
    assert "No size" in render([msgspec.structs.replace(run, rows=[], samples=[])], "table", 80)


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
    assert shown.count("### Growth: ") == 3
    assert shown.count("| Contender | 0.1 | 0.53 | 1.99 | 10.4 | 39.8 | 97 | 190 | 371 |") == 5
    assert re.search(r"\| pbf \| 0\.1\d? \(0\.\d+-0\.\d+\)", shown)
    assert re.search(r"\| JSON \| \d+ µs ±", shown)
    assert "left out: the budget has no room" in shown
    assert "What the columns say" not in shown


def test_sizes_are_parts_of_those_of_json_with_maps():
    run = growth_run(shapes=("", "unmapped"))
    (table,) = sizes(growth(run))
    assert (table.title, table.curves[0].name) == ("size · records", "JSON")
    found = {curve.name: [point.size for point in curve.points] for curve in table.curves}
    for (_, name, format_name), shape, parts in [
        *((library, "", PARTS) for library in LIBRARIES),
        *((library, " unmapped", UNMAPPED_PARTS) for library in UNMAPPED),
    ]:
        curve = found[name if name.endswith(shape) else name + shape]
        assert curve == pytest.approx([parts[format_name]] * len(curve), rel=1e-4)
    parts = [part[-1] for part in list(found.values())[1:]]
    assert parts == sorted(parts)
    for shown in shown_of(run):
        assert "those of unmapped data as parts of the JSON that has the same records as maps" in shown
    lines = render([run], "table", 80).partition("size · records, as a part of JSON's")[2].splitlines()
    cells = {name: row for name, *row in (re.split(" {2,}", line.rstrip()) for line in lines)}
    assert cells["avsc unmapped"] == ["0.494"] * 8 and cells["protons 1.2"][3:5] == ["0.418", "-"]
    assert "| avsc unmapped | 0.494 | 0.494 |" in render([run], "markdown")


def test_sizes_of_arrays_alone_are_parts_of_those_of_their_json():
    run = growth_run(shapes=("unmapped",))
    (table,) = sizes(growth(run))
    avsc = next(curve for curve in table.curves if curve.name == "avsc unmapped")
    assert avsc.points[0].size == pytest.approx(0.494 / 0.772, rel=1e-4)
    for record in run.rows:
        record.bytes = None
    assert sizes(growth(run)) == [] and "size ·" not in render([run], "table", 80)


def row_at(run, megabytes, name="avsc", test="write"):
    """The record of a row on maps at a size."""
    found = (name, test, f"records:{megabytes:g}")
    return next(row for row in run.rows if (row.contender, row.test, row.dataset) == found)


def shown_of(run):
    """The tables without the terminal's line breaks, and the Markdown."""
    return re.sub(r"\s+", " ", render([run], "table", 200)), render([run], "markdown")


def test_every_point_without_a_figure_says_why():
    run = growth_run()
    for megabytes in (190, 371):
        record = row_at(run, megabytes)
        record.status, record.reason = "failed", "it ran out of heap"
        run.samples = [sample for sample in run.samples if sample.row != record.id]
    while_measured = row_at(run, 97, "pbf", "tree")
    run.failures.append(Failure(row=while_measured.id, launch=1, reason="it was killed by signal 9"))
    encode, decode = growth(run)
    assert encode.without == [("avsc at 190, 371 MB", "failed: it ran out of heap")]
    assert decode.without == [("pbf at 97 MB", "failed: it was killed by signal 9")]
    for shown in shown_of(run):
        assert "avsc at 190, 371 MB: failed: it ran out of heap" in shown
        assert "pbf at 97 MB: failed: it was killed by signal 9" in shown
    assert "Not measured:\n\n- pbf at" in render([run], "markdown")


def test_a_library_without_any_figure_is_no_curve_and_says_why():
    run = growth_run()
    for record in run.rows:
        if record.contender == "bson":
            record.status, record.reason = "unavailable", "npm has it not"
    encode = growth(run)[0]
    assert "bson" not in {curve.name for curve in encode.curves}
    assert encode.without == [
        (f"bson at {', '.join(f'{size:g}' for size in SIZES)} MB", "unavailable: npm has it not")
    ]


def test_labels_and_few_launches_are_told_by_curve():
    run = growth_run()
    for record in run.rows:
        if record.contender == "avsc" and record.test == "write":
            record.labels = ["knows the schema|"]
    short = row_at(run, 190)
    run.samples = [s for s in run.samples if (s.row, s.launch) != (short.id, 2)]
    encode, decode = growth(run)
    said = "knows the schema|; few samples: 2 of 3 launches (at 190 MB)"
    assert (encode.notes, decode.notes) == ([("avsc", said)], [])
    table, markdown = shown_of(run)
    assert f"avsc: {said}" in table
    assert f"Notes:\n\n- avsc: {said.replace('|', '&#124;')}\n" in markdown


def test_ratios_of_raw_times_are_marked():
    run = growth_run()
    assert not any("raw times" in shown for shown in shown_of(run))
    give_net_time(row_at(run, 190), run, 0.002)
    give_net_time(row_at(run, 371), run, -0.05)
    encode, decode = growth(run)
    points = [(c, p) for table in (encode, decode) for c in table.curves for p in c.points]
    raw = [(c.name, p.megabytes) for c, p in points if p.basis == "raw"]
    assert raw == [("avsc", 190.0), ("avsc", 371.0)]
    assert {p.basis for _, p in points} == {"net", "raw"}
    avsc = next(curve for curve in encode.curves if curve.name == "avsc")
    assert [point.megabytes for point in avsc.points if point.time is None] == [371.0]
    assert encode.notes == [
        ("avsc", "below the harness's own: serbench's error (at 371 MB); no net time above 0 (at 371 MB)")
    ]
    table, markdown = shown_of(run)
    assert "* marks ratios of raw times" in table and "\\* marks ratios of raw times" in markdown
    assert len(re.findall(r"\d\* \(", table)) == 2 and len(re.findall(r"\d\\\* \(", markdown)) == 2
    assert len(re.findall(r"\d\* ", re.sub(r"\s+", " ", render([run], "table", 80)))) == 2


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


def test_the_usual_libraries_make_the_three_groups_that_the_comparison_showed():
    catalog = load_catalog(ROOT)

    def usual(kinds, schema):
        taken = [
            row.contender
            for row in growth_rows(catalog, [], kinds)
            if row.contender.manifest.role == "contender"
            and without_schema(row.contender.manifest.schemas, schema) is None
        ]
        return {
            (c.id.rpartition("/")[2], c.manifest.name, catalog.formats[c.manifest.format].name): 0.5
            for c in taken
        }

    def groups(run):
        return {each.name: {c.name for c in each.curves} for each in selections(growth(run)[0])}

    protobuf = {"protobufjs", "pbf", "google-protobuf", "protons", "protons 1.2"}
    protobuf |= {"protons 1.2 with protobufjs"}
    found = groups(growth_run(libraries=usual(["records"], "records")))
    assert found["protocol-buffers"] == {"JSON", *protobuf}
    assert found["full"] == {"JSON", "avsc", "js-binary", "bson", *protobuf}
    kinds = ["records", "records:unmapped"]
    mapped, unmapped = (usual(kinds, schema) for schema in ("records", "records-unmapped"))
    found = groups(growth_run(shapes=("", "unmapped"), libraries=mapped, unmapped=unmapped))
    assert found["protocol-buffers"] == {"JSON", *protobuf} and protobuf < found["full"]
    assert found["settings"] == {
        *("JSON", "JSON unmapped", "bson", "bson unmapped"),
        *("avsc", "avsc optional", "avsc unmapped", "avsc inferred", "avsc inferred unmapped"),
        *("js-binary", "js-binary optional", "js-binary unmapped"),
        *("js-binary json", "js-binary json unmapped"),
    }


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
