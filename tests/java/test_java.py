"""The worker in Java: its tape, its hashes and its lines as in C, and what it makes of an exception."""

import pytest

from tests.zig.test_protocol import make_messages, odd_lines
from tests.zig.test_tape import DOCUMENTS, damaged_tapes

WALKER, SAME_IN_C = "java/walker:tree", "c/baseline:tree:published"
READER, WRITER = "java/jackson:incremental", "java/jackson:write"


def request(tape, given):
    return {"do": "prepare", "tape": str(tape), "input": str(given), "fragment": False}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name, talk, document):
    dataset = document(DOCUMENTS[name])
    ready, found = talk(WALKER, request(dataset.tape, dataset.tape), {"do": "verify"})
    assert ready == {"ok": True}
    facts = dataset.facts
    assert (found["content_hash"], found["exact_hash"]) == (facts.content_hash, facts.exact_hash)


def test_damaged_tapes_are_refused_as_in_c(talk, document, tmp_path):
    requests = []
    for number, data in enumerate(damaged_tapes(document(DOCUMENTS["zeros"]).tape.read_bytes())):
        path = tmp_path / f"{number}.tape"
        path.write_bytes(data)
        requests += [request(path, __file__), {"do": "verify"}]
    found, in_c = talk(WALKER, *requests), talk(SAME_IN_C, *requests)
    assert sum(not answer["ok"] for answer in found[::2]) > 100
    assert [answer["ok"] and answer for answer in found] == [answer["ok"] and answer for answer in in_c]


def test_lines_are_answered_as_in_c(talk, generated, canonical, tmp_path):
    lines = odd_lines(generated("generated:1"), canonical, tmp_path)
    found, in_c = talk(WALKER, *lines), talk(SAME_IN_C, *lines)
    counts = [index for index, answer in enumerate(found) if "allocations" in answer]
    assert len(counts) == 1 and in_c[counts[0]]["ok"]  # This one counts by itself.
    del found[counts[0]], in_c[counts[0]]
    assert found == in_c


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("throw", "IllegalStateException: this is why"),
        ("index", "ArrayIndexOutOfBoundsException: Index 5 out of bounds for length 5"),
        ("stack", "StackOverflowError"),
        ("type", "a value is a java.lang.StringBuilder"),
    ],
)
def test_an_exception_is_told_and_the_worker_goes_on(how, told, talk, document, tmp_path):
    (tmp_path / "how").write_text(how)
    tape = document("[1]").tape
    bad, good = request(tape, tmp_path / "how"), request(tape, tape)
    asked = [{"do": what} for what in ("verify", "sample", "count", "heap")]
    _, *failed, ready, found, _, _, _ = talk(WALKER, bad, *asked, good, *asked)
    assert failed == [{"ok": False, "error": told}] * 4
    assert ready == {"ok": True} and found["ok"]


def test_messages_are_handled_one_by_one(talk, document, tmp_path):
    dataset = document('[{"a": 1.5}, [2, -3], "four", {"b": null}]')
    framed = make_messages(tmp_path / "framed", [b'{"a":1.5}', b"[2,-3]", b'"four"', b'{"b":null}'])
    whole = {"do": "prepare", "tape": str(dataset.tape), "messages": True, "fragment": False}
    asked = [{"do": "verify"}, {"do": "sample", "iterations": 2}, {"do": "count"}]
    in_c = talk("c/yajl:incremental", whole | {"input": str(framed)}, *asked)
    for row_id in (READER, WALKER):
        ready, found, sampled, counted = talk(row_id, whole | {"input": str(framed)}, *asked)
        assert ready == {"ok": True} and found == in_c[1]
        assert sampled["hash"] == counted["hash"] == found["exact_hash"]
    out = tmp_path / "out"
    talk(WRITER, whole, {"do": "verify", "output": str(out)})
    assert out.read_bytes() == framed.read_bytes()
