"""Zig's tape reader and its two hashes: against known values, and against those in C on damaged tapes."""

import random
import struct

import pytest

READER, SAME_IN_C = "zig/walker:tree", "c/baseline:tree:published"
CONTENT = {
    "generated:2": "0075ff81",
    "generated:4": "91b5d7ef",
    "generated:2:safe": None,
    "generated:1:seed=7": None,
}
DOCUMENTS = {
    "the example of docs/tape.md": '{"a": [1, -2, 0.5, 3.0], "é": "tape", "n": null, "yes": true}',
    "zeros": "[0, -0.0, 0.0, 1e-400, -1e-400, 5e-324]",
    "integral doubles": "[1.0, -1.0, 9007199254740992.0, 9007199254740994.0, -9007199254740992.0, 1e300]",
    "integers": f"[{2**64 - 1}, {2**63}, {2**63 - 1}, {-(2**63)}, -1, 0]",
    "strings": '["", "a", "ab", "abc", "abcd", "abcde", "\\u0000", "\\ud83d\\ude00", {"": "", "\\u0000": 1}]',
    "empty": "{}",
    "deep": "[" * 1024 + "]" * 1024,
}


def prepare(path):
    return {"do": "prepare", "tape": str(path), "input": str(path), "fragment": False}


def hashes(talk, tape):
    ready, found = talk(READER, prepare(tape), {"do": "verify"})
    assert ready == {"ok": True}
    return found


@pytest.mark.parametrize("spec", CONTENT)
def test_generated_data(spec, talk, generated):
    facts = generated(spec).facts
    found = hashes(talk, generated(spec).tape)
    assert (found["content_hash"], found["exact_hash"]) == (facts.content_hash, facts.exact_hash)
    assert found["content_hash"] == (CONTENT[spec] or facts.content_hash)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name, talk, document):
    dataset = document(DOCUMENTS[name])
    found = hashes(talk, dataset.tape)
    assert (found["content_hash"], found["exact_hash"]) == (
        dataset.facts.content_hash,
        dataset.facts.exact_hash,
    )
    if name.startswith("the example"):
        assert (found["content_hash"], found["exact_hash"]) == ("2ef18521", "ff42082a")


def damaged_tapes(whole: bytes) -> list[bytes]:
    """A tape cut off everywhere, with other counts, nested too deep, and with some bytes changed."""
    damaged = [whole[:length] for length in range(len(whole))] + [whole + b"n"]
    for place in (8, 16, 24, 32):  # each of the header's counts
        (count,) = struct.unpack_from("<Q", whole, place)
        for other in (0, count - 1, count + 1, 2**32, 2**64 - 1):
            damaged.append(whole[:place] + struct.pack("<Q", other % 2**64) + whole[place + 8 :])
    deep = b"a\x01\0\0\0" * 1025 + b"n"
    damaged.append(b"sbtape1\n" + struct.pack("<4Q", 1026, 0, 0, 1025) + deep)
    chance = random.Random(3)
    for _ in range(500):
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 1, 2, 5))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        damaged.append(bytes(changed))
    return damaged


def test_damaged_tapes_are_refused_as_in_c(talk, document, tmp_path):
    whole = document(DOCUMENTS["the example of docs/tape.md"]).tape.read_bytes()
    damaged = damaged_tapes(whole)
    requests = []
    for number, data in enumerate(damaged):
        path = tmp_path / f"{number}.tape"
        path.write_bytes(data)
        # The input is not the tape, since an empty tape would make an empty input.
        requests += [prepare(path) | {"input": str(tmp_path / "540.tape")}, {"do": "verify"}]
    assert len(damaged) > 540
    found = talk(READER, *requests)
    refused = [answer for answer in found[::2] if not answer["ok"]]
    assert len(refused) > len(whole) + 20
    assert all(str(answer["error"]).startswith("the tape ") for answer in refused)
    # The reasons may differ where a tape has several faults: the two find them in another order.
    in_c = talk(SAME_IN_C, *requests)
    assert [answer if answer["ok"] else None for answer in found] == [
        answer if answer["ok"] else None for answer in in_c
    ]


@pytest.mark.parametrize("name", ["missing", "a folder"])
def test_a_tape_that_cannot_be_opened(name, talk, tmp_path):
    path = tmp_path / "x"
    if name == "a folder":
        path.mkdir()
    (answer,) = talk(READER, prepare(path))
    assert answer["ok"] is False
    assert str(answer["error"]).startswith(f"the tape {path} cannot be read: ")
