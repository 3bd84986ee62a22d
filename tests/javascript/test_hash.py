"""The tape reader and the two hashes of JavaScript, against those in C and in Python."""

import json
import struct

import pytest

from serbench.results.losses import loss_labels
from serbench.run.proving import prove
from serbench.worker.process import Worker, WorkerFailure
from serbench.worker.session import prepare, verify
from tests.conftest import LIMITS
from tests.datasets.pyhash import TapeReader, hashes

DOCUMENTS = {
    "scalars": [None, True, False, 0, 1, -1, "", "a"],
    "integers": [s * (2**k + d) for k in range(63) for d in (-1, 0, 1) for s in (1, -1)],
    "beyond": {"a": 2**63 - 1, "b": -(2**63), "c": 2**63, "d": 2**64 - 1, "e": 2**53 + 1, "f": -(2**53) - 1},
    "doubles": [0.5, -0.5, 0.1, 1.0, -3.0, 1e300, -1e300, 5e-324, 2.0**53, 2.0**54, -(2.0**63), 1e22],
    "lengths": ["x" * n for n in (1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 66, 67, 1000, 70001)],
    "unicode": ["é", "€", "\U0001f600", "aé", "abcd\U0001f600", "é" * 63, "\U0001f600" * 40000, "\0", "a\0b"],
    "keys": {"": 1, "é": 2, "\U0001f600": 3, "x" * 100: 4, "a\0": 5, "constructor": 6, "toString": 7},
    "prototype": {
        "__proto__": {"a": 1},
        "b": {"__proto__": [1]},
        "c": {"__proto__": "text", "hasOwnProperty": 1},
    },
    "indices": {"0": 1, "7": 2, "4294967294": 3, "a": 4, "01": 5, "-1": 6, "4294967295": 7},
    "nested": [[[[[[{}]]]]], {"a": {"b": {"c": []}}}],
}


@pytest.fixture
def walk(ready, tmp_path):
    """What a worker finds when it walks a tape."""
    command = ready("javascript/walker:tree").built.command
    (tmp_path / "input").write_bytes(b"unused")

    def run(tape):
        with Worker(command, limits=LIMITS) as worker:
            prepare(worker, tape, tmp_path / "input", 1)
            return verify(worker)

    return run


@pytest.mark.parametrize("name", DOCUMENTS)
def test_all_three_agree(name, walk, document):
    dataset = document(json.dumps(DOCUMENTS[name], ensure_ascii=False))
    found = walk(dataset.tape)
    in_c = (dataset.facts.content_hash, dataset.facts.exact_hash)
    assert (
        (found.content_hash, found.exact_hash) == in_c == hashes(TapeReader(dataset.tape.read_bytes()).root)
    )


def test_a_negative_zero_keeps_its_sign(walk, document):
    with_sign, without = walk(document("[-0.0]").tape), walk(document("[0]", "zero.json").tape)
    assert with_sign.exact_hash == hashes([-0.0])[1] != without.exact_hash == hashes([0])[1]


def test_the_generated_data(walk, generated):
    assert walk(generated("generated:2").tape).content_hash == "0075ff81"
    assert walk(generated("generated:4").tape).content_hash == "91b5d7ef"


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ('{"b":1,"a":2}', False),
        ('{"1":0,"2":0,"b":0}', False),
        ('{"b":0,"1":0}', True),
        ('[{"2":0,"1":0}]', True),
        ('{"a":{"4294967294":0,"0":0}}', True),
        ('{"4294967295":0,"0":0}', True),
        ('{"00":0,"1.5":0,"-1":0," 1":0,"a":0}', False),
    ],
)
def test_what_objects_reorder_is_found(text, moves, ready, context, document, tmp_path):
    """An object of JavaScript has another order than the document: the label says so, and the row stands."""
    dataset = document(text)
    rows = [ready(f"javascript/json:{test}").row for test in ("write", "tree")]
    (item,) = prove(context, rows, [dataset], tmp_path / "out", LIMITS)
    for record, _, _ in item.rows:
        assert record.status == "ok", record.reason
        assert (record.exact_hash != dataset.facts.exact_hash) == moves
        assert ("loses the order of keys" in loss_labels(record)) == moves


def damaged(data):
    yield "magic", b"sbtape2\n" + data[8:]
    yield "short", data[:-1]
    yield "long", data + b"n"
    yield "header", data[:20]
    yield "tag", data[:40] + b"?" + data[41:]
    for at in (8, 16, 24, 32):
        number = struct.unpack_from("<Q", data, at)[0]
        yield f"count {at}", data[:at] + struct.pack("<Q", number + 1) + data[at + 8 :]


def test_damaged_tapes_are_refused(walk, document, tmp_path):
    data = document('{"a":[1,-2,0.5,3.0],"b":"tape","n":null,"yes":true}').tape.read_bytes()
    for name, bad in damaged(data):
        path = tmp_path / "bad.tape"
        path.write_bytes(bad)
        with pytest.raises(WorkerFailure) as caught:
            walk(path)
        assert "Error" in caught.value.reason, name
