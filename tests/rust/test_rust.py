"""The worker in Rust: its tape, its hashes and its lines as in C, and what it makes of a panic."""

import re
from types import SimpleNamespace

import msgspec
import pytest

from serbench.worker.process import Worker
from serbench.worker.session import describe, heap, prepare
from tests.conftest import LIMITS
from tests.workers_alike import *  # noqa: F403
from tests.workers_alike import SAME_IN_C, request
from tests.zig.test_protocol import odd_lines

WALKER = "rust/walker:tree"
READER, WRITER = "rust/serde_json:tree:float_roundtrip", "rust/serde_json:write"


@pytest.fixture(scope="module")
def rows():
    return SimpleNamespace(walker=WALKER, reader=READER, writer=WRITER)


def test_lines_are_answered_as_in_c(talk, generated, canonical, tmp_path):
    lines = odd_lines(generated("generated:1"), canonical, tmp_path)
    found = talk(WALKER, *lines)
    assert found == talk(SAME_IN_C, *lines)
    assert sum(answer["ok"] is True for answer in found) == 6


def test_a_panic_is_told_and_the_worker_goes_on(talk, document, tmp_path):
    (tmp_path / "how").write_text("panic")
    tape = document("[1]").tape
    bad, good = request(tape, tmp_path / "how"), request(tape, tape)
    asked = [{"do": what} for what in ("verify", "sample", "count", "heap")]
    _, *panics, ready, found, _, _, _ = talk(WALKER, bad, *asked, good, *asked)
    told = {"ok": False, "error": "panic: this is why"}
    assert panics[:3] == [told] * 3
    assert ready == {"ok": True} and found["ok"]


def test_an_error_of_the_library_is_told(talk, document, tmp_path):
    (tmp_path / "bad.json").write_text('{"a": [1, 2')
    ready, *found = talk(
        READER,
        request(document("[1]").tape, tmp_path / "bad.json"),
        *({"do": what} for what in ("verify", "sample", "count")),
    )
    assert ready == {"ok": True}
    assert {re.sub(r" at line.*", "", str(answer["error"])) for answer in found} == {
        "EOF while parsing a list"
    }


@pytest.mark.parametrize(
    ("text", "offset", "what", "said"),
    [
        (b"ab", 4, "s\2\0\0\0ab", ""),
        (b"\xc3(", 4, "s\0\0\0\0", "Utf8Error"),
        (b"ab", 200, "n", "FlexbufferOutOfBounds"),
    ],
    ids=["good", "no UTF-8", "outside"],
)
def test_flexbuffers_takes_errors_for_empty_values_by_serde_alone(
    text, offset, what, said, talk, document, tmp_path
):
    """A vector of one string, as a contender's labels say of its two readers."""
    given, seen = tmp_path / "given", tmp_path / "seen"
    given.write_bytes(bytes([2, *text, 0, 1, offset, 5 << 2, 2, 10 << 2, 1]))
    asked = (request(document("[1]").tape, given), {"do": "verify", "output": str(seen)})
    (_, streamed), shown = talk("rust/flexbuffers:incremental", *asked), seen.read_bytes()
    assert streamed["ok"] and shown == what.encode() + b"e\1\0\0\0"
    _, walked = talk("rust/flexbuffers:tree", *asked)
    assert said in walked.get("error", "") and walked["ok"] is not bool(said)


def test_the_heap_is_counted_when_the_counter_is_preloaded(context, row, generated, canonical):
    dataset, counter = generated("generated:2"), context.tool("heap")
    for row_id in (READER, WRITER, "rust/baseline:tree", "rust/baseline:write"):
        counts = []
        for preload in ([], [counter], [counter]):
            with Worker(row(row_id).built.command, limits=LIMITS, preload=preload) as worker:
                prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
                counts.append(msgspec.structs.astuple(heap(worker)))
        assert counts[0] == (None, None, None)
        assert counts[1] == counts[2]
        allocations, _, peak = counts[1]
        assert (allocations > 0 and peak > 0) == ("baseline" not in row_id)


def test_describe(row):
    built = row(READER)
    with Worker(built.built.command, limits=LIMITS) as worker:
        said = describe(worker)
    assert (said.protocol, said.language, said.test) == (1, "rust", "tree")
    assert said.library_version == built.provided.version
    assert said.compiler == built.built.compiler
    assert said.flags == built.built.flags == "opt-level=3 lto=fat codegen-units=1 panic=unwind"
