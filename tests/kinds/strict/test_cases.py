"""The cases of `serbench strict` are what they say; two formats have a judge that is not ours."""

import json
from collections import Counter

import msgspec
import pytest

from serbench.errors import UserError
from serbench.kinds.strict.cases import load_cases
from serbench.project import ROOT

LEAST = {"json": 40, "cbor": 30, "messagepack": 25, "bson": 20, "ubjson": 15}
KINDS = {"UTF-8", "truncation", "trailing bytes", "duplicate keys", "nesting", "numbers", "strings"}
JUDGES = {"json": json.loads, "messagepack": msgspec.msgpack.decode}
EXTENSIONS = {"NaN", "Infinity", "-Infinity"}
"""Numbers that Python's json takes beyond the grammar."""
GOOD = 'specification = "S"\n[cases]\nstructure.accept = [{ name = "a", hex = "80", paragraph = "1" }]\n'


@pytest.mark.parametrize("format_id", LEAST)
def test_every_format_has_its_cases(format_id: str):
    cases = load_cases(ROOT, format_id)
    assert len(cases) >= LEAST[format_id]
    assert {case.kind for case in cases} >= KINDS
    assert {case.expected for case in cases} == {"accept", "refuse", "either"}
    twice = [document for document, times in Counter(case.document for case in cases).items() if times > 1]
    assert not twice
    for case in cases:
        assert case.paragraph and not case.paragraph.endswith(", ")
        if case.value:
            assert case.expected != "refuse" and isinstance(json.loads(case.value), list | dict), case.name
        else:
            at_root = case.name.startswith("scalar at the root")
            assert case.expected != "accept" or at_root, f"nobody checks what is found in '{case.name}'"


@pytest.mark.parametrize("format_id", JUDGES)
def test_another_reader_judges_like_the_cases(format_id: str):
    for case in load_cases(ROOT, format_id):
        if case.expected == "accept":
            found = JUDGES[format_id](case.document)
            assert not case.value or found == json.loads(case.value), case.name
        elif case.expected == "refuse" and case.name not in EXTENSIONS:
            with pytest.raises((ValueError, RecursionError)):
                JUDGES[format_id](case.document)


def test_a_format_without_cases_has_none():
    assert load_cases(ROOT, "bser") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD.replace("80", "8"), "fromhex"),
        (GOOD.replace("structure", "colours"), "colours"),
        (GOOD.replace("accept", "like"), "like"),
        (GOOD.replace("hex", "hexadecimal"), "hexadecimal"),
        (GOOD + 'structure.refuse = [{ name = "a", hex = "c1", paragraph = "1" }]\n', "the same name"),
    ],
)
def test_a_bad_file_is_refused_with_its_name(text: str, message: str, tmp_path):
    path = tmp_path / "formats" / "cases" / "some.toml"
    path.parent.mkdir(parents=True)
    path.write_text(GOOD)
    (case,) = load_cases(tmp_path, "some")
    assert (case.document, case.paragraph) == (b"\x80", "S, 1")
    path.write_text(text)
    with pytest.raises(UserError, match=message) as error:
        load_cases(tmp_path, "some")
    assert str(path) in str(error.value)
