"""What the emitters write is taken by the compilers of its language."""

import json
from pathlib import Path

import pytest
from formats.schemas import thrift

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


@pytest.mark.timeout(120)
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
    with pytest.raises(SystemExit, match=r"Document\.most"):
        thrift.emit(case("tricky-u64")[0])


def test_every_emitter_is_a_command_of_the_tool():
    catalog = load_catalog(ROOT)
    commands = emitters(catalog)
    assert set(NAMES) <= set(commands)
    for name in NAMES:
        assert "Document" in emitted(commands[name], case("tricky")[0], Path(catalog.root)), name
    with pytest.raises(UserError, match="without a sign"):
        emitted(commands["thrift"], case("tricky-u64")[0], catalog.root)
