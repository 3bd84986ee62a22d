"""The tape reader and the hashes of the harness: against the facts of the datasets and damaged tapes."""

import pytest

DOCUMENTS = {
    "the example of docs/tape.md": '{"a": [1, -2, 0.5, 3.0], "é": "tape", "n": null, "yes": true}',
    "zeros": "[0, -0.0, 0.0, 1e-400, -1e-400, 5e-324]",
    "integral doubles": "[1.0, -1.0, 9007199254740992.0, 9007199254740994.0, -9007199254740992.0, 1e300]",
    "integers": f"[{2**64 - 1}, {2**63}, {2**63 - 1}, {-(2**63)}, -1, 0]",
    "strings": '["", "a", "abc", "\\u0000", "\\u00ff", "\\u0800", "\\ud83d\\ude00", {"": "", "\\u0000": 1}]',
    "empty": "{}",
    "deep": "[" * 1024 + "]" * 1024,
}


def prepare(path):
    return {"do": "prepare", "tape": str(path), "input": str(path), "fragment": False}


def hashes(answer):
    return answer["content_hash"], answer["exact_hash"]


@pytest.mark.parametrize("spec", ["generated:2", "generated:4", "generated:1:seed=7"])
def test_generated_data(spec, talk, generated):
    facts = generated(spec).facts
    _, found = talk("python/walker:tree", prepare(generated(spec).tape), {"do": "verify"})
    assert hashes(found) == (facts.content_hash, facts.exact_hash)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents(name, talk, document, tmp_path):
    dataset = document(DOCUMENTS[name])
    _, found = talk("python/walker:tree", prepare(dataset.tape), {"do": "verify", "output": ""})
    assert hashes(found) == (dataset.facts.content_hash, dataset.facts.exact_hash)


def test_damaged_tapes_are_refused(talk, document, tmp_path):
    whole = document(DOCUMENTS["the example of docs/tape.md"]).tape.read_bytes()
    requests = []
    damaged = [whole[:length] for length in range(len(whole))] + [whole + b"n"]
    for number, data in enumerate(damaged):
        path = tmp_path / f"{number}.tape"
        path.write_bytes(data)
        requests += [prepare(path), {"do": "verify"}]
    found = talk("python/walker:tree", *requests)
    assert len(found) == 2 * len(damaged)
    assert all("the tape " in str(answer["error"]) for answer in found[::2])
    assert all(answer["error"] == "nothing is prepared" for answer in found[1::2])
