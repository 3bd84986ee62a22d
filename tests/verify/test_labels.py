"""Labels on what becomes of doubles, and on documents: one where a row does so, and none elsewhere."""

import json

import msgspec
import pytest

from serbench.datasets.spec import file_spec
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS

NATIVE = ("c", "cpp", "zig")
IN_BLOCKS = ("c/yyjson:write", "cpp/boost-json:write:monotonic")
"""Rows that take memory for many values at a time: the heap does not show it."""


DOCUMENTS = {
    "whole": "[1.0,-2.0]",
    "integers": "[1,-2]",
    "largest": "[1.7976931348623157e308]",
    "exponent": "[1e15]",
    "rounds to whole": "[801.9999997]",
    "rounds to other": "[801.0625]",
    "smallest": "[5e-324]",
    "texts": json.dumps([f"{number:0100}" for number in range(1000)]),
}


@pytest.fixture(scope="module")
def proven(context, built, tmp_path_factory):
    """What the gate says of all native rows on each document, by its name."""
    rows = [
        ready.row
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.contender.manifest.role == "contender"
        and ready.row.contender.manifest.language in NATIVE
    ]
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / f"{name}.json").write_text(text)
    made = [context.store.dataset(file_spec(folder / f"{name}.json")) for name in DOCUMENTS]
    return dict(zip(DOCUMENTS, prove(context, rows, made, folder / "out", LIMITS), strict=True))


@pytest.fixture
def records(proven):
    """The records of the rows on a document, by id."""
    return lambda name: {record.row: record for record, _, _ in proven[name].rows}


def test_whole_doubles_as_integers(records):
    integers = records("integers")
    for row, record in records("whole").items():
        if record.test == "write" and record.status == "ok":
            same = record.hash == integers[row].hash
            assert same == ("writes integral doubles as integers" in record.labels), row


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("largest", "writes the largest doubles out of range"),
        ("exponent", "writes 1e15 as invalid JSON (1e+15.0)"),
        ("smallest", "reads the smallest doubles as 0"),
    ],
)
def test_who_fails_is_labelled_and_nobody_else(name, label, records):
    for row, record in records(name).items():
        if label in record.labels:
            assert record.status == "failed", row
        else:
            assert record.status == "ok", f"{row}: {record.reason}"


def test_doubles_of_six_digits(records):
    """Whether or not the rounded double is whole, which hashes as an integer."""
    label = "keeps six digits of a double"
    for name in ("rounds to whole", "rounds to other"):
        found = records(name)
        for row, record in found.items():
            assert record.status == "ok", f"{row}: {record.reason}"
            changed = record.doubles is not None and record.doubles.max_relative > 1e-12
            assert changed == (label in record.labels), row
        assert any(label in record.labels for record in found.values())


def test_documents_of_ones_own(context, proven, tmp_path):
    """A row that makes a document first asks for room for each long string, another one for a buffer only."""
    rows = [row for row in proven["texts"].rows if row[0].test == "write" and row[0].row not in IN_BLOCKS]
    item = msgspec.structs.replace(proven["texts"], rows=rows)
    Counter(context, [item], LIMITS, ProofCache()).heaps(tmp_path, lambda _what, _number: lambda: None)
    seen = {r.row: r for r, _, _ in item.rows if r.status == "ok" and r.heap}
    labelled = {name: "builds its own document first" in record.labels for name, record in seen.items()}
    assert {name: record.heap.allocations >= 1000 for name, record in seen.items()} == labelled
    assert True in labelled.values() and False in labelled.values()
