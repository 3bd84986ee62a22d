"""Rows with generated classes: proved on a document with every construct, or refused with the place."""

import json
import subprocess

import pytest
from harness.python.schema import files, table

from serbench.build.records import BuildFailed
from serbench.run.proving import prove
from serbench.schemas.infer import infer
from tests.conftest import LIMITS
from tests.datasets.pyhash import hashes

STRUCTS = ["msgspec-struct", "msgspec-struct-msgpack", "pydantic", "mashumaro"]
DATACLASSES = ["orjson-dataclass", "ormsgpack-dataclass"]
AVRO = ["avro", "fastavro"]
ROWS = [*STRUCTS, *DATACLASSES, "pickle-dataclass", *AVRO]
NAMES = {"model_config": 1, "str": "s", "json": None, "msgspec": True}
DOCUMENT = {
    **{
        "class": "keyword",
        "a-b": 1,
        "a_b": 2,
        "aB": 3,
        "": "empty",
        "é 日本": "café 😀",
        "nul": "a\0b",
        **NAMES,
    },
    **{"numbers": {"least": -(2**63), "most": 2**64 - 1, "small": -1}, "empty": [], "nothing": None},
    "doubles": [-0.0, 1e300, 3, 0.1, 5e-324],
    **{"matrix": [[[1.5], []], []], "words": ["", None], "lists": [[1], None, []]},
    "records": [
        {"id": 1, "absent": 1, "both": None, "inner": {"x": 1}, "list": [], "more": [1]},
        {"id": 2, "both": 7, "inner": None, "list": None, "maps": {}},
        {"id": 3, "inner": {"x": 2, "y": None}},
    ],
    "ids": {str(each): {"name": f"n{each}", "weight": each / 4} for each in range(40)},
}
PLAIN = {"items": [{"id": -1, "given": None, "point": {"x": 0.5, "yY": [1, 2]}}] * 2, "é": "a"}
"""What a dataclass can hold, too."""
SIGNED = {**DOCUMENT, "numbers": {"least": -(2**63), "most": 2**63 - 1, "small": -1}}
"""What Avro can hold, too."""
OMITTED = "mashumaro leaves out null or writes it, and the field may be null and absent"
REFUSED = {
    **{
        (row, name): "Inner.y: a dataclass has no field that may be absent"
        for row in DATACLASSES
        for name in ("every construct", "signed")
    },
    **{("mashumaro", name): f"Inner.y: {OMITTED}" for name in ("every construct", "signed")},
    **{
        (row, "every construct"): "Numbers.most: Avro has no integer of 64 bits without a sign"
        for row in AVRO
    },
}


@pytest.fixture(scope="module")
def rows(catalog):
    return [
        row
        for row in catalog.rows(generated=True)
        if row.id.split(":")[0] in {f"python/{name}" for name in ROWS}
    ]


@pytest.mark.parametrize(
    ("data", "name"), [(DOCUMENT, "every construct"), (PLAIN, "plain"), (SIGNED, "signed")]
)
def test_every_row_is_proved_or_says_why_not(data, name, rows, context, document, tmp_path):
    (item,) = prove(context, rows, [document(json.dumps(data))], tmp_path, LIMITS)
    found = {record.row: record for record, _, _ in item.rows}
    assert len(found) == 16
    for row, record in found.items():
        if record.status == "unavailable":
            pytest.skip(f"{row}: {record.reason}")
        refused = REFUSED.get((row.split(":")[0].removeprefix("python/"), name), "")
        assert record.status == ("unsupported" if refused else "ok"), f"{row}: {record.reason}"
        assert not refused or record.reason == refused


def test_what_a_library_cannot_express_names_the_place():
    for style, data, place in (
        ("struct", {"a": [{'quote"': 1}]}, 'A.quote"'),
        ("dataclass", {"rows": [{"a": 1}, {}]}, "Rows.a"),
        ("dataclass", {"_a": 1}, "Document._a"),
        ("avro", {"a": [[{"b": 2**63}]]}, "A.b"),
    ):
        with pytest.raises(BuildFailed) as refused:
            files(infer([data]), style)
        assert refused.value.unsupported and refused.value.reason.startswith(f"{place}: ")


WALK = """
import json, types, serbench_core as core
made, objects, fields_set = json.loads(SHAPES)
def tuples(value):
    return tuple(map(tuples, value)) if isinstance(value, list) else value
shapes = [tuples(shape[:2]) for shape in made]
def read(value, shapes=shapes):
    one = types.SimpleNamespace
    walker = core.Walker(shapes, None, fields_set)
    return core.Task(True, [(core.Given(value), b"x", None)], walker, None)
root = types.SimpleNamespace(a=1, b=None, c=[types.SimpleNamespace(x=0.5)], d={"k": "v"})
"""
FIELDS = [["a", "a", 0, False], ["b", "b", 0, True], ["c", "c", 2, False], ["d", "d", 3, False]]
SHAPES = [["scalar"], ["message", [["x", "x", 0, False]]], ["list", 1], ["map", 0], ["message", FIELDS]]
SEEN = {"a": 1, "c": [{"x": 0.5}], "d": {"k": "v"}}


def walked(core, fields, script="print(json.dumps(read(root).hashes('')))"):
    shapes = json.dumps([[*SHAPES[:-1], ["message", fields]], None, ""])
    text = f"SHAPES = {shapes!r}\n{WALK}{script}"
    return subprocess.run(core, input=text, capture_output=True, text=True, check=False)


def test_the_walk_hashes_every_field_with_its_key_in_order(core):
    right = [int(text, 16) for text in hashes(SEEN)]
    assert json.loads(walked(core, FIELDS).stdout) == right
    swapped, lost = [FIELDS[2], *FIELDS[:2], FIELDS[3]], FIELDS[1:]
    other = [["A", "a", 0, False], *FIELDS[1:]]
    null = [FIELDS[0], ["b", "b", 0, False], *FIELDS[2:]]
    for wrong in (swapped, lost, other, null):
        assert json.loads(walked(core, wrong).stdout) != right


ITEMS = """
made, root = json.loads(TABLE)
shapes = [("scalar",) if shape[0] == "double" else tuples(shape[:2]) for shape in made["shapes"]]
walker = core.Walker(shapes, None, "", True)
def read(value):
    return core.Task(True, [(core.Given(value), b"x", None)], walker, None)
"""
DICTS = {"a": 1, "b_c": {"value": None}, "d": [{"key": "k", "value": [0.5]}], "e": None}


@pytest.mark.parametrize(
    ("change", "right"),
    [
        ({}, True),
        ({"a": 2}, False),
        ({"b_c": None}, False),
        ({"b_c": {"value": 1}}, False),
        ({"d": [{"key": "K", "value": [0.5]}]}, False),
        ({"d": [{"key": "k", "value": [1.5]}]}, False),
        ({"d": []}, False),
        ({"e": 1}, False),
    ],
)
def test_the_walk_of_dicts_knows_entries_boxes_and_what_is_absent(core, change, right):
    many = {f"{n}": [0.5] for n in range(33)}
    data = [{"a": 1, "b c": None, "d": {}, "e": 1}, {"a": 1, "d": many}, {"a": 1, "b c": 1, "d": {}}]
    made = table(infer(data), "avro")
    text = f"SHAPES = '[[], [], []]'\n{WALK}TABLE = {json.dumps([made, {**DICTS, **change}])!r}\n{ITEMS}"
    text += "print(json.dumps(read(root).hashes('')))"
    done = subprocess.run(core, input=text, capture_output=True, text=True, check=False)
    expected = [int(text, 16) for text in hashes({"a": 1, "b c": None, "d": {"k": [0.5]}})]
    assert done.returncode == 0, done.stderr
    assert (json.loads(done.stdout) == expected) is right


def test_a_walk_of_other_objects_or_by_a_damaged_table_is_refused(core):
    script = """
def refused(call):
    try:
        call()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__
    raise SystemExit("it was taken")
one = types.SimpleNamespace
for value in (one(a=[], c=[], d={}), one(a=1, b=1, c=[one()], d={}), one(a=1, b=1, c=1, d={}),
              one(a=1, b=1, c=[], d=[]), {}, 1):
    refused(lambda: read(value).count(2))
for table in ([], [1], [("list", 0)], [("message",)], [("scalar",), ("list", 1)], [("list", "a")],
              [("other",)], [("scalar",), ("message", (("k", "n", 1, False),))],
              [("message", (1,))], [("message", 1)]):
    refused(lambda: core.Walker(table, None, ""))
print("refused")
"""
    done = walked(core, FIELDS, script)
    assert done.stdout == "refused\n", done.stderr
