"""Code that is generated for a document: its schema, its sizes, its encoding, and what no schema fits."""

import json
import os
import shutil
import struct

import pytest
from contenders.firmware.nanopb import generate

from serbench.build import BuildFailed
from serbench.platforms.firmware.documents import load_document
from serbench.platforms.firmware.judge import why_unsupported
from serbench.project import ROOT
from serbench.schemas.infer import infer
from serbench.schemas.lower import lower
from tests.platforms import find_target


@pytest.fixture
def load(context, tmp_path):
    """The document in a file with a tree."""

    def make(tree, name="d"):
        path = tmp_path / name
        path.write_text(json.dumps(tree))
        return load_document(path, context)

    return make


def sizes(tree) -> list[str]:
    """The options of a document's fields, without the package."""
    lines = generate.options(lower(infer([tree], "float")), tree).splitlines()
    return [line.removeprefix("nano.") for line in lines]


def test_every_field_has_the_size_of_the_longest_that_stands_in_it():
    assert sizes({"a": 1, "b": True, "c": 0.5}) == []
    assert sizes({"s": "é" * 3, "many": [1, 2, 3], "empty": []}) == [
        "Document.s max_size:7",
        "Document.many max_count:3",
        "Document.empty max_size:1 max_count:1",
    ]
    assert sizes([{"w": ["", "xy"]}, {"w": [], "n": None}, {"w": ["x"] * 4, "n": "abc"}]) == [
        "DocumentNNull.value max_size:4",
        "Document.w max_size:3 max_count:4",
        "DocumentV2.value max_count:3",
    ]
    assert sizes({"m": [[1], [2, 3, 4]], "k": {f"key{i}": f"v{i}" for i in range(40)}}) == [
        "DocumentMList.items max_count:3",
        "DocumentKEntry.key max_size:6",
        "DocumentKEntry.value max_size:4",
        "Document.m max_count:2",
        "Document.k max_count:40",
    ]


@pytest.mark.parametrize(
    ("tree", "reason"),
    [
        ([1, "a"], "a string and an integer in the same place"),
        ([{"x": 1, "y": 2}, {"y": 2, "x": 1}], "keys in orders that contradict each other"),
        ([0.5, 16777217], "no float holds 16777217"),
        ([-1, 2**63], "more than 64 bits"),
        ({"a": None}, "as a message it has no bytes"),
    ],
)
def test_what_no_message_tells_apart_is_refused(tree, reason, contenders, load):
    document = load(tree)
    if document.canonical("protobuf").encoded is None and not document.canonical("protobuf").unsupported:
        pytest.skip(document.canonical("protobuf").reason)
    assert reason in why_unsupported(contenders["nanopb"], find_target(ROOT, "avr"), document)
    assert document.encoded("cbor")


def test_an_encoding_has_32_bit_floats(load):
    made = load({"a": 150, "d": [3.3, 2], "s": "é", "n": -1})
    encoding = made.canonical("protobuf")
    if encoding.encoded is None:
        pytest.skip(encoding.reason)
    floats = b"\x12\x08" + struct.pack("<2f", 3.3, 2)
    assert made.encoded("protobuf") == b"\x08\x96\x01" + floats + b"\x1a\x02\xc3\xa9\x20\x01"


@pytest.mark.parametrize("name", ["avr", "cortex-m0", "cortex-m3", "rv32imc", "lx106"])
def test_nanopb_is_proved_on_every_target(name, measure, documents, contenders, load):
    if shutil.which("nanopb_generator") is None and shutil.which("nanopb_generator.py") is None:
        pytest.skip("nanopb's generator is not installed")
    chosen = [
        documents["obj null"],
        documents["obj int"],
        documents["HA"],
        documents["Tasmota"],
        load([{"a": None, "b": -7, "c": 0.5}, {"a": "x", "b": 8, "c": 2.25}], "optional"),
        load({"flags": [True, False], "deep": [{"w": ["", "x"]}, {"w": []}], "e": {}}, "many"),
        load({"m": [[1], [None, 4]], "k": {f"key{i}": i / 8 for i in range(40)}}, "nested"),
    ]
    rows = measure(name, ["nanopb"], chosen)
    assert [row.status for row in rows] == ["unsupported", *["ok"] * 6], [
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
    monkeypatch.setattr(generate, "GENERATORS", ("no-such-generator",))
    with pytest.raises(BuildFailed, match="there is no nanopb_generator"):
        generate.recipe(infer([{"a": 1}]), None)
