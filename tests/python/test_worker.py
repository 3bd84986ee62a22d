"""The worker in Python: what it answers, what it refuses, and how it counts."""

import json
import struct

import pytest

READERS = ["python/json:tree", "python/json:lookup", "python/ijson:incremental", "python/msgpack:tree"]


@pytest.mark.parametrize(
    ("what", "written"),
    [("bytes", b"bytes"), ("buffer", b"bytes"), ("text", "é".encode()), ("noise", b"")],
)
def test_a_writer_yields_bytes_a_buffer_or_a_string(what, written, talk, document, tmp_path):
    tape, output = document(f'{{"write": "{what}"}}').tape, tmp_path / "out"
    prepare = {"do": "prepare", "tape": str(tape)}
    asked = [{"do": "verify", "output": str(output)}, {"do": "count"}, {"do": "sample", "iterations": 2}]
    ready, proved, counted, sampled = talk("python/walker:write", prepare, *asked)
    assert ready == {"ok": True} and output.read_bytes() == written
    assert proved["bytes"] == len(written)
    assert proved["hash"] == counted["hash"] == sampled["hash"]


def test_what_a_contender_does_wrong_is_told_in_one_line(talk, document, tmp_path):
    for text, reason in (
        ('{"write": "nothing"}', "TypeError: the contender wrote a NoneType, neither bytes nor a string"),
        ("[]", "ValueError: half ? of a pair"),
    ):
        prepare = {"do": "prepare", "tape": str(document(text).tape)}
        asked = [{"do": "verify", "output": str(tmp_path / "x")}, {"do": "sample"}, {"do": "count"}]
        _, *refused = talk("python/walker:write", prepare, *asked)
        assert refused == [{"ok": False, "error": reason}] * 3


def test_odd_lines_are_refused(talk):
    lines = [b"nonsense", b"", b"[]", b"\xff", b'{"do": "dance"}', {"do": "sample"}, {"do": "prepare"}]
    found = talk("python/walker:tree", *lines, {"do": "describe"}, {"do": "quit"}, {"do": "describe"})
    assert [answer["ok"] for answer in found] == [False] * 7 + [True]
    assert found[5]["error"] == "nothing is prepared" and found[6]["error"] == "a reader needs an input"


def test_chunks_and_their_number(talk, document, tmp_path):
    tape = document("[1]").tape
    prepare = {"do": "prepare", "tape": str(tape), "input": str(tape)}
    wrong = [{"do": "sample", "chunks": chunks} for chunks in (0, 100_001)]
    _, *refused, sampled = talk("python/walker:tree", prepare, *wrong, {"do": "sample", "chunks": 7})
    assert all("1 to 100,000 chunks" in str(answer["error"]) for answer in refused)
    assert len(sampled["wall"]) == len(sampled["cpu"]) == 7 and min(sampled["wall"]) > 0


@pytest.mark.parametrize(("row_id", "on"), [("python/walker:write", True)])
def test_the_collector_is_on_and_what_was_prepared_is_out_of_its_sight(row_id, on, talk, document, tmp_path):
    prepare = {"do": "prepare", "tape": str(document('{"write": "state"}').tape)}
    talk(row_id, prepare, {"do": "verify", "output": str(tmp_path / "out")})
    assert json.loads((tmp_path / "out").read_bytes()) == {"gc": on, "frozen": True, "isolated": 1}


def test_the_variant_without_the_collector_says_so(talk):
    (on,), (off,) = (talk(row, {"do": "describe"}) for row in ("python/json:tree", "python/json:tree:gc-off"))
    assert (on["flags"], off["flags"]) == ("gc on", "gc off")


def test_messages_are_handled_one_by_one(talk, document, tmp_path):
    parts = [b'{"a":1.5}', b"[2,-3]", b'"four"', b'{"b":null}']
    sizes = struct.pack(f"<{len(parts) + 1}Q", len(parts), *map(len, parts))
    framed = tmp_path / "framed"
    framed.write_bytes(b"sbmsgs1\n" + sizes + b"".join(parts))
    tape = str(document(b"[" + b",".join(parts) + b"]").tape)
    prepare = {"do": "prepare", "tape": tape, "messages": True}
    asked = [{"do": "verify", "output": ""}, {"do": "count"}]
    (_, in_c, _) = talk("c/yajl:incremental", prepare | {"input": str(framed)}, *asked)
    for row_id in ("python/json:tree", "python/ijson:incremental"):
        _, found, counted = talk(row_id, prepare | {"input": str(framed)}, *asked)
        assert found == in_c and counted["hash"] == found["exact_hash"]
    output = tmp_path / "out"
    _, written = talk("python/json:write:compact", prepare, {"do": "verify", "output": str(output)})
    assert output.read_bytes() == framed.read_bytes() and written["bytes"] == sum(map(len, parts))
    for damaged in (b"", framed.read_bytes()[:-1], framed.read_bytes() + b"x", b"sbmsgs1\n" + b"\xff" * 8):
        (tmp_path / "damaged").write_bytes(damaged)
        (refused,) = talk("python/json:tree", prepare | {"input": str(tmp_path / "damaged")})
        assert refused["ok"] is False


def test_allocations_are_counted_and_repeat(talk, generated, context):
    dataset = generated("generated:2")
    inputs = {"json": str(context.canonical(dataset, "json").encoded.path)}
    prepare = {"do": "prepare", "tape": str(dataset.tape), "input": inputs["json"], "fragment": False}
    counts = [talk("python/json:tree", prepare, {"do": "heap"}, heap=True)[1] for _ in range(2)]
    assert counts[0] == counts[1] and counts[0]["allocations"] > 100 and counts[0]["peak"] > 1000
    assert talk("python/json:tree", prepare, {"do": "heap"})[1]["allocations"] is None
    words = {"words": inputs["json"]}  # The baseline allocates nothing, whatever it hashes.
    baseline = talk("python/baseline:tree", prepare | words, {"do": "heap"}, heap=True)[1]
    assert (baseline["allocations"], baseline["bytes"], baseline["peak"]) == (0, 0, 0)
