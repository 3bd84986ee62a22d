"""The growing datasets: exact sizes, as the formats' rules give them, and the published ones."""

import json
from itertools import islice

import pytest

from serbench.datasets.growing import MEGABYTE, distinct_rows, json_bytes, rows_of, steps
from serbench.datasets.spec import parse_spec
from serbench.errors import UserError
from serbench.run.proving import prove
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


def unmapped_json(rows):
    """As `json_bytes`, with [,,] for {"x":,"y":,"z":} and without {"items":}."""
    return json_bytes(rows) - 12 * len(rows) - 10


def bson(rows):
    """A document of documents: a size and a zero each, before each a type and the number as text with a zero.

    In it x takes a type, a key of two bytes and four more, y and z eight more; they are no whole numbers.
    """
    assert not any(number.is_integer() for _, y, z in rows for number in (y, z))
    return 5 + sum(2 + len(str(number)) + 5 + (3 + 4) + 2 * (3 + 8) for number in range(len(rows)))


# Those whose rows have not all the same size; js-binary writes the length of a text in four bytes.
TEXTS = {
    "records:0.1": {
        "json:write": json_bytes,
        "fast-json-stringify:write": json_bytes,
        "js-binary-json:write": lambda rows: json_bytes(rows) + 4,
        "bson:write": lambda rows: bson(rows) + 5 + len("_items_"),
    },
    "records:0.1:unmapped": {
        "json:write": unmapped_json,
        "js-binary-json:write": lambda rows: unmapped_json(rows) + 4,
        "bson:write": bson,
    },
}
FOR_SCHEMAS = ["records:0.1:optional", "records-distinct:0.1"]
EXACT = {
    "records:0.1": {
        "json:write": 106669,
        "js-binary-json:write": 106673,
        "bson:write": 83267,
        "avsc:write": 35856,
        "avsc-optional:write": 42183,
        "protobufjs:write": 46398,
        "js-binary:write": 35855,
        "js-binary-optional:write": 42182,
    },
    "records:0.1:unmapped": {
        "json:write": 81351,
        "js-binary-json:write": 81355,
        "bson:write": 83255,
        "avsc-unmapped:write": 54837,
        "js-binary-unmapped:write": 52727,
    },
}
"""The sizes of 2,109 rows in bytes."""
PUBLISHED = {
    "records:0.1": {
        "avsc:write": 0.323,
        "avsc-optional:write": 0.38,
        "protobufjs:write": 0.418,
        "bson:write": 0.788,
        "js-binary:write": 0.323,
        "js-binary-optional:write": 0.38,
    },
    "records:0.1:unmapped": {
        "json:write": 0.772,
        "avsc-unmapped:write": 0.494,
        "bson:write": 0.788,
        "js-binary-unmapped:write": 0.475,
        "js-binary-json:write": 0.772,
    },
}
"""What the comparison of 2020 published for 10.47 MB: bytes over those of mapped JSON."""


def size_of(spec, row, rows):
    """The bytes of so many rows, by what is stated above."""
    if row in TEXTS[spec]:
        return TEXTS[spec][row](rows)
    base, each = SIZES[spec][row]
    return base + each * len(rows)


@pytest.fixture(scope="module")
def written(context, built, generated, tmp_path_factory):
    """The records of the writers whose sizes are stated, by dataset and row id."""
    found = {}
    for spec in SIZES:
        rows = [built[f"javascript/{name}"].row for name in (*SIZES[spec], *TEXTS[spec])]
        (item,) = prove(context, rows, [generated(spec)], tmp_path_factory.mktemp("outputs"), LIMITS)
        found[spec] = {record.row.removeprefix("javascript/"): record for record, _, _ in item.rows}
    return found


@pytest.fixture(scope="module")
def proven(context, built, written, generated, tmp_path_factory):
    """The records of the rows in JavaScript, by dataset and row id.

    On the last two datasets, which are to the others what the first is, only those that need a schema.
    """
    found = {}
    for spec in (*SIZES, *FOR_SCHEMAS):
        known = written.get(spec, {})
        rows = [
            ready.row
            for name, ready in built.items()
            if name.removeprefix("javascript/") not in known
            and (spec in SIZES or ready.row.contender.manifest.schemas)
        ]
        (item,) = prove(context, rows, [generated(spec)], tmp_path_factory.mktemp("outputs"), LIMITS)
        found[spec] = {record.row.removeprefix("javascript/"): record for record, _, _ in item.rows} | known
    return found


@pytest.mark.parametrize("spec", SIZES)
def test_exact_sizes(spec, written):
    rows = rows_of(0.1)
    assert len(rows) == ROWS
    wanted = {row: size_of(spec, row, rows) for row in (*SIZES[spec], *TEXTS[spec])}
    assert {row: wanted[row] for row in EXACT[spec]} == EXACT[spec]
    found = {row: record.bytes for row, record in written[spec].items() if record.status != "unavailable"}
    assert len(found) > len(wanted) / 2
    assert found == {row: size for row, size in wanted.items() if row in found}


@pytest.mark.parametrize("spec", [*SIZES, *FOR_SCHEMAS])
def test_who_takes_part(spec, proven):
    """Rows that need a schema do on data that carry theirs, and are labelled; all others do anyway."""
    taking = {
        "records:0.1": 50,
        "records:0.1:unmapped": 35,
        "records:0.1:optional": 4,
        "records-distinct:0.1": 20,
    }
    assert sum(row.status == "ok" for row in proven[spec].values()) >= taking[spec]
    schema = parse_spec(spec).schema
    for row in proven[spec].values():
        if row.status != "unavailable":
            assert row.status in ("ok", "unsupported"), f"{row.row}: {row.reason}"
        if row.status == "unsupported":
            assert row.reason == f"its schema is not that of this dataset ({schema})"
            assert "needs a schema" in row.labels


def test_without_a_schema(context, built, generated, tmp_path):
    rows = [
        built[f"javascript/{name}"].row for name in ("avsc:write", "avsc:tree", "json:write", "json:tree")
    ]
    (item,) = prove(context, rows, [generated("generated:1")], tmp_path, LIMITS)
    found = {record.row: (record.status, record.reason) for record, _, _ in item.rows}
    refused = ("unsupported", "it needs a schema, and this dataset has none")
    assert found["javascript/avsc:write"] == found["javascript/avsc:tree"] == refused
    assert found["javascript/json:tree"] == ("ok", "")


def test_the_steps_are_those_of_the_comparison():
    """Step 90 has 208,617 rows and 10.467 MB, of which 23 are distinct; x stays within 1 to 8."""
    rows, size = next(islice(steps(), 90, None))
    assert (len(rows), round(size, 3), len(set(rows))) == (208_617, 10.467, 23)
    assert (min(x for x, _, _ in rows), max(x for x, _, _ in rows)) == (1, 8)
    assert json_bytes(rows) == round(size * MEGABYTE)
    # The published ratios, by the rules that the rows above are proved to follow to the byte.
    for spec, published in PUBLISHED.items():
        assert published.keys() <= EXACT[spec].keys()
        found = {row: round(size_of(spec, row, rows) / json_bytes(rows), 3) for row in published}
        assert found == published


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
        ("records:1:unmapped:optional", "exclude each other"),
    ],
)
def test_bad_names(text, part):
    with pytest.raises(UserError, match=part):
        parse_spec(text)
