"""The growing datasets: exact sizes, as the formats' rules give them, and the published ones."""

import json
from itertools import islice

import pytest

from serbench.datasets.growing import MEGABYTE, distinct_rows, json_bytes, rows_of, steps
from serbench.datasets.spec import parse_spec
from serbench.errors import UserError
from serbench.proving import prove
from tests.conftest import LIMITS
from tests.datasets.pyhash import TapeReader

ROWS = 2109
# Bytes of the whole and of each row. A count of 2,109 takes two bytes; Avro ends an array with a zero byte,
# and an array of three doubles with its count and another.
SIZES = {
    "records:0.1": {
        "avsc:write": (3, 17),
        "avro-js:write": (3, 17),
        "avsc-inferred:write": (3, 17),
        "avsc-optional:write": (3, 20),
        "protobufjs:write": (0, 22),
        "protobufjs-generated:write": (0, 22),
        "pbf:write": (0, 22),
        "protons:write": (0, 22),
        "protons-1:write": (0, 22),
        "protons-protobufjs:write": (0, 22),
        "bufbuild:write": (0, 22),
        "google-protobuf:write": (0, 22),
        "js-binary:write": (2, 17),
        "js-binary-optional:write": (2, 20),
    },
    "records:0.1:unmapped": {
        "avsc-unmapped:write": (3, 26),
        "avsc-inferred:write": (3, 26),
        "js-binary-unmapped:write": (2, 25),
    },
}
TEXTS = {
    "records:0.1": {"json:write": 106669, "fast-json-stringify:write": 106669},
    "records:0.1:unmapped": {"json:write": 81351, "js-binary-json:write": 81355, "bson:write": 83255},
}


@pytest.fixture(scope="module")
def proven(workshop, built, generated, tmp_path_factory):
    """The records of all JavaScript rows, by dataset and row id."""
    rows = [ready.row for name, ready in built.items() if name.startswith("javascript/")]
    specs = [*SIZES, "records:0.1:optional", "records-distinct:0.1"]
    folder = tmp_path_factory.mktemp("outputs")
    made = [generated(spec) for spec in specs]
    return {
        item.dataset.name: {record.row.removeprefix("javascript/"): record for record, _, _ in item.rows}
        for item in prove(workshop, rows, made, folder, LIMITS)
    }


@pytest.mark.parametrize("spec", SIZES)
def test_exact_sizes(spec, proven):
    wanted = {row: base + each * ROWS for row, (base, each) in SIZES[spec].items()} | TEXTS[spec]
    found = {row: proven[spec][row].bytes for row in wanted if proven[spec][row].status != "unavailable"}
    assert found == {row: size for row, size in wanted.items() if row in found}


@pytest.mark.parametrize("spec", [*SIZES, "records:0.1:optional", "records-distinct:0.1"])
def test_who_takes_part(spec, proven):
    """Rows that need a schema do on data that carry theirs, and are labelled; all others do anyway."""
    schema = parse_spec(spec).schema
    for row in proven[spec].values():
        if row.status != "unavailable":
            assert row.status in ("ok", "unsupported"), f"{row.row}: {row.reason}"
        if row.status == "unsupported":
            assert row.reason == f"its schema is not that of this dataset ({schema})"
            assert "needs a schema" in row.labels


def test_without_a_schema(workshop, built, generated, tmp_path):
    rows = [
        built[f"javascript/{name}"].row for name in ("avsc:write", "avsc:tree", "json:write", "json:tree")
    ]
    (item,) = prove(workshop, rows, [generated("generated:1")], tmp_path, LIMITS)
    found = {record.row: (record.status, record.reason) for record, _, _ in item.rows}
    refused = ("unsupported", "it needs a schema, which this dataset does not carry")
    assert found["javascript/avsc:write"] == found["javascript/avsc:tree"] == refused
    assert found["javascript/json:tree"] == ("ok", "")


def test_the_steps_are_those_of_the_comparison():
    """Step 90 has 208,617 rows and 10.467 MB, of which 23 are distinct; x stays within 1 to 8."""
    rows, size = next(islice(steps(), 90, None))
    assert (len(rows), round(size, 3), len(set(rows))) == (208_617, 10.467, 23)
    assert (min(x for x, _, _ in rows), max(x for x, _, _ in rows)) == (1, 8)
    assert json_bytes(rows) == round(size * MEGABYTE)
    # The published ratios to JSON, from the sizes that the rows above are proved to have.
    sizes = {"avsc": 17, "avsc optional": 20, "avsc unmapped": 26, "protobuf": 22, "js-binary unmapped": 25}
    ratios = {name: round(each * len(rows) / json_bytes(rows), 3) for name, each in sizes.items()}
    assert ratios == {
        "avsc": 0.323,
        "avsc optional": 0.38,
        "avsc unmapped": 0.494,
        "protobuf": 0.418,
        "js-binary unmapped": 0.475,
    }


def test_sizes_are_those_of_real_json():
    rows = rows_of(0.01)
    text = json.dumps({"items": [dict(zip("xyz", row, strict=True)) for row in rows]}, separators=(",", ":"))
    assert len(text) == json_bytes(rows) >= 0.01 * MEGABYTE


def test_distinct_rows_are():
    rows = distinct_rows(0.1)
    assert len(rows) == len(set(rows)) == ROWS
    assert [x for x, _, _ in rows] == list(range(1, ROWS + 1))


@pytest.mark.parametrize("shape", ["", ":unmapped", ":optional"])
@pytest.mark.parametrize("kind", ["records", "records-distinct"])
def test_tapes(kind, shape, generated):
    root = TapeReader(generated(f"{kind}:0.01{shape}").tape.read_bytes()).root
    rows = (rows_of if kind == "records" else distinct_rows)(0.01)
    if shape == ":unmapped":
        assert root == [list(row) for row in rows]
        return
    whole = [dict(zip("xyz", row, strict=True)) for row in rows]
    assert list(root) == ["items"]
    if shape == "":
        assert root["items"] == whole
    else:
        missing = {1: "y", 2: "z"}
        assert root["items"] == [
            {key: value for key, value in row.items() if key != missing.get(number % 3)}
            for number, row in enumerate(whole)
        ]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("records", "number of megabytes"),
        ("records:x", "number of megabytes"),
        ("records:0", "0.001 to 400"),
        ("records:500", "0.001 to 400"),
        ("records:1:mapped", "unmapped"),
        ("records:1:unmapped:optional", "either"),
    ],
)
def test_bad_names(text, part):
    with pytest.raises(UserError, match=part):
        parse_spec(text)
