"""The protocol as real workers speak it: any reader and any writer must answer alike."""

import json
import subprocess

import msgspec
import pytest

from serbench.worker.process import Limits, Reply, Worker, WorkerFailure
from serbench.worker.session import HeapReply, Sampled, describe, heap, prepare, sample, verify

READERS = ["c/mpack:tree", "c/mpack:incremental", "cpp/rapidjson:tree:in-situ", "c/yajl:incremental"]
WRITERS = ["c/mpack:write", "cpp/rapidjson:write", "c/libbson:write"]
EITHER = [*READERS[:1], *WRITERS[1:2], "c/baseline:tree"]
LIMITS = Limits(memory_bytes=1 << 30, timeout=20.0)


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
def test_describe(row_id, ready, start):
    with start(row_id) as worker:
        said = describe(worker)
    row = ready(row_id)
    assert (said.protocol, said.language, said.test) == (
        1,
        row.row.contender.manifest.language,
        row.row.test,
    )
    assert said.library_version[0].isdigit()
    assert "gcc" in said.compiler or "clang" in said.compiler
    assert said.flags == row.built.flags  # not those of serbench if only Debian's package is available


@pytest.mark.parametrize("row_id", READERS)
def test_a_reader(row_id, start, generated, encoded):
    dataset = generated("generated:2")
    with start(row_id) as worker:
        prepare(worker, dataset.tape, encoded(row_id, dataset), 1, fragment=False)
        found = verify(worker)
        assert found.content_hash == "0075ff81"
        one = sample(worker, 1, 1, 0)
        assert len(one.wall) == len(one.cpu) == 1 and one.wall[0] > 0
        many = sample(worker, 3, 17, 5)
        assert len(many.wall) == len(many.cpu) == 17
        # Timed iterations use the exact hash, and every one of them is as the gate saw it.
        assert one.hash == many.hash == found.exact_hash
        assert worker.ask(Sampled, do="count", iterations=4).hash == found.exact_hash
        assert verify(worker) == found


@pytest.mark.parametrize("row_id", WRITERS)
def test_a_writer(row_id, start, generated, tmp_path):
    with start(row_id) as worker:
        prepare(worker, generated("generated:2").tape, None, 1, fragment=False)
        written = verify(worker, tmp_path / "one")
        assert (tmp_path / "one").stat().st_size == written.bytes > 0
        assert sample(worker, 2, 3, 1).hash == written.hash
        assert worker.ask(Sampled, do="count", iterations=1).hash == written.hash
        again = verify(worker, tmp_path / "two")
        assert again == written
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("row_id", EITHER)
def test_quit_and_end_of_input_both_end_it(row_id, ready):
    command = ready(row_id).built.command
    for given in (b'{"do":"quit"}\n{"do":"describe"}\n', b""):
        done = subprocess.run(command, input=given, capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("row_id", EITHER)
@pytest.mark.parametrize(
    "line",
    [
        b'{"do":"dance"}',
        b"{}",
        b"",
        b"nonsense",
        b'{"do":"describe"',
        b'{"do":"describe"} ?',
        b'["describe"]',
        b'{"do":7}',
        b'{"do":"describe","x":-1}',
        b'{"do":"\\u0064escribe"}',
        b"{" + b",".join(b'"f%d":1' % n for n in range(40)) + b"}",
        b"\xff\xfe\x00",
        b"x" * 100_000,
    ],
)
def test_an_unknown_line_is_refused_and_the_next_one_answered(row_id, line, ready):
    command = ready(row_id).built.command
    given = line + b'\n{"do":"describe"}\n'
    done = subprocess.run(command, input=given, capture_output=True, check=False)
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert answers[0] == {"ok": False, "error": "unknown request"}
    assert answers[1]["ok"] is True and answers[1]["protocol"] == 1
    assert done.returncode == 0


@pytest.mark.parametrize("row_id", EITHER)
@pytest.mark.parametrize("request_", ["verify", "sample", "count", "heap"])
def test_nothing_goes_before_prepare(row_id, request_, start):
    with pytest.raises(WorkerFailure, match="nothing is prepared"), start(row_id) as worker:
        worker.ask(Reply, do=request_)


@pytest.mark.parametrize("row_id", ["c/mpack:tree", "c/mpack:write"])
def test_prepare_may_come_again_with_other_data(row_id, start, generated, encoded, tmp_path):
    reader = row_id.endswith("tree")
    found = []
    with start(row_id) as worker:
        for spec in ("generated:2", "generated:1", "generated:2"):
            dataset = generated(spec)
            prepare(worker, dataset.tape, encoded(row_id, dataset) if reader else None, 1)
            found.append(verify(worker, tmp_path / "out"))
            if reader:
                assert found[-1].content_hash == dataset.facts.content_hash
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize("row_id", EITHER)
def test_a_tape_that_is_missing_or_damaged(row_id, ready, generated, tmp_path):
    whole = generated("generated:1").tape.read_bytes()
    damaged = {
        "missing": None,
        "empty": b"",
        "cut": whole[:-3],
        "longer": whole + b"n",
        "other": b"{}" * 40,
        "tag": whole[:40] + b"?" + whole[41:],
    }
    for name, data in damaged.items():
        path = tmp_path / name
        if data is not None:
            path.write_bytes(data)
        with (
            pytest.raises(WorkerFailure, match="cannot be read") as caught,
            Worker(ready(row_id).built.command, limits=LIMITS) as worker,
        ):
            prepare(worker, path, path, 1, fragment=False)
        assert str(path) in caught.value.reason


def test_a_refused_prepare_leaves_nothing_prepared(ready, generated, encoded, tmp_path):
    """After a refusal the worker still answers, and does not go on with the data from before."""
    dataset = generated("generated:1")
    lines = [
        {"do": "prepare", "tape": str(dataset.tape), "input": str(encoded("c/mpack:tree", dataset))},
        {"do": "prepare", "tape": str(dataset.tape), "input": str(tmp_path / "missing")},
        {"do": "verify"},
        {"do": "describe"},
    ]
    done = subprocess.run(
        ready("c/mpack:tree").built.command,
        input=b"".join(msgspec.json.encode(line) + b"\n" for line in lines),
        capture_output=True,
        check=False,
    )
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert [answer["ok"] for answer in answers] == [True, False, False, True]
    assert "missing cannot be read: No such file" in answers[1]["error"]
    assert answers[2]["error"] == "nothing is prepared"


@pytest.mark.parametrize("row_id", ["c/mpack:tree", "c/baseline:incremental"])
def test_a_reader_without_an_input_refuses(row_id, start, generated):
    with pytest.raises(WorkerFailure, match="a reader needs an input"), start(row_id) as worker:
        prepare(worker, generated("generated:1").tape, None, 1, fragment=False)


def test_a_writer_that_cannot_write_its_output(start, generated, tmp_path):
    with pytest.raises(WorkerFailure, match="cannot write the output"), start("c/mpack:write") as worker:
        prepare(worker, generated("generated:1").tape, None, 1, fragment=False)
        verify(worker, tmp_path / "no" / "folder")


@pytest.mark.parametrize("chunks", [0, 100_001])
def test_a_sample_has_bounds(chunks, start, generated):
    with pytest.raises(WorkerFailure, match="1 to 100,000 chunks"), start("c/mpack:write") as worker:
        prepare(worker, generated("generated:1").tape, None, 1, fragment=False)
        worker.ask(Reply, do="sample", iterations=1, chunks=chunks)


@pytest.mark.parametrize("row_id", ["c/mpack:tree", "c/baseline:tree:published"])
def test_padding_is_zero_bytes(row_id, start, generated, encoded):
    dataset = generated("generated:1")
    with start(row_id) as worker:
        for padding in (1, 63, 64, 65, 1000):
            prepare(worker, dataset.tape, encoded("c/mpack:tree", dataset), padding, fragment=False)
            assert verify(worker).exact_hash == dataset.facts.exact_hash


@pytest.mark.parametrize("padding", [65_537, 2**64 - 1])
def test_padding_has_a_bound(padding, start, generated, encoded):
    dataset = generated("generated:1")
    with pytest.raises(WorkerFailure, match="the padding is more"), start("c/mpack:tree") as worker:
        prepare(worker, dataset.tape, encoded("c/mpack:tree", dataset), padding, fragment=False)


def test_paths_with_unusual_characters(start, generated, tmp_path):
    with start("c/mpack:write") as worker:
        odd = tmp_path / 'a "b" \\ é\t\n'
        odd.write_bytes(generated("generated:1").tape.read_bytes())
        prepare(worker, odd, None, 1, fragment=False)
        out = tmp_path / 'out "x" \\ ü\n'
        assert verify(worker, out).bytes == out.stat().st_size


def test_the_heap_is_counted_when_the_counter_is_preloaded(context, ready, generated, encoded):
    dataset, counter = generated("generated:2"), context.tool("heap")
    command = ready("c/mpack:tree").built.command
    with Worker(command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, encoded("c/mpack:tree", dataset), 1)
        assert msgspec.structs.astuple(heap(worker)) == (None, None, None)
    counts = []
    for fragment in (False, True):
        with Worker(command, limits=LIMITS, preload=[counter]) as worker:
            prepare(worker, dataset.tape, encoded("c/mpack:tree", dataset), 1, fragment)
            counts += [worker.ask(HeapReply, do="heap") for _ in range(2)]
    assert all(count == counts[0] for count in counts)
    assert counts[0].allocations > 0 and counts[0].bytes >= counts[0].peak > 0


def test_a_baseline_allocates_nothing(context, ready, generated, encoded):
    dataset = generated("generated:2")
    with Worker(ready("c/baseline:tree").built.command, preload=[context.tool("heap")]) as worker:
        prepare(worker, dataset.tape, encoded("c/mpack:tree", dataset), 1)
        assert msgspec.structs.astuple(heap(worker)) == (0, 0, 0)
