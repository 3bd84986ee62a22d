"""The importer against Python's json: random trees, and random damage, under the sanitizers."""

import json
import random
import struct
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.datasets.pyhash import TapeReader, hashes
from tests.datasets.tool import DatasetTool

MUTATIONS = 2000
SNIPPETS = [
    b'"', b"\\", b"\\u", b"\\ud800", b"\\udc00", b"\\ud83d\\ude00", b"\\u0000", b"\\n", b"[", b"]", b"{",
    b"}", b",", b":", b"[]", b"{}", b'"a":1,', b'"a"', b"NaN", b"-Infinity", b"null", b"true", b"-",
    b"-0", b"0", b"1e999", b"1e-999", b"0e999", b"18446744073709551615", b"18446744073709551616",
    b"-9223372036854775808", b"-9223372036854775809", b".5", b"e5", b"E+1", b" ", b"\n", b"\t", b"\r",
    b"\0", b"\x1f", b"\x7f", b"\xef\xbb\xbf", b"\xc3\xa9", b"\xc3", b"\xa9", b"\xed\xa0\x80", b"\xc0\x80",
    b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xff", b"//", b"/**/", b"'",
]  # fmt: skip


def random_double(source: random.Random) -> float:
    while True:
        value: float = struct.unpack("<d", source.randbytes(8))[0]
        if value - value == 0:  # neither infinite nor NaN
            return value


def random_text(source: random.Random) -> str:
    alphabets = ['abcdefgh "\\/\n\0', "aé\u0080\u07ff\u0800\ud7ff\ue000\uffff", "\U00010000😀\U0010ffff\x7f"]
    return "".join(source.choice(source.choice(alphabets)) for _ in range(source.randrange(12)))


def random_tree(source: random.Random, depth: int = 0) -> Any:
    kind = source.randrange(10 if 0 < depth < 6 else 7)
    if depth == 0 or kind >= 7:
        count = source.randrange(8)
        if source.random() < 0.5:
            return [random_tree(source, depth + 1) for _ in range(count)]
        return {random_text(source): random_tree(source, depth + 1) for _ in range(count)}
    return [
        lambda: None,
        lambda: source.random() < 0.5,
        lambda: source.randrange(-(2**63), 2**64) >> source.randrange(64),
        lambda: random_double(source),
        lambda: round(source.uniform(-1000, 1000), source.randrange(6)),
        lambda: random_text(source),
        lambda: float(source.randrange(-(2**54), 2**54)),
    ][kind]()


def random_document(source: random.Random) -> tuple[Any, bytes]:
    tree = random_tree(source)
    style = source.choice([{"separators": (",", ":")}, {"indent": 1}, {}])
    return tree, json.dumps(tree, ensure_ascii=source.random() < 0.5, **style).encode()


def typed(tree: Any) -> str:
    """A text that differs where == does not: 1, 1.0, True, 0.0, -0.0, and the order of keys."""
    return repr(tree)


def test_random_trees(dataset_tool: DatasetTool) -> None:
    source = random.Random(20160101)
    for _ in range(300):
        tree, document = random_document(source)
        status, facts = dataset_tool.load(document)
        assert status == 0, facts
        assert (facts["content_hash"], facts["exact_hash"]) == hashes(tree)
        tape = TapeReader(dataset_tool.tape.read_bytes())
        assert typed(tape.root) == typed(tree)
        assert (tape.values, tape.members, tape.depth) == (facts["nodes"], facts["members"], facts["depth"])


def strict(document: bytes) -> Any:
    """What docs/tape.md accepts, by Python's json; ValueError for anything else."""

    def refuse(_text: str) -> Any:
        raise ValueError

    def integer(text: str) -> int | float:
        if text == "-0":
            return -0.0
        if len(text) > 20 or not -(2**63) <= int(text) < 2**64:
            raise ValueError
        return int(text)

    def real(text: str) -> float:
        if abs(float(text)) == float("inf"):
            raise ValueError
        return float(text)

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) != len(pairs):
            raise ValueError
        return dict(pairs)

    text = document.decode("utf-8").removeprefix("\ufeff")
    tree = json.loads(
        text, parse_constant=refuse, parse_int=integer, parse_float=real, object_pairs_hook=members
    )
    json.dumps(tree, ensure_ascii=False).encode("utf-8")  # fails at a lone surrogate
    if not isinstance(tree, list | dict):
        raise ValueError
    return tree


def mutated(source: random.Random, document: bytes) -> bytes:
    data = bytearray(document)
    for _ in range(source.choice([1, 1, 1, 2, 4])):
        at = source.randrange(len(data) + 1)
        length = source.choice([0, 1, 1, 2, 8])
        match source.randrange(5):
            case 0:
                data[at : at + length] = b""
            case 1 if at < len(data):
                data[at] ^= 1 << source.randrange(8)
            case 2:
                data[at:at] = data[at - length : at]
            case 3:
                del data[at + source.randrange(64) :]
            case _:
                data[at : at + length] = source.choice(SNIPPETS)
    return bytes(data)


def check(program: Path, folder: Path, number: int, document: bytes) -> bool:
    """True if the document was accepted, and rightly; fails where tool and Python disagree."""
    text, tape = folder / f"{number}.json", folder / f"{number}.tape"
    text.write_bytes(document)
    done = subprocess.run([program, "import", text, tape], capture_output=True, check=False)
    assert done.returncode in (0, 2) and done.stderr == b"", (document, done.stderr)
    answer = json.loads(done.stdout)
    try:
        tree = strict(document)
    except ValueError:
        assert done.returncode == 2, document
        assert 1 <= answer["line"] <= document.count(b"\n") + 1, (document, answer)
        assert 1 <= answer["column"] <= len(document) + 1, (document, answer)
    else:
        assert done.returncode == 0, (document, answer)
        assert (answer["content_hash"], answer["exact_hash"]) == hashes(tree), document
        assert typed(TapeReader(tape.read_bytes()).root) == typed(tree), document
        tape.unlink()
    text.unlink()
    return done.returncode == 0


@pytest.mark.slow
def test_random_damage(dataset_program: Path, tmp_path: Path) -> None:
    source = random.Random(12345678)
    documents = [mutated(source, random_document(source)[1]) for _ in range(MUTATIONS)]
    with ThreadPoolExecutor(2) as pool:
        accepted = sum(pool.map(lambda job: check(dataset_program, tmp_path, *job), enumerate(documents)))
    assert MUTATIONS // 20 < accepted < MUTATIONS * 19 // 20  # both answers were really tried
    assert list(tmp_path.iterdir()) == []
