"""What the importer of JSON makes of a document, what it refuses, and at which place."""

import json
import re
import struct
from pathlib import Path

import pytest

from tests.datasets.pyhash import TapeReader, hashes
from tests.datasets.tool import DatasetTool

BAD = Path(__file__).parent / "bad"

BAD_FILES = {
    "comment.json": (1, 1, "no comments"),
    "control-character.json": (1, 6, "control character"),
    "duplicate-key-escaped.json": (2, 21, "twice"),
    "duplicate-key.json": (4, 3, "twice"),
    "empty.json": (1, 1, "empty"),
    "integer-beyond-64-bits.json": (3, 3, "64 bits"),
    "leading-zero.json": (1, 5, "not a JSON number"),
    "lone-surrogate.json": (2, 7, "surrogate"),
    "nan.json": (2, 2, "no NaN"),
    "negative-beyond-64-bits.json": (2, 3, "64 bits"),
    "overflow.json": (2, 11, "overflows a double"),
    "scalar-root.json": (1, 1, "root must be"),
    "trailing-comma.json": (1, 7, "a value is expected"),
    "truncated.json": (3, 1, "ends before"),
    "two-documents.json": (2, 1, "follows the end"),
    "white-space.json": (3, 1, "white space"),
    "wrong-bracket.json": (1, 18, "']' is expected"),
}

BAD_TEXTS: list[tuple[bytes, int, int, str]] = [
    # roots, ends
    (b"\xef\xbb\xbf", 1, 1, "empty"),
    (b' "x"', 1, 2, "root must be"),
    (b"true", 1, 1, "root must be"),
    (b"\nnull", 2, 1, "root must be"),
    (b"-1.5e3 ", 1, 1, "root must be"),
    (b"nope", 1, 1, "not a JSON value"),
    (b"[] x", 1, 4, "follows the end"),
    (b"[1]\0", 1, 4, "follows the end"),
    (b"[1]\0[2]", 1, 4, "follows the end"),
    (b"[1,\n", 2, 1, "ends before"),
    (b"[", 1, 2, "ends before"),
    (b"[tru", 1, 5, "ends before"),
    (b'{"a"', 1, 5, "ends before"),
    (b'{"a":', 1, 6, "ends before"),
    (b'[1, "abc', 1, 5, "does not end"),
    (b'["a\\', 1, 2, "does not end"),
    # structure
    (b"[1 2]", 1, 4, "a ',' or a ']'"),
    (b'[1"a"]', 1, 3, "a ',' or a ']'"),
    (b"[,1]", 1, 2, "a value is expected"),
    (b"]", 1, 1, "a value is expected"),
    (b'{"a":1 "b":2}', 1, 8, "a ',' or a '}'"),
    (b'{"a":1,}', 1, 8, "a key in double quotes"),
    (b"{a:1}", 1, 2, "a key in double quotes"),
    (b"{'a':1}", 1, 2, "a key in double quotes"),
    (b'{"a" 1}', 1, 6, "a ':'"),
    (b'{"a":}', 1, 6, "a value is expected"),
    (b"[1, # no\n2]", 1, 5, "a value is expected"),
    (b"[1, /* no */ 2]", 1, 5, "no comments"),
    (b"[\x0b1]", 1, 2, "a value is expected"),
    # words and numbers
    (b"[truex]", 1, 2, "not a JSON value"),
    (b"[1, nul]", 1, 5, "not a JSON value"),
    (b"[True]", 1, 2, "not a JSON value"),
    (b"[-Infinity]", 1, 2, "no NaN"),
    (b"[nan]", 1, 2, "no NaN"),
    (b"[1,Infinity]", 1, 4, "no NaN"),
    *(
        (b"[0, " + n + b"]", 1, 5, "not a JSON number")
        for n in (b"1.", b".5", b"+1", b"1e", b"1e+", b"-", b"--1")
    ),
    *(
        (b"[0, " + n + b"]", 1, 5, "not a JSON number")
        for n in (b"1.5.5", b"1e5e5", b"0x10", b"-01", b"1-2", b"1.e5")
    ),
    (b"[1" + b"0" * 400 + b".]", 1, 2, "not a JSON number"),
    (b"[0, -18446744073709551615]", 1, 5, "64 bits"),
    (b"[1" + b"0" * 5000 + b"]", 1, 2, "64 bits"),
    (b"[1.7976931348623159e308]", 1, 2, "overflows"),
    (b"[-1e309]", 1, 2, "overflows"),
    (b"[1e99999999999999999999]", 1, 2, "overflows"),
    (b"[1" + b"0" * 2000 + b".5]", 1, 2, "overflows"),
    (b"[0." + b"0" * 100_000 + b"1e1000000]", 1, 2, "overflows"),
    # strings
    (b'["\n"]', 1, 3, "control character"),
    (b'["a\0b"]', 1, 4, "control character"),
    (b'{"\x1f":1}', 1, 3, "control character"),
    (b'["\\q"]', 1, 3, "no such escape"),
    (b'["\\u12g4"]', 1, 3, "four hexadecimal"),
    (b'["a\\ud800"]', 1, 4, "surrogate"),
    (b'["\\ud800\\n"]', 1, 3, "surrogate"),
    (b'["ab\\ud800', 1, 5, "surrogate"),
    (b'["\\uDC00\\uD800"]', 1, 3, "surrogate"),
    (b'["\\\\\\ud83d\\ude00\\udead"]', 1, 17, "surrogate"),
    (b'{"\\udfff":1}', 1, 3, "surrogate"),
    # UTF-8
    *(
        (b'["\xc3\xa9a' + bad + b'"]', 1, 5, "UTF-8")
        for bad in (b"\xff", b"\x80", b"\xc3", b"\xe2\x82", b"\xf8\x88\x80\x80\x80")
    ),
    *((b'["' + bad + b'"]', 1, 3, "UTF-8") for bad in (b"\xc0\x80", b"\xe0\x80\x80", b"\xf0\x80\x80\x80")),
    *(
        (b'["' + bad + b'"]', 1, 3, "UTF-8")
        for bad in (b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80")
    ),
    (b"[\xff]", 1, 2, "UTF-8"),
    (b"\xff\xfe[\0", 1, 1, "UTF-8"),
    (b'["\xc3', 1, 3, "UTF-8"),
    # places count code points, from behind a byte order mark
    ('{"é":1,"ü😀":[],"é":2}'.encode(), 1, 16, "twice"),
    (b'\xef\xbb\xbf{"a":\r\n 01}', 2, 2, "not a JSON number"),
    (b'{"":1,"a":{"":1},"":2,"a":3}', 1, 18, "twice"),
]


@pytest.mark.parametrize("name", sorted(path.name for path in BAD.iterdir()))
def test_bad_file(dataset_tool: DatasetTool, name: str) -> None:
    line, column, words = BAD_FILES[name]
    status, answer = dataset_tool.load((BAD / name).read_bytes())
    assert (status, answer["line"], answer["column"]) == (2, line, column), answer
    assert words in answer["error"]


@pytest.mark.parametrize(
    ("text", "line", "column", "words"), BAD_TEXTS, ids=[repr(t[0][:24]) for t in BAD_TEXTS]
)
def test_bad_text(dataset_tool: DatasetTool, text: bytes, line: int, column: int, words: str) -> None:
    status, answer = dataset_tool.load(text)
    assert (status, answer["line"], answer["column"]) == (2, line, column), answer
    assert words in answer["error"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (b"[" * 1025 + b"]" * 1025, 1025),
        (b"[" * 100_000, 1025),
        (b'{"a":' * 100_000, 1024 * 5 + 1),
        (b"[" * 1024 + b"{}" + b"]" * 1024, 1025),
    ],
)
def test_too_deep(dataset_tool: DatasetTool, text: bytes, column: int) -> None:
    status, answer = dataset_tool.load(text)
    assert (status, answer["line"], answer["column"]) == (2, 1, column)
    assert "1,024 levels" in answer["error"]


def test_deep_enough(dataset_tool: DatasetTool) -> None:
    status, facts = dataset_tool.load(b"[" * 1024 + b"]" * 1024 + b"\n")
    assert (status, facts["depth"], facts["nodes"]) == (0, 1024, 1024)


def test_many_keys(dataset_tool: DatasetTool) -> None:
    keys = [f'"{i * 7919 % 200_003:x}":{i}' for i in range(200_000)]
    status, facts = dataset_tool.load(("{" + ",\n".join(keys) + "}").encode())
    assert (status, facts["members"], facts["largest_positive"]) == (0, 200_000, 199_999)
    keys[150_000] = keys[120_000]
    keys[199_999] = keys[3]
    status, answer = dataset_tool.load(("{" + ",\n".join(keys) + "}").encode())
    assert (status, answer["line"], answer["column"]) == (2, 150_001, 1)


INTEGERS = ["0", "18446744073709551615", "9223372036854775808", "-9223372036854775808", "-1"]
DOUBLES = [
    "-0", "-0.0", "0.0", "-0e5", "1.0", "1E5", "1e+2", "0e400", "-0e99999999999999999999", "0.0e-400",
    "1e23", "1e-400", "-1e-400", "1e-99999999999999999999", "5e-324", "2.4e-324", "2.5e-324",
    "2.2250738585072011e-308", "2.2250738585072014e-308", "1.7976931348623157e308",
    "1.7976931348623158e308", "-1.7976931348623158e308", "9007199254740993.0", "9007199254740993e0",
    "6929495644600919.5", "3.2378839133029012e-319",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203124",
    "1.00000000000000011102230246251565404236316680908203125" + "0" * 900 + "1",
    "1" + "0" * 400 + "e-200", "1" + "0" * 400 + ".5e-399", "0." + "0" * 400 + "1e401",
    "0." + "0" * 99_999 + "1e100000", "0." + "0" * 999_999 + "17e1000000",
    "1" + "0" * 1_000_000 + "e-1000000", "1" + "0" * 100_000 + "e-1000000",
]  # fmt: skip


def as_double(text: str) -> bytes:
    return struct.pack("<d", float(text))


def test_numbers(dataset_tool: DatasetTool) -> None:
    status, facts = dataset_tool.load(("[" + ", ".join(INTEGERS + DOUBLES) + "]").encode())
    root = TapeReader(dataset_tool.tape.read_bytes()).root
    assert status == 0
    assert root[: len(INTEGERS)] == [int(text) for text in INTEGERS]
    assert all(type(number) is int for number in root[: len(INTEGERS)])
    for text, number in zip(DOUBLES, root[len(INTEGERS) :], strict=True):
        assert type(number) is float and struct.pack("<d", number) == as_double(text), text[:60]
    whole = [
        v
        for v in map(float, DOUBLES)
        if abs(v) <= 2**53 and v.is_integer() and as_double("-0.0") != struct.pack("<d", v)
    ]
    assert (facts["doubles"], facts["integral_doubles"]) == (len(DOUBLES), len(whole))
    assert (facts["largest_positive"], facts["most_negative"]) == (2**64 - 1, -(2**63))


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf[1]", b" [1]\r\n\t ", b"[1]"])
def test_byte_order_mark_and_space(dataset_tool: DatasetTool, text: bytes) -> None:
    status, facts = dataset_tool.load(text)
    assert (status, facts["content_hash"]) == (0, hashes([1])[0])


def test_strings(dataset_tool: DatasetTool) -> None:
    tree = {"\0": "a\0b", "": "", "\U0010ffff\ud7ff\ue000": "\\udc00 \x7f\u0080", "d": ['"\\/\b\f\n\r\t']}
    for ascii_only in (True, False):
        status, facts = dataset_tool.load(json.dumps(tree, ensure_ascii=ascii_only).encode())
        assert status == 0 and TapeReader(dataset_tool.tape.read_bytes()).root == tree
        assert (facts["nul_in_values"], facts["nul_in_keys"]) == (True, True)
    _, facts = dataset_tool.load(b'{"\\u0000": "a"}')
    assert (facts["nul_in_values"], facts["nul_in_keys"]) == (False, True)


def test_example_of_the_documentation(dataset_tool: DatasetTool) -> None:
    text = (Path(__file__).parents[2] / "docs" / "tape.md").read_text(encoding="utf-8")
    (document,) = re.findall(r"```json\n(.*?)```", text, re.S)
    (listing,) = re.findall(r"```hex\n(.*?)```", text, re.S)
    status, facts = dataset_tool.load(document.encode())
    assert status == 0
    assert dataset_tool.tape.read_bytes() == b"".join(
        bytes.fromhex(line.split("   ")[0]) for line in listing.splitlines()
    )
    stated = re.findall(r"content_hash is `(\w{8})`, its exact_hash `(\w{8})`", text)
    assert stated == [(facts["content_hash"], facts["exact_hash"])] == [hashes(json.loads(document))]


def test_lines_of_messages_may_end_in_blanks(dataset_tool, monkeypatch):
    # Behind the last byte there are blanks, too: reading on ends where the sanitizer sees it.
    monkeypatch.setenv("ASAN_OPTIONS", "malloc_fill_byte=32:max_malloc_fill_size=65536")
    path = dataset_tool.folder / "in.jsonl"
    for end in (b"\n   ", b"\n", b"\r\n\t\r\n ", b""):
        path.write_bytes(b"[1]" + end)
        status, answer = dataset_tool.run("messages", dataset_tool.tape, path)
        assert (status, answer["messages"]) == (0, 1)
