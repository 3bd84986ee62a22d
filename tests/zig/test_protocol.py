"""The protocol as the worker in Zig speaks it: as the one in C, line for line."""

import struct
from pathlib import Path

import msgspec
import pytest

from serbench.worker.process import Reply, Worker, WorkerFailure
from serbench.worker.session import Sampled, describe, heap, prepare, sample, verify
from tests.conftest import LIMITS

READERS = ["zig/std-json:tree", "zig/std-json:incremental"]
WRITER = "zig/std-json:write"
ALL = [*READERS, WRITER]


@pytest.fixture
def start(row):
    """A running worker of a row."""
    return lambda row_id, **options: Worker(row(row_id).built.command, limits=LIMITS, **options)


@pytest.mark.parametrize("row_id", ALL)
def test_describe(row_id, start):
    with start(row_id) as worker:
        said = describe(worker)
    assert (said.protocol, said.language, said.test) == (1, "zig", row_id.rpartition(":")[2])
    assert said.library_version.startswith("0.17")
    assert said.compiler == f"zig {said.library_version}"
    assert said.flags == "-O ReleaseFast"


@pytest.mark.parametrize("row_id", READERS)
def test_a_reader(row_id, start, generated, canonical):
    dataset = generated("generated:2")
    with start(row_id) as worker:
        for padding in (1, 63, 64, 65, 1000):
            prepare(worker, dataset.tape, canonical(dataset, "json"), padding, fragment=padding == 64)
            found = verify(worker)
            assert (found.content_hash, found.exact_hash) == ("0075ff81", "3852a135")
            many = sample(worker, 3, 17, 5)
            assert len(many.wall) == len(many.cpu) == 17 and min(many.wall) > 0
            assert many.hash == worker.ask(Sampled, do="count", iterations=4).hash == found.exact_hash


def test_a_writer(start, generated, tmp_path):
    with start(WRITER) as worker:
        prepare(worker, generated("generated:2").tape, None, 1)
        written = verify(worker, tmp_path / "one")
        assert (tmp_path / "one").stat().st_size == written.bytes == 3183
        assert sample(worker, 2, 3, 1).hash == written.hash == "03ef5ccf"
        assert worker.ask(Sampled, do="count", iterations=1).hash == written.hash
        prepare(worker, generated("generated:1").tape, None, 1)
        assert verify(worker, tmp_path / "two").hash != written.hash
        with pytest.raises(WorkerFailure, match=r"cannot write the output .*: No such file"):
            verify(worker, tmp_path / "no" / "folder")


def odd_lines(dataset, canonical, tmp_path):
    """Requests of which few are in order, for the worker of a reader of JSON."""
    ready = {"do": "prepare", "tape": str(dataset.tape), "input": str(canonical(dataset, "json"))}
    odd = tmp_path / 'a "b" \\ é\t\n'
    odd.write_bytes(dataset.tape.read_bytes())
    return [
        *({"do": what} for what in ("verify", "sample", "count", "heap", "dance")),
        *(b"{}", b"", b"nonsense", b'{"do":"describe"', b'{"do":"describe"} ?', b'["describe"]', b'{"do":7}'),
        *(b'{"do":"describe","x":-1}', b'{"do":"describe","x":1.5}', b'{"do":"describe","x":null}'),
        *(b'{"do":"\\u0064escribe"}', b'{"do":"describe\\', b'{"do":"', b"\xff\xfe\x00", b"x" * 100_000),
        b"{" + b",".join(b'"f%d":1' % n for n in range(40)) + b"}",
        b'\t{ "do" : "heap" , "x" : true , "y":false,"z":12 } \r',
        {"do": "prepare", "tape": str(dataset.tape)},
        {"do": "prepare", "tape": str(tmp_path / "missing")},
        ready | {"input": str(tmp_path / "missing")},
        {"do": "verify"},
        ready,
        *({"do": "sample", "chunks": chunks} for chunks in (0, 100_001)),
        *({"do": what} for what in ("verify", "count", "heap")),
        ready | {"tape": str(odd)},
        {"do": "verify"},
        ready | {"tape": str(tmp_path / "missing")},
        {"do": "verify"},
        {"do": "quit"},
        {"do": "describe"},
    ]


def test_lines_are_answered_as_in_c(talk, generated, canonical, tmp_path):
    lines = odd_lines(generated("generated:1"), canonical, tmp_path)
    found = talk("zig/walker:tree", *lines)
    assert found == talk("c/baseline:tree:published", *lines)
    assert sum(answer["ok"] is True for answer in found) == 6


def make_messages(path: Path, parts: list[bytes]) -> Path:
    sizes = struct.pack(f"<{len(parts)}Q", *map(len, parts))
    path.write_bytes(b"sbmsgs1\n" + struct.pack("<Q", len(parts)) + sizes + b"".join(parts))
    return path


def test_messages_are_handled_one_by_one(talk, document, tmp_path):
    """Each is a document of its own, in one framed file; the hashes go on from one to the next."""
    dataset = document('[{"a": 1.5}, [2, -3], "four", {"b": null}]')
    parts = [b'{"a":1.5}', b"[2,-3]", b'"four"', b'{"b":null}']
    whole = {"do": "prepare", "tape": str(dataset.tape), "messages": True, "fragment": False}
    framed = whole | {"input": str(make_messages(tmp_path / "framed", parts))}
    asked = [{"do": "verify"}, {"do": "sample", "iterations": 2}, {"do": "count"}]
    in_c = talk("c/yajl:incremental", framed, *asked)
    for row_id in [*READERS, "zig/walker:tree"]:
        ready, found, sampled, counted = talk(row_id, framed, *asked)
        assert ready == {"ok": True}
        assert found == in_c[1]
        assert sampled["hash"] == counted["hash"] == found["exact_hash"]
    out = tmp_path / "out"
    _, written = talk(WRITER, whole, {"do": "verify", "output": str(out)})
    assert out.read_bytes() == (tmp_path / "framed").read_bytes()
    assert written["bytes"] == sum(map(len, parts))
    for damaged in (
        b"",
        b"sbmsgs1\n",
        make_messages(tmp_path / "few", parts[:3]).read_bytes(),
        out.read_bytes()[:-1],
    ):
        (tmp_path / "damaged").write_bytes(damaged)
        (refused,) = talk(READERS[0], framed | {"input": str(tmp_path / "damaged")})
        assert str(refused["error"]).endswith("cannot be read: it is not a file of these messages")
    for text in ("[]", "{}"):
        (refused,) = talk(WRITER, whole | {"tape": str(document(text).tape)})
        assert str(refused["error"]).endswith("has no messages")


def test_a_failure_of_the_library_is_told_with_its_reason(talk, generated, tmp_path):
    (tmp_path / "bad.json").write_text('{"a": [1, 2')
    tape = str(generated("generated:1").tape)
    request = {"do": "prepare", "tape": tape, "input": str(tmp_path / "bad.json"), "fragment": False}
    for row_id in READERS:
        for what in ("verify", "sample", "count", "heap"):
            *_, answer = talk(row_id, request, {"do": what})
            assert answer == {"ok": False, "error": "UnexpectedEndOfInput"} or what == "heap"


def test_the_heap_is_counted_when_the_counter_is_preloaded(context, start, generated, canonical):
    dataset, counter = generated("generated:2"), context.tool("heap")
    for row_id in [*ALL, "zig/baseline:tree", "zig/baseline:write"]:
        counts = []
        for preload in ([], [counter], [counter]):
            with start(row_id, preload=preload) as worker:
                prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
                counts.append(msgspec.structs.astuple(heap(worker)))
        assert counts[0] == (None, None, None)
        assert counts[1] == counts[2]
        allocations, _, peak = counts[1]
        assert (allocations > 0 and peak > 0) == ("baseline" not in row_id)


def test_requests_before_any_data_are_refused(start):
    with pytest.raises(WorkerFailure, match="nothing is prepared"), start(WRITER) as worker:
        worker.ask(Reply, do="sample")
