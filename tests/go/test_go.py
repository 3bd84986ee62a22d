"""The worker in Go: its tape, its hashes and its lines as in C, and what it makes of a panic."""

import msgspec
import pytest

from serbench.worker.process import Worker
from serbench.worker.session import describe, heap, prepare, sample
from tests.conftest import LIMITS
from tests.zig.test_protocol import make_messages, odd_lines
from tests.zig.test_tape import DOCUMENTS, damaged_tapes

WALKER, SAME_IN_C = "go/walker:tree", "c/baseline:tree:published"
READER, WRITER = "go/encoding-json:incremental:number", "go/encoding-json:write"


def request(tape, given):
    return {"do": "prepare", "tape": str(tape), "input": str(given), "fragment": False}


def hashes(talk, tape):
    ready, found = talk(WALKER, request(tape, tape), {"do": "verify"})
    assert ready == {"ok": True}
    return found["content_hash"], found["exact_hash"]


@pytest.mark.parametrize("spec", ["generated:2", "generated:4"])
def test_generated_data(spec, talk, generated):
    facts = generated(spec).facts
    assert hashes(talk, generated(spec).tape) == (facts.content_hash, facts.exact_hash)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name, talk, document, tmp_path):
    dataset = document(DOCUMENTS[name])
    facts = dataset.facts
    assert hashes(talk, dataset.tape) == (facts.content_hash, facts.exact_hash)
    (tmp_path / "how").write_text("unordered")
    _, found = talk(WALKER, request(dataset.tape, tmp_path / "how"), {"do": "verify"})
    assert found["exact_hash"] == facts.unordered_hash


def test_damaged_tapes_are_refused_as_in_c(talk, document, tmp_path):
    requests = []
    for number, data in enumerate(damaged_tapes(document(DOCUMENTS["zeros"]).tape.read_bytes())):
        path = tmp_path / f"{number}.tape"
        path.write_bytes(data)
        requests += [request(path, __file__), {"do": "verify"}]
    found = talk(WALKER, *requests)
    refused = [answer for answer in found[::2] if not answer["ok"]]
    assert len(refused) > 100
    assert all(str(answer["error"]).startswith("the tape ") for answer in refused)
    in_c = talk(SAME_IN_C, *requests)
    assert [answer["ok"] and answer for answer in found] == [answer["ok"] and answer for answer in in_c]


def test_a_string_must_be_utf_8(talk, document):
    tape = document('["\\u00e9"]').tape
    tape.write_bytes(tape.read_bytes().replace(b"\xc3\xa9", b"\xc3("))
    (answer,) = talk(WALKER, request(tape, tape))
    assert str(answer["error"]).endswith("cannot be read: it has a string that is not UTF-8")


def test_lines_are_answered_as_in_c(talk, generated, canonical, tmp_path):
    lines = odd_lines(generated("generated:1"), canonical, tmp_path)
    found, in_c = talk(WALKER, *lines), talk(SAME_IN_C, *lines)
    counts = [index for index, answer in enumerate(found) if "allocations" in answer]
    assert len(counts) == 1 and in_c[counts[0]]["ok"]  # This one counts by itself.
    del found[counts[0]], in_c[counts[0]]
    assert found == in_c
    assert sum(answer["ok"] is True for answer in found) == 5


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("panic", "panic: this is why"),
        ("index", "panic: runtime error: index out of range [5] with length 5"),
    ],
)
def test_a_panic_is_told_and_the_worker_goes_on(how, told, talk, document, tmp_path):
    (tmp_path / "how").write_text(how)
    tape = document("[1]").tape
    bad, good = request(tape, tmp_path / "how"), request(tape, tape)
    asked = [{"do": what} for what in ("verify", "sample", "count", "heap")]
    _, *panics, ready, found, _, _, _ = talk(WALKER, bad, *asked, good, *asked)
    assert panics == [{"ok": False, "error": told}] * 4
    assert ready == {"ok": True} and found["ok"]


def test_an_error_of_the_library_is_told(talk, document, tmp_path):
    (tmp_path / "bad.json").write_text('{"a": [1, 2')
    ready, *found = talk(
        READER,
        request(document("[1]").tape, tmp_path / "bad.json"),
        *({"do": what} for what in ("verify", "sample", "count", "heap")),
    )
    assert ready == {"ok": True}
    assert {str(answer["error"]) for answer in found} == {"unexpected end of JSON input"}


def test_messages_are_handled_one_by_one(talk, document, tmp_path):
    dataset = document('[{"a": 1.5}, [2, -3], "four", {"b": null}]')
    parts = [b'{"a":1.5}', b"[2,-3]", b'"four"', b'{"b":null}']
    framed = make_messages(tmp_path / "framed", parts)
    whole = {"do": "prepare", "tape": str(dataset.tape), "messages": True, "fragment": False}
    asked = [{"do": "verify"}, {"do": "sample", "iterations": 2}, {"do": "count"}]
    in_c = talk("c/yajl:incremental", whole | {"input": str(framed)}, *asked)
    for row_id in (READER, WALKER):
        ready, found, sampled, counted = talk(row_id, whole | {"input": str(framed)}, *asked)
        assert ready == {"ok": True} and found == in_c[1]
        assert sampled["hash"] == counted["hash"] == found["exact_hash"]
    out = tmp_path / "out"
    _, written = talk(WRITER, whole, {"do": "verify", "output": str(out)})
    assert out.read_bytes() == framed.read_bytes()
    assert written["bytes"] == sum(map(len, parts))
    for damaged in (out.read_bytes()[:-1], b"", b"sbmsgs1\n"):
        out.write_bytes(damaged)
        (refused,) = talk(READER, whole | {"input": str(out)})
        assert str(refused["error"]).endswith("cannot be read: it is not a file of these messages")


def test_what_a_library_allocates_is_counted(row, generated, canonical):
    """The same each time; the baseline allocates nothing, nor does the harness."""
    dataset = generated("generated:2")
    for row_id in (READER, WRITER, f"{WRITER}:unescaped", "go/baseline:tree", "go/baseline:write"):
        counts = []
        for _ in range(2):
            with Worker(row(row_id).built.heap_command, limits=LIMITS) as worker:
                prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
                counts.append(msgspec.structs.astuple(heap(worker)))
        assert counts[0] == counts[1]
        allocations, size, peak = counts[0]
        assert (allocations > 0 and size > 0) == ("baseline" not in row_id)
        assert peak is None


def test_the_collector_runs_unless_it_is_switched_off(row, generated, canonical):
    """Without it the memory of a sample is not used again."""
    dataset = generated("generated:4")
    peaks = []
    for row_id in ("go/encoding-json:tree", "go/encoding-json:tree:gc-off"):
        with Worker(row(row_id).built.command, limits=LIMITS) as worker:
            prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
            sample(worker, 100, 1, 50)
        peaks.append(worker.max_rss)
    assert peaks[1] > 4 * peaks[0]


def test_describe(row):
    built = row(READER)
    with Worker(built.built.command, limits=LIMITS) as worker:
        said = describe(worker)
    assert (said.protocol, said.language, said.test) == (1, "go", "incremental")
    assert said.compiler == built.built.compiler == f"go {said.library_version}"
    assert said.flags == built.built.flags
