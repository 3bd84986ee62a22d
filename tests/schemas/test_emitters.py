"""What the emitters write is taken by the compilers of its language."""

import json
from pathlib import Path

import pytest
from formats.schemas import avsc, thrift

from serbench.catalog.load import load_catalog
from serbench.commands.schema import emitted, emitters
from serbench.errors import UserError
from serbench.project import ROOT
from serbench.schemas.infer import infer
from tests.schemas.compilers import NAMES, Case, compile_all, lacking
from tests.schemas.many import cases


def case(name: str) -> Case:
    document = json.loads((ROOT / f"tests/schemas/{name}.json").read_text("utf-8"))
    return infer([document]), [document]


def wide(fields: int) -> Case:
    """A document of 25 messages with fields of each type."""
    values = [1, -1, 2**40, 0.5, "x", True, [1], [[0.5]], None]
    group = {f"field {j}": values[j % len(values)] for j in range(fields // 25)}
    document = {f"group {i}": group for i in range(25)}
    return infer([document]), [document]


@pytest.mark.parametrize("name", NAMES)
def test_compilers_take_what_is_written(name, tmp_path):
    if said := lacking(name):
        pytest.skip(said)
    made = [case("tricky"), case("tricky-u64"), wide(2000), *cases(range(30)), *cases(range(1127, 1128))]
    assert made[2][0].fields >= 2000
    assert compile_all(name, made, tmp_path) == ""


def test_another_document_is_refused(tmp_path):
    if said := lacking("json-schema"):
        pytest.skip(said)
    schema = case("tricky-u64")[0]
    assert compile_all("json-schema", [(schema, [{"most": "text", "list": []}])], tmp_path) != ""


def test_a_place_that_thrift_cannot_have_is_named():
    assert thrift.refusal(case("tricky-u64")[0]).startswith("Document.most: ")
    assert thrift.refusal(case("tricky")[0]) == ""


def test_thrift_has_no_names_of_its_methods_and_accessors():
    document = dict.fromkeys(
        ["read", "get x", "x", "args", "its args", "hash code", "org", "isSet"], 4000000000
    )
    lines = thrift.emit(infer([document])).splitlines()
    names = ["its_read", "its_get_x", "x", "its_its_args", "its_args", "its_hash_code", "its_org", "is_set"]
    assert lines[1:-1] == [f"  {place}: required i64 {name}" for place, name in enumerate(names, start=1)]


def test_avro_has_its_own_names_unions_and_entries():
    documents = [
        {"a b": 1, "a_b": {f"{n}": [[None, 1.5]] for n in range(40)}, "c": None},
        {"a_b": {}, "c": 2},
        {"a_b": {}},
    ]
    fields = json.loads(avsc.emit(infer(documents)))["fields"]
    rows = {"type": "array", "items": {"type": "array", "items": ["null", "double"]}}
    entry = [{"name": "key", "type": "string"}, {"name": "value", "type": rows}]
    boxed = [{"name": "value", "type": ["null", "long"]}]
    assert fields == [
        {"name": "a_b_", "type": ["null", "long"], "default": None},
        {
            "name": "a_b",
            "type": {
                "type": "array",
                "items": {"type": "record", "name": "DocumentABV2Entry", "fields": entry},
            },
        },
        {
            "name": "c",
            "type": ["null", {"type": "record", "name": "DocumentCNull", "fields": boxed}],
            "default": None,
        },
    ]


def test_every_emitter_is_a_command_of_the_tool():
    catalog = load_catalog(ROOT)
    commands = emitters(catalog)
    assert set(NAMES) <= set(commands)
    for name in NAMES:
        assert "Document" in emitted(commands[name], case("tricky")[0], Path(catalog.root)), name
    for name in ("thrift", "avsc"):
        with pytest.raises(UserError, match=r"Document\.most: .* without a sign"):
            emitted(commands[name], case("tricky-u64")[0], catalog.root)
