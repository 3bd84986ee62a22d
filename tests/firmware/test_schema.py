"""A document's own schema: what fits it, its encoding, and what no schema fits."""

import os
import shutil

import pytest
from harness.firmware.build import nanopb

from serbench.build import BuildFailed
from serbench.platforms.firmware.documents import Document
from serbench.platforms.firmware.judge import why_unsupported
from serbench.platforms.firmware.schema import Inexpressible, decode, encode, schema_of
from serbench.project import ROOT
from tests.platforms import find_target

TREES = [
    {"a": 0, "b": False, "c": "", "d": 0.0, "e": [], "f": {}},
    {"i": -(2**31), "j": -(2**63), "k": 2**64 - 1, "l": 2**32 - 1, "m": 2**32, "n": -1},
    {"s": "é" * 70, "list": [0.5, -0.25, 16777216], "many": [0, 1, 2**31], "signs": [-1, 1, 0]},
    {"flags": [True, False], "words": ["", "x", ""], "maps": [{"p": 1}, {"p": 0}]},
    [{"x": None, "y": 1}, {"x": "t", "y": 2, "z": {"q": [1]}}],
    {"deep": {"deeper": {"deepest": [{"v": -0.0}]}}},
    [1, 2, 3],
    "alone",
]


@pytest.mark.parametrize("tree", TREES)
def test_what_has_a_schema_is_read_back(tree):
    schema = schema_of(tree)
    again = decode(schema, encode(schema, tree))
    assert again == tree and repr(again) == repr(tree).replace("16777216]", "16777216.0]")


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ([1, "a"], "several types"),
        ([True, 1], "several types"),
        ([[1], [2]], "lists or nulls"),
        ([1, None], "lists or nulls"),
        ({"a": [{"x": None}, {}]}, "sometimes null and sometimes not there"),
        ([{"x": 1, "y": 2}, {"y": 2, "x": 1}], "different orders"),
        ([{"x": [1]}, {"x": 1}], "sometimes a list"),
        ([{"x": []}, {}], "an empty list"),
        ([0.5, 16777217], "no float holds"),
        ([-1, 2**63], "more than 64 bits"),
    ],
)
def test_what_no_message_tells_apart_is_refused(tree, reason, contenders):
    with pytest.raises(Inexpressible, match=reason):
        schema_of(tree)
    said = why_unsupported(contenders["nanopb"], find_target(ROOT, "avr"), Document(name="d", tree=tree))
    assert said.startswith("no schema fits it: ")


@pytest.mark.parametrize(
    "data", [b"\x08", b"\x10\x01", b"\x0a\x01a", b"\x08" + b"\xff" * 11, b"\x0d\x00\x00\x00\x00", b"\x00"]
)
def test_what_the_schema_does_not_know_is_refused(data):
    with pytest.raises(ValueError, match=r".+"):
        decode(schema_of({"a": 1}), data)


def test_an_encoding_is_as_protobuf_documents_it():
    assert encode(schema_of({"a": 150}), {"a": 150}) == b"\x08\x96\x01"
    assert encode(schema_of({"b": "testing"}), {"b": "testing"}) == b"\x0a\x07testing"
    assert encode(schema_of({"c": {"a": 150}}), {"c": {"a": 150}}) == b"\x0a\x03\x08\x96\x01"
    assert encode(schema_of([3, 270, 86942]), [3, 270, 86942]) == b"\x0a\x06\x03\x8e\x02\x9e\xa7\x05"
    assert (
        encode(schema_of({"s": [-1, 2147483647]}), {"s": [-1, 2147483647]})[2:] == b"\x01\xfe\xff\xff\xff\x0f"
    )


@pytest.mark.parametrize("name", ["avr", "cortex-m0", "cortex-m3", "rv32imc", "lx106"])
def test_nanopb_is_proved_on_every_target(name, measure, documents, contenders):
    if shutil.which("nanopb_generator") is None and shutil.which("nanopb_generator.py") is None:
        pytest.skip("nanopb's generator is not installed")
    own = {
        "optional": Document(
            name="optional", tree=[{"a": None, "b": -7, "c": 0.5}, {"a": "x", "b": 8, "c": 2.25}]
        ),
        "many": Document(
            name="many", tree={"flags": [True, False], "deep": [{"w": ["", "x"]}, {"w": []}], "e": {}}
        ),
    }
    chosen = [
        documents["obj null"],
        documents["obj int"],
        documents["HA"],
        documents["Tasmota"],
        *own.values(),
    ]
    rows = measure(name, ["nanopb"], chosen)
    assert [row.status for row in rows] == ["unsupported", *["ok"] * 5], [
        (row.reason, row.output) for row in rows
    ]
    for row, document in zip(rows[1:], chosen[1:], strict=True):
        assert row.content_hash == document.hashes[0] and row.exact_hash == document.hashes[1]
        assert row.bytes == row.metrics["input_bytes"] == len(document.encoded("protobuf"))
        assert row.metrics["flash"] > 2_000
        first = contenders["nanopb"].manifest.source[0]
        other = any(label.startswith("not from the source that comes first: ") for label in row.labels)
        assert first.labels and other != set(first.labels).issubset(row.labels)
    assert rows == measure(name, ["nanopb"], chosen)


def test_a_schema_that_the_generator_refuses_costs_the_row_only(measure, documents, monkeypatch, tmp_path):
    generator = tmp_path / "nanopb_generator"
    generator.write_text("#!/bin/sh\necho error: it takes no such schema >&2\nexit 1\n")
    generator.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    rows = measure("avr", ["nanopb", "cmp"], [documents["obj int"]])
    assert [(row.contender, row.status) for row in rows] == [("CMP", "ok"), ("nanopb", "failed")]
    assert rows[1].reason == "it does not build: error: it takes no such schema"


def test_a_generator_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setattr(nanopb, "GENERATORS", ("no-such-generator",))
    with pytest.raises(BuildFailed, match="there is no nanopb_generator"):
        nanopb.message_sources({"a": 1})
