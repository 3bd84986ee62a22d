"""The structs of C++ that are written for a schema."""

import json
import subprocess

import pytest
from harness.c.schema import emit, quoted

from serbench.project import ROOT
from serbench.schemas.infer import infer
from tests.schemas.many import cases

TRICKY = json.loads((ROOT / "tests/schemas/tricky.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("plain", 'std::string_view("plain", 5)'),
        ("", 'std::string_view("", 0)'),
        ("a\0" + "1", 'std::string_view("a\\0001", 3)'),
        ('"\\?', 'std::string_view("\\042\\134\\077", 3)'),
        ("é", 'std::string_view("\\303\\251", 2)'),
    ],
)
def test_keys_are_written_byte_by_byte(key, written):
    assert quoted(key) == written


def test_fields_have_what_may_be_absent_null_or_both():
    text = emit(infer([{"a": 1, "b": None, "c": None}, {"b": 2, "c": 3}, {"b": 4}]))
    assert "std::optional<uint32_t> a{};" in text
    assert "std::optional<uint32_t> b{};" in text
    assert "std::optional<std::optional<uint32_t>> c{};" in text
    assert 'visit(std::string_view("a", 1), self.a, sb::Optional{});' in text
    assert 'visit(std::string_view("b", 1), self.b, sb::Required{});' in text


def test_the_compiler_takes_them(tmp_path):
    schemas = [infer([TRICKY]), *[schema for schema, _ in cases(range(8))]]
    texts = [emit(schema).replace("namespace data", f"namespace data{i}") for i, schema in enumerate(schemas)]
    calls = [f"template void sb::hash(sb_hash *, const data{i}::Root &);" for i in range(len(schemas))]
    (tmp_path / "all.cpp").write_text("\n".join(texts + calls).replace("#pragma once", ""), "utf-8")
    command = ["g++", "-std=gnu++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    command += [f"-I{ROOT}/harness/c/include", f"-I{ROOT}/harness/c/structs", str(tmp_path / "all.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
