"""How the dataset tool compares what a reader saw with a tape, and what the hashes of both are."""

import json
import math
import random
import sys
from typing import Any

import pytest

from tests.datasets.pyhash import Hasher, hashes, unordered_hash
from tests.datasets.tool import DatasetTool

BIG = 505874924095815681
TREE = {
    "a": [1, -2, 0.5, 3.0, 1e18, 1e300],
    "b": BIG,
    "c": {"z": 1, "y": []},
    "d": -0.0,
    "m": -9007199254740995,
    "n": None,
    "s": "\u00e9",
    "t": True,
}


def calls(tree: Any) -> bytes:
    """What a harness writes of a reader that saw `tree`."""
    seen = bytearray()
    Hasher(exact=True, seen=seen).value(tree)
    return bytes(seen)


@pytest.fixture
def compare(dataset_tool: DatasetTool):
    """The difference of a tree, or of calls, from TREE: what is not usual of it."""
    assert dataset_tool.load(json.dumps(TREE).encode())[0] == 0

    def run(found: Any, kind: str = "document") -> dict[str, Any]:
        file = dataset_tool.folder / "seen"
        file.write_bytes(found if isinstance(found, bytes) else calls(found))
        status, answer = dataset_tool.run("compare", dataset_tool.tape, file, kind)
        assert status == 0
        if not answer["difference"] and not isinstance(found, bytes):
            assert answer["exact_hash"] == hashes(found)[1]
            assert answer["unordered_hash"] == unordered_hash(found)
        return {name: value for name, value in answer.items() if value and "hash" not in name}

    return run


def changed(**changes: Any) -> dict[str, Any]:
    return {**TREE, **changes}


def first(*numbers: Any) -> dict[str, Any]:
    """The tree with other numbers in its array."""
    return changed(a=[*numbers, *TREE["a"][len(numbers) :]])


SHUFFLED = list(TREE)
random.Random(1).shuffle(SHUFFLED)


@pytest.mark.parametrize(
    ("tree", "found"),
    [
        (TREE, {}),
        (changed(b=float(BIG)), {"integers": 1}),
        (changed(b=float(BIG + 64)), {"integers": 1}),
        (changed(b=int(float(BIG))), {"integers": 1}),
        (changed(b=505874924095815700), {"integers": 1}),
        (changed(m=-9007199254740996), {"integers": 1}),
        (changed(b=float(BIG), m=-9007199254740996.0), {"integers": 2}),
        (changed(d=0.0), {"negative_zeros": 1}),
        (changed(d=0), {"negative_zeros": 1}),
        (first(1.0, -2.0, 0.5, 3), {}),
        (first(1, -2, 0.5, 3, 10**18), {"retyped": 1}),
        (first(1, -2, 0.505), {"doubles": 1, "max_relative": pytest.approx(0.01)}),
        (first(1, -2, 1), {"doubles": 1, "max_relative": 1}),
        (first(1, -2, math.inf), {"doubles": 1, "max_relative": sys.float_info.max}),
        (changed(c={"y": [], "z": 1}), {"keys_moved": True}),
        ({key: TREE[key] for key in reversed(TREE)}, {"keys_moved": True}),
        ({key: TREE[key] for key in SHUFFLED}, {"keys_moved": True}),
    ],
)
def test_what_is_lost_is_counted(tree, found, compare):
    assert compare(tree) == found


@pytest.mark.parametrize(
    ("tree", "where"),
    [
        (changed(b=BIG + 1), "at $.b: 505874924095815682 where 505874924095815681 is right"),
        (changed(b=float(BIG + 128)), "at $.b: 5.0587492409581581e+17 where"),
        (changed(m=float(-9007199254740999)), "at $.m: -9007199254741000 where"),
        (changed(b=str(BIG)), "at $.b: '505874924095815681' where"),
        (changed(m=9007199254740996), "at $.m: 9007199254740996 where -9007199254740995 is right"),
        (first(2), "at $.a[0]: 2 where 1 is right"),
        (first("x"), "at $.a[0]: 'x' where 1 is right"),
        (first(1, -2, 0.5, 3.0, 10**18 + 1), "at $.a[4]: 1000000000000000001 where 1e+18 is right"),
        (first(1, -2, None), "at $.a[2]: null where 0.5 is right"),
        (changed(a=TREE["a"][:2]), "at $.a[2]: the end after 2 elements where 0.5 is right"),
        (changed(a=[*TREE["a"], 0]), "at $.a: 0 where the end after 6 elements is right"),
        (changed(c=[1, []]), "at $.c: 1 where 'z' is right"),
        (changed(t=False), "at $.t: false where true is right"),
        (changed(n=0), "at $.n: 0 where null is right"),
        (changed(s="e"), "at $.s: 'e' where '\u00e9' is right"),
        ({**TREE, "u": 1}, "at $: 'u' where the end after 8 elements is right"),
        ({key: TREE[key] for key in list(TREE)[:-1]}, "at $: the end after 7 elements where 't' is right"),
        ([TREE], "at $: the end after 1 elements where nothing is right"),
        (b"", "at $: nothing where 'a' is right"),
        (b"s\xff\xff\xff\xff", "at $: nothing where 'a' is right"),
        (calls(TREE)[:-1], "at $: nothing where the end after 8 elements is right"),
        (calls(TREE)[:-5] + b"?", "at $: nothing where the end"),
    ],
)
def test_what_else_differs_has_a_place(tree, where, compare):
    assert compare(tree)["difference"].startswith(where)


def test_a_key_twice_is_not_the_one_that_is_missing(compare):
    twice = calls({"z": 1}).removesuffix(b"e\x01\0\0\0") * 2 + b"e\x02\0\0\0"
    whole = calls(TREE)
    assert whole.count(calls(TREE["c"])) == 1
    assert compare(whole.replace(calls(TREE["c"]), twice))["difference"] == "at $.c: 'z' where 'y' is right"


def test_messages_follow_each_other(dataset_tool: DatasetTool, compare):
    lines = dataset_tool.folder / "some.jsonl"
    lines.write_text('{"a":1,"b":2}\n[9007199254740993]\n')
    assert dataset_tool.run("messages", dataset_tool.tape, lines)[0] == 0
    assert compare(calls({"a": 1, "b": 2}) + calls([9007199254740993]), "messages") == {}
    found = compare(calls({"b": 2, "a": 1}) + calls([9007199254740992.0]), "messages")
    assert found == {"keys_moved": True, "integers": 1}
    assert "difference" in compare(calls({"a": 1, "b": 2}), "messages")


def test_the_hash_without_an_order(dataset_tool: DatasetTool):
    texts = ['{"a":1,"b":{"c":[],"d":2.5}}', '{"b":{"d":2.5,"c":[]},"a":1}', '{"a":1,"b":{"c":[],"d":2}}']
    facts = [dataset_tool.load(text.encode())[1] for text in texts]
    assert [each["unordered_hash"] for each in facts] == [unordered_hash(json.loads(text)) for text in texts]
    assert facts[0]["unordered_hash"] == facts[1]["unordered_hash"] != facts[2]["unordered_hash"]
    assert facts[0]["exact_hash"] != facts[1]["exact_hash"]
