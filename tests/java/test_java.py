"""The worker in Java: its tape, its hashes and its lines as in C, and what it makes of an exception."""

from types import SimpleNamespace

import pytest

from tests.workers_alike import (
    SAME_IN_C,
    request,
    test_a_string_must_be_utf_8,
    test_damaged_tapes_are_refused_as_in_c,
    test_documents,
    test_generated_data,
    test_messages_are_handled_one_by_one,
)
from tests.zig.test_protocol import odd_lines

# Java's maps come in the same order each time, so there is no test of maps without one.
__all__ = [
    "test_a_string_must_be_utf_8",
    "test_damaged_tapes_are_refused_as_in_c",
    "test_documents",
    "test_generated_data",
    "test_messages_are_handled_one_by_one",
]
WALKER = "java/walker:tree"
READER, WRITER = "java/jackson:incremental", "java/jackson:write"


@pytest.fixture(scope="module")
def rows():
    return SimpleNamespace(walker=WALKER, reader=READER, writer=WRITER)


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
