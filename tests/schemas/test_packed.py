"""Packed Cap'n Proto: what the library packs is what its compiler makes of the same message."""

import shutil
import subprocess

import pytest
from formats.schemas import capnp

from serbench.run.typed import with_schema
from serbench.schemas.lower import lower
from serbench.schemas.model import load


def test_packed_bytes_are_those_of_the_compiler(context, document, tmp_path):
    dataset = with_schema(context, document('{"a": [1, null], "b": 1099511627776, "c": "text"}'))
    flat, packed = (context.canonical(dataset, name).encoded for name in ("capnp", "capnp-packed"))
    if shutil.which("capnp") is None or flat is None or packed is None:
        pytest.skip("Cap'n Proto is not here")
    schema = load(dataset.inferred.path)
    (tmp_path / "data.capnp").write_text(capnp.emit(schema))
    convert = ["capnp", "convert", "binary:packed", "data.capnp", lower(schema).root.message]
    done = subprocess.run(
        convert, input=flat.path.read_bytes(), cwd=tmp_path, capture_output=True, check=True
    )
    assert done.stdout == packed.path.read_bytes() != flat.path.read_bytes()
