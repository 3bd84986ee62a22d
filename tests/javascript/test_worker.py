"""The protocol as JavaScript workers speak it."""

import json
import subprocess

import msgspec
import pytest

from serbench.datasets.difference import difference
from serbench.datasets.spec import file_spec
from serbench.measure.heap import count_heap
from serbench.run.proving import prove
from serbench.worker.process import Reply, Worker, WorkerFailure
from serbench.worker.session import HeapReply, Sampled, describe, prepare, sample, verify
from tests.conftest import LIMITS
from tests.measure.fakes import measured

READERS = [
    "javascript/json:tree",
    "javascript/msgpackr:tree",
    "javascript/bson:tree",
    "javascript/walker:tree",
]
WRITERS = ["javascript/json:write", "javascript/msgpack5:write", "javascript/v8:write"]


@pytest.fixture
def start(ready):
    """A running worker of a row."""
    return lambda row_id: Worker(ready(row_id).built.command, limits=LIMITS)


@pytest.fixture
def encoded(context, ready):
    """The canonical encoding that a row reads."""

    def find(row_id, dataset):
        made = context.canonical(dataset, ready(row_id).row.contender.manifest.format)
        assert made.encoded is not None, made.reason
        return made.encoded.path

    return find


@pytest.mark.parametrize("row_id", READERS + WRITERS)
def test_describe(row_id, ready, start, node):
    with start(row_id) as worker:
        said = describe(worker)
    assert (said.language, said.test) == ("javascript", ready(row_id).row.test)
    assert said.compiler.startswith(f"Node.js {node.version} (V8 ")
    assert said.flags == "--single-threaded-gc"
    if "walker" not in row_id:
        # What the engine brings has the engine's version.
        known = (ready(row_id).provided.version, f"Node.js {node.version} (V8 {said.library_version})")
        assert said.library_version.startswith(known[0]) or said.compiler == known[1]


@pytest.mark.parametrize("row_id", READERS)
def test_a_reader(row_id, start, generated, encoded):
    dataset = generated("generated:2")
    with start(row_id) as worker:
        prepare(worker, dataset.tape, encoded(row_id, dataset), 1)
        found = verify(worker)
        assert (found.content_hash, found.exact_hash) == ("0075ff81", "3852a135")
        one = sample(worker, 1, 1, 0)
        assert len(one.wall) == len(one.cpu) == 1 and one.wall[0] > 0
        many = sample(worker, 3, 17, 5)
        assert len(many.wall) == len(many.cpu) == 17
        assert one.hash == many.hash == found.exact_hash
        assert worker.ask(Sampled, do="count", iterations=4).hash == found.exact_hash
        assert verify(worker) == found


@pytest.mark.parametrize("row_id", WRITERS)
def test_a_writer(row_id, start, generated, tmp_path):
    with start(row_id) as worker:
        prepare(worker, generated("generated:2").tape, None, 1)
        written = verify(worker, tmp_path / "one")
        assert (tmp_path / "one").stat().st_size == written.bytes > 0
        assert sample(worker, 2, 3, 1).hash == written.hash
        assert verify(worker, tmp_path / "two") == written
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_prepare_again_with_other_data(start, generated, encoded):
    with start("javascript/json:tree") as worker:
        for spec in ("generated:2", "generated:1", "generated:2"):
            dataset = generated(spec)
            prepare(worker, dataset.tape, encoded("javascript/json:tree", dataset), 1)
            assert verify(worker).exact_hash == dataset.facts.exact_hash


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        ({"do": "sample", "iterations": 1, "chunks": 1}, "nothing is prepared"),
        ({"do": "verify"}, "nothing is prepared"),
        ({"do": "constructor"}, "unknown request"),
        ({}, "unknown request"),
        ({"do": "prepare", "tape": "/no/such.tape", "input": "/dev/null"}, "no such file"),
    ],
)
def test_refusals(request_, reason, start):
    with start("javascript/json:tree") as worker, pytest.raises(WorkerFailure, match=reason):
        worker.ask(Reply, None, **request_)


def test_a_reason_that_quotes_half_a_character_is_one(start, generated, tmp_path):
    (tmp_path / "input").write_text('["\\\U0001f300"]')
    with start("javascript/json:tree") as worker:
        prepare(worker, generated("generated:1").tape, tmp_path / "input", 1)
        with pytest.raises(WorkerFailure, match="Unexpected token '\ufffd'"):
            verify(worker)


def test_a_reader_needs_an_input(start, generated):
    with (
        start("javascript/json:tree") as worker,
        pytest.raises(WorkerFailure, match="a reader needs an input"),
    ):
        prepare(worker, generated("generated:1").tape, None, 1)


def test_it_ends_when_its_input_does(ready):
    command = ready("javascript/json:tree").built.command
    for words in (b"", b'{"do":"describe"}\n', b'{"do":"quit"}\n{"do":"describe"}\n'):
        done = subprocess.run(command, input=words, capture_output=True, check=True)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(answers) == (b"describe" in words and b"quit" not in words)


def test_what_a_library_prints_is_no_answer(noisy, generated, tmp_path):
    with Worker(noisy["write"].built.command, limits=LIMITS) as worker:
        prepare(worker, generated("generated:1").tape, None, 1)
        written = verify(worker, tmp_path / "out")
        assert sample(worker, 2, 2, 1).hash == written.hash
    assert "printed while writing" in worker.noise
    assert "written too" in worker.noise
    json.loads((tmp_path / "out").read_bytes())


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("write:nothing", "wrote neither bytes nor a string"),
        ("tree:absent", "the decoded data contain a undefined"),
        ("tree:empty", "exports no function 'read'"),
    ],
)
def test_contenders_that_do_wrong(name, reason, noisy, generated, tmp_path):
    (tmp_path / "input").write_bytes(b"[]")
    with (
        Worker(noisy[name].built.command, limits=LIMITS) as worker,
        pytest.raises(WorkerFailure, match=reason),
    ):
        prepare(worker, generated("generated:1").tape, tmp_path / "input", 1)
        verify(worker, tmp_path / "out")


def test_what_a_reader_saw_is_told_when_it_is_asked(noisy, document, tmp_path):
    dataset = document("[0.1, 0.5, 3, 1e300]")
    (tmp_path / "input").write_bytes(b"[0.1, 0.5, 3, 1e300]")
    with Worker(noisy["tree:rounding"].built.command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, tmp_path / "input", 1)
        found = verify(worker)
        assert verify(worker, tmp_path / "seen") == found
    assert found.content_hash == dataset.facts.content_hash
    other = difference(dataset, tmp_path / "seen")
    assert found.exact_hash == other.exact_hash != dataset.facts.exact_hash
    assert (other.difference, other.integers, other.doubles) == ("", 0, 2)
    assert other.max_relative > 1e300


@pytest.mark.parametrize(
    "row_id", ["javascript/json:tree", "javascript/msgpackr:write", "javascript/pbf:tree"]
)
def test_allocated_bytes_repeat_exactly(row_id, ready, generated, context, tmp_path):
    row = ready(row_id)
    dataset = generated("records:0.01")
    made = context.canonical(dataset, row.row.contender.manifest.format)
    given = measured(0)
    changes = {
        "command": ("false",),
        "heap_command": tuple(row.built.heap_command),
        "tape": dataset.tape,
        "input": made.encoded.path,
    }
    given = msgspec.structs.replace(given, **changes)
    first, second = (count_heap(given, tmp_path / "none", LIMITS) for _ in range(2))
    assert first == second
    assert first.bytes is not None and first.bytes > 1000
    assert (first.allocations, first.peak) == (None, None)


def test_without_its_own_command_nothing_is_counted(start, generated):
    with start("javascript/json:write") as worker:
        prepare(worker, generated("generated:1").tape, None, 1)
        assert worker.ask(HeapReply, None, do="heap").bytes is None


def test_messages_one_by_one(built, context, tmp_path):
    """Framed files are read and written as in C, whose readers prove what is written here."""
    path = tmp_path / "some.jsonl"
    path.write_text('{"a":1,"b":[1,2.5,"x"]}\n[1,2,3]\n{"c":{"d":null},"e":"é"}\n')
    names = ["baseline:write", "baseline:tree", "json:write", "json:tree", "bson:write", "bson:tree"]
    rows = [built[f"javascript/{name}"].row for name in names]
    (item,) = prove(context, rows, [context.store.dataset(file_spec(path))], tmp_path / "out", LIMITS)
    found = {record.row.removeprefix("javascript/"): record for record, _, _ in item.rows}
    assert {record.status for record in found.values()} == {"ok"}
    assert found["json:write"].bytes == found["json:tree"].bytes == 55
    assert found["bson:write"].verified_by != "bson"
    assert found["json:tree"].exact_hash == item.dataset.facts.exact_hash


def test_a_file_of_other_messages_is_refused(start, context, tmp_path):
    path = tmp_path / "some.jsonl"
    path.write_text("[1]\n[2]\n")
    dataset = context.store.dataset(file_spec(path))
    head = b"sbmsgs1\n" + (1).to_bytes(8, "little")
    for content, reason in (
        (b"[1][2]", "not a file of messages"),
        (head + (3).to_bytes(8, "little") + b"[1]", "another number of messages"),
        (head + (9).to_bytes(8, "little") + b"[1]", "sizes of the messages"),
    ):
        (tmp_path / "input").write_bytes(content)
        with start("javascript/json:tree") as worker, pytest.raises(WorkerFailure, match=reason):
            prepare(worker, dataset.tape, tmp_path / "input", 1, messages=True)
