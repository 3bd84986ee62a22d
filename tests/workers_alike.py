"""What the worker of every language that has one of its own does as in C. Its folder of tests imports these.

`rows` are three of its rows: a walker of the harness's own values, and a reader and a writer of JSON.
"""

import pytest

from tests.datasets.pyhash import Hasher
from tests.zig.test_protocol import make_messages
from tests.zig.test_tape import DOCUMENTS, damaged_tapes

SAME_IN_C = "c/baseline:tree:published"
__all__ = [
    "SAME_IN_C",
    "request",
    "test_a_string_must_be_utf_8",
    "test_damaged_tapes_are_refused_as_in_c",
    "test_documents",
    "test_generated_data",
    "test_maps_without_an_order",
    "test_messages_are_handled_one_by_one",
    "test_what_the_harness_does_is_the_copy_and_the_hash",
]


def request(tape, given):
    return {"do": "prepare", "tape": str(tape), "input": str(given), "fragment": False}


def hashes(rows, talk, tape):
    ready, found = talk(rows.walker, request(tape, tape), {"do": "verify"})
    assert ready == {"ok": True}
    return found["content_hash"], found["exact_hash"]


@pytest.mark.parametrize("spec", ["generated:2", "generated:4"])
def test_generated_data(spec, rows, talk, generated):
    facts = generated(spec).facts
    assert hashes(rows, talk, generated(spec).tape) == (facts.content_hash, facts.exact_hash)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name, rows, talk, document):
    dataset = document(DOCUMENTS[name])
    facts = dataset.facts
    assert hashes(rows, talk, dataset.tape) == (facts.content_hash, facts.exact_hash)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_maps_without_an_order(name, rows, talk, document, tmp_path):
    dataset = document(DOCUMENTS[name])
    facts = dataset.facts
    (tmp_path / "how").write_text("unordered")
    _, found = talk(rows.walker, request(dataset.tape, tmp_path / "how"), {"do": "verify"})
    assert found["exact_hash"] == facts.unordered_hash


def test_damaged_tapes_are_refused_as_in_c(rows, talk, document, tmp_path):
    requests = []
    for number, data in enumerate(damaged_tapes(document(DOCUMENTS["zeros"]).tape.read_bytes())):
        path = tmp_path / f"{number}.tape"
        path.write_bytes(data)
        requests += [request(path, __file__), {"do": "verify"}]
    found = talk(rows.walker, *requests)
    refused = [answer for answer in found[::2] if not answer["ok"]]
    assert len(refused) > 100
    others = [answer for answer in refused if not str(answer["error"]).startswith("the tape ")]
    assert not others
    in_c = talk(SAME_IN_C, *requests)
    assert [answer["ok"] and answer for answer in found] == [answer["ok"] and answer for answer in in_c]


def test_a_string_must_be_utf_8(rows, talk, document):
    tape = document('["\\u00e9"]').tape
    tape.write_bytes(tape.read_bytes().replace(b"\xc3\xa9", b"\xc3("))
    (answer,) = talk(rows.walker, request(tape, tape))
    assert str(answer["error"]).endswith("cannot be read: it has a string that is not UTF-8")


def test_messages_are_handled_one_by_one(rows, talk, document, tmp_path):
    dataset = document('[{"a": 1.5}, [2, -3], "four", {"b": null}]')
    parts = [b'{"a":1.5}', b"[2,-3]", b'"four"', b'{"b":null}']
    framed = make_messages(tmp_path / "framed", parts)
    whole = {"do": "prepare", "tape": str(dataset.tape), "messages": True, "fragment": False}
    asked = [{"do": "verify"}, {"do": "sample", "iterations": 2}, {"do": "count"}]
    in_c = talk("c/yajl:incremental", whole | {"input": str(framed)}, *asked)
    for row_id in (rows.reader, rows.walker):
        ready, found, sampled, counted = talk(row_id, whole | {"input": str(framed)}, *asked)
        assert ready == {"ok": True} and found == in_c[1]
        assert sampled["hash"] == counted["hash"] == found["exact_hash"]
    out = tmp_path / "out"
    _, written = talk(rows.writer, whole, {"do": "verify", "output": str(out)})
    assert out.read_bytes() == framed.read_bytes()
    assert written["bytes"] == sum(map(len, parts))
    for damaged in (out.read_bytes()[:-1], b"", b"sbmsgs1\n"):
        out.write_bytes(damaged)
        (refused,) = talk(rows.reader, whole | {"input": str(out)})
        assert str(refused["error"]).endswith("cannot be read: it is not a file of these messages")


def test_what_the_harness_does_is_the_copy_and_the_hash(rows, talk, document, tmp_path):
    """A reader's are the calls of its hash, kind by kind, also without an order; a writer's as many bytes."""
    dataset = document('[{"a": 1.5, "b": "text"}, [-3, null, true], "four", {"c": {"d": []}}]')
    asked = {"do": "overhead", "iterations": 2, "chunks": 3, "warmup": 1}
    found = {}
    for how in ("ordered", "unordered"):
        (tmp_path / how).write_text(how)
        _, own, again = talk(rows.walker, request(dataset.tape, tmp_path / how), asked, asked)
        assert len(own["wall"]) == len(own["cpu"]) == 3 and all(wall > 0 for wall in own["wall"])
        assert own["hash"] == again["hash"]
        found[how] = own["hash"]
    expected = Hasher(exact=True)
    for value in (None, True, -3, 1.5, "a", "b", "c", "d", "text", "four"):
        expected.value(value)
    for count in (2, 3, 0, 1, 1, 4):
        expected.end(count)
    assert found["ordered"] == f"{expected.state:08x}" != found["unordered"]
    out = tmp_path / "out"
    whole = {"do": "prepare", "tape": str(dataset.tape), "fragment": False}
    _, written, own = talk(rows.writer, whole, {"do": "verify", "output": str(out)}, asked)
    same = Hasher(exact=True)
    same.text(b"x" * written["bytes"])
    assert own["hash"] == f"{same.state:08x}"
    (refused,) = talk(rows.walker, asked)
    assert refused == {"ok": False, "error": "nothing is prepared"}
