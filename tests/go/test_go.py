"""The worker in Go: its tape, its hashes and its lines as in C, and what it makes of a panic."""

from types import SimpleNamespace

import msgspec
import pytest

from serbench.worker.process import Worker
from serbench.worker.session import describe, heap, prepare, sample
from tests.conftest import LIMITS
from tests.workers_alike import *  # noqa: F403
from tests.workers_alike import SAME_IN_C, request
from tests.zig.test_protocol import odd_lines

WALKER = "go/walker:tree"
READER, WRITER = "go/encoding-json:incremental:number", "go/encoding-json:write"


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
    assert sum(answer["ok"] is True for answer in found) == 5


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("panic", "panic: this is why"),
        ("index", "panic: runtime error: index out of range [5] with length 5"),
    ],
)
def test_a_panic_is_told_and_the_worker_goes_on(how, told, talk, document, tmp_path):
    (tmp_path / "how").write_text(how)
    tape = document("[1]").tape
    bad, good = request(tape, tmp_path / "how"), request(tape, tape)
    asked = [{"do": what} for what in ("verify", "sample", "count", "heap")]
    _, *panics, ready, found, _, _, _ = talk(WALKER, bad, *asked, good, *asked)
    assert panics == [{"ok": False, "error": told}] * 4
    assert ready == {"ok": True} and found["ok"]


def test_an_error_of_the_library_is_told(talk, document, tmp_path):
    (tmp_path / "bad.json").write_text('{"a": [1, 2')
    ready, *found = talk(
        READER,
        request(document("[1]").tape, tmp_path / "bad.json"),
        *({"do": what} for what in ("verify", "sample", "count", "heap")),
    )
    assert ready == {"ok": True}
    assert {str(answer["error"]) for answer in found} == {"unexpected end of JSON input"}


def test_what_a_library_allocates_is_counted(row, generated, canonical):
    """The same each time; the baseline allocates nothing, nor does the harness."""
    dataset = generated("generated:2")
    for row_id in (READER, WRITER, f"{WRITER}:unescaped", "go/baseline:tree", "go/baseline:write"):
        counts = []
        for _ in range(2):
            with Worker(row(row_id).built.heap_command, limits=LIMITS) as worker:
                prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
                counts.append(msgspec.structs.astuple(heap(worker)))
        assert counts[0] == counts[1]
        allocations, size, peak = counts[0]
        assert (allocations > 0 and size > 0) == ("baseline" not in row_id)
        assert peak is None


def test_the_collector_runs_unless_it_is_switched_off(row, generated, canonical):
    """Without it the memory of a sample is not used again."""
    dataset = generated("generated:4")
    peaks = []
    for row_id in ("go/encoding-json:tree", "go/encoding-json:tree:gc-off"):
        with Worker(row(row_id).built.command, limits=LIMITS) as worker:
            prepare(worker, dataset.tape, canonical(dataset, "json"), 1)
            sample(worker, 100, 1, 50)
        peaks.append(worker.max_rss)
    assert peaks[1] > 4 * peaks[0]


def test_describe(row):
    built = row(READER)
    with Worker(built.built.command, limits=LIMITS) as worker:
        said = describe(worker)
    assert (said.protocol, said.language, said.test) == (1, "go", "incremental")
    assert said.compiler == built.built.compiler == f"go {said.library_version}"
    assert said.flags == built.built.flags
