"""Labels on what becomes of doubles, and on documents: one where a row does so, and none elsewhere."""

import json

import pytest

from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS

NATIVE = ("c", "cpp", "zig")
IN_BLOCKS = ("c/yyjson:write", "cpp/boost-json:write:monotonic")
"""Who takes memory for many values at a time: the heap does not show it."""


@pytest.fixture
def records(context, built, document, tmp_path):
    """The records of all native rows on a document, by id."""
    rows = [
        ready.row
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.contender.manifest.role == "contender"
        and ready.row.contender.manifest.language in NATIVE
    ]

    def run(text: str, name: str):
        (item,) = prove(context, rows, [document(text, f"{name}.json")], tmp_path / name, LIMITS)
        return {record.row: record for record, _, _ in item.rows}

    return run


def test_whole_doubles_as_integers(records):
    whole, integers = records("[1.0,-2.0]", "whole"), records("[1,-2]", "integers")
    for row, record in whole.items():
        if record.test == "write" and record.status == "ok":
            same = record.hash == integers[row].hash
            assert same == ("writes integral doubles as integers" in record.labels), row


def test_the_largest_doubles_out_of_range(records):
    for row, record in records("[1.7976931348623157e308]", "largest").items():
        if "writes the largest doubles out of range" in record.labels:
            assert record.status == "failed", row
        else:
            assert record.status == "ok", f"{row}: {record.reason}"


def test_what_is_no_json(records):
    for row, record in records("[1e15]", "exponent").items():
        if "writes 1e15 as invalid JSON (1e+15.0)" in record.labels:
            assert record.status == "failed", row
        else:
            assert record.status == "ok", f"{row}: {record.reason}"


def test_doubles_of_six_digits(records):
    """Whether or not the rounded double is whole, which hashes as an integer."""
    label = "keeps six digits of a double"
    for text, name in (("[801.9999997]", "whole"), ("[801.0625]", "other")):
        found = records(text, name)
        for row, record in found.items():
            assert record.status == "ok", f"{row}: {record.reason}"
            changed = record.doubles is not None and record.doubles.max_relative > 1e-12
            assert changed == (label in record.labels), row
        assert any(label in record.labels for record in found.values())


def test_the_smallest_doubles(records):
    for row, record in records("[5e-324]", "smallest").items():
        if "reads the smallest doubles as 0" in record.labels:
            assert record.status == "failed", row
        else:
            assert record.status == "ok", f"{row}: {record.reason}"


def test_documents_of_ones_own(context, built, document, tmp_path):
    """Who makes a document first asks for room for each long string; who writes at once for a buffer only."""
    rows = [
        ready.row
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.test == "write"
        and ready.row.contender.manifest.role == "contender"
        and ready.row.contender.manifest.language in NATIVE
        and ready.row.id not in IN_BLOCKS
    ]
    texts = document(json.dumps([f"{number:0100}" for number in range(1000)]))
    (item,) = prove(context, rows, [texts], tmp_path / "out", LIMITS)
    Counter(context, [item], LIMITS, ProofCache()).heaps(tmp_path, lambda _what, _number: lambda: None)
    seen = {r.row: r.heap.allocations for r, _, _ in item.rows if r.status == "ok" and r.heap}
    labelled = {row.id: "builds its own document first" in row.labels for row in rows if row.id in seen}
    assert {name: count >= 1000 for name, count in seen.items()} == labelled
    assert True in labelled.values() and False in labelled.values()
