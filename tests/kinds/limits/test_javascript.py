"""The search for the payload limit: classes of failure, its steps, libraries with limits of their own."""

import json
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Row
from serbench.datasets.growing import steps
from serbench.kinds.limits.report import heap_of, payload_section
from serbench.kinds.limits.search import (
    COARSE,
    LEAST_STEP,
    MOST_STEP,
    Reached,
    Room,
    Search,
    Shape,
    classify,
    rows_at,
)
from serbench.kinds.limits.step import payloads_of
from serbench.project import CACHE, ROOT
from serbench.results.probes import Payload
from serbench.run.context import BuildContext
from serbench.worker.process import Worker, WorkerFailure
from tests.javascript.conftest import every_context, node
from tests.results.builder import synthetic_run

__all__ = ["every_context", "node"]  # fixtures

PROBES = load_catalog(ROOT).harness("javascript").probes
SCRIPT = ROOT / "harness" / "javascript" / "probe" / "limits.mjs"
ROOM = Room(heap_mb=32, ample_mb=1024, seconds=60.0)


@pytest.fixture(scope="module")
def built(every_context):
    """The rows that are searched here."""
    wanted = ("javascript/json:tree", "javascript/v8:write")
    return every_context.build([row for row in every_context.catalog.rows() if row.id in wanted])


@pytest.fixture(scope="module")
def limited(tmp_path_factory, node):
    """The limits of the contender in the folder limited, by direction."""
    catalog = load_catalog(ROOT, [Path(__file__).parent / "limited"])
    rows = [row for row in catalog.rows() if row.contender.id == "javascript/limited"]
    found = []
    folder = tmp_path_factory.mktemp("limits")
    payloads_of(
        BuildContext(catalog, CACHE), rows, ROOM, folder, 1, found.append, lambda _w, _n: lambda: None
    )
    assert not list(folder.iterdir())
    return {record.direction: record for record in found}


@pytest.mark.parametrize(
    ("reason", "output", "kind"),
    [
        ("was ended by SIGABRT", "FATAL ERROR: Reached heap limit ... JavaScript heap out of memory", "heap"),
        ("was ended by SIGABRT", "", "crash"),
        ("was ended by SIGKILL", "", "memory"),
        ("was ended by SIGTRAP", "# Fatal JavaScript invalid size error 169220804", "array length"),
        ("did not answer within 20 s", "", "time"),
        ("RangeError: Invalid string length", "", "string length"),
        ("Error: Cannot create a string longer than 0x1fffffe8 characters", "", "string length"),
        ("RangeError: Array buffer allocation failed", "", "buffer length"),
        ("RangeError: offset is out of bounds", "", "buffer length"),
        ('RangeError: The value of "offset" is out of range.', "", "buffer length"),
        ("RangeError: Maximum call stack size exceeded", "", "stack"),
        ("RangeError: Invalid array length", "", "array length"),
        ("RangeError: too much", "", "range error"),
        ("Error: wrong hash: 00000000, where 11111111 is right", "", "wrong hash"),
        ("TypeError: no", "heap out of memory", "error"),
    ],
)
def test_classes(reason, output, kind):
    assert classify(reason, output) == kind


def test_steps_are_those_of_the_dataset():
    known = [(len(rows), size) for rows, size in islice(steps(), 93)]
    assert [rows_at(step) for step in range(93)] == [count for count, _ in known]
    assert known[LEAST_STEP][1] >= 0.1 > known[LEAST_STEP - 1][1]
    assert sorted({*COARSE, LEAST_STEP}) == [LEAST_STEP, *COARSE] and COARSE[-1] == MOST_STEP


@pytest.mark.parametrize("step", [0, 1, 51, 74])
def test_rows_of_the_probe_are_those_of_the_dataset(step, node, tmp_path):
    """Its data lie outside of V8's heap, and are the dataset's row for row."""
    module = tmp_path / "write.mjs"
    module.write_text("export const write = (root) => JSON.stringify(root);\n")
    rows, size = next(islice(steps(), step, None))
    out = tmp_path / "out.json"
    with Worker([*node.programs["node"], str(SCRIPT), str(module), "mapped"]) as worker:
        said = worker.ask(Reached, None, do="encode", step=step, output=str(out))
    assert json.loads(out.read_text()) == {"items": [dict(zip("xyz", row, strict=True)) for row in rows]}
    assert (said.rows, said.bytes) == (len(rows), out.stat().st_size)
    assert said.megabytes == pytest.approx(size) == pytest.approx(said.bytes / 2**20)


def test_the_largest_that_goes_is_found(limited):
    """Its writer refuses 20,000 rows and more; its reader makes mistakes from 10,000 rows on."""
    encode, decode = limited["encode"], limited["decode"]
    largest = max(rows_at(step) for step in range(MOST_STEP) if rows_at(step) < 20_000)
    assert (encode.rows, encode.failure, encode.limited_by_input) == (largest, "range error", False)
    assert encode.reason == "RangeError: too many for me"
    assert encode.megabytes < encode.failed_megabytes < encode.megabytes * 1.14
    assert decode.failure == "wrong hash"
    assert decode.rows == max(rows_at(step) for step in range(MOST_STEP) if rows_at(step) < 10_000)
    assert encode.heap_mb == 32 and encode.heap_limit > 32 * 2**20
    assert [a.failure for a in encode.attempts].count("range error") == len(
        [a for a in encode.attempts if a.failure]
    )


def test_what_cannot_be_made_limits_the_reader(built, tmp_path):
    """A reader without a fault of its own cannot go further than the writer."""
    catalog = load_catalog(ROOT, [Path(__file__).parent / "limited"])
    (row,) = [r for r in catalog.rows() if r.id == "javascript/limited:write"]
    (ready,) = BuildContext(catalog, CACHE).build([row]).values()
    json_tree = built["javascript/json:tree"]
    shape = Shape(
        contender="mixed",
        contender_id="javascript/mixed",
        format="json",
        format_name="JSON",
        library_version="",
        shape="mapped",
        program=(ready.built.command[0], *PROBES.limits_options),
        heap_option=PROBES.heap_option,
        script=str(SCRIPT),
        modules={"encode": ready.built.module, "decode": json_tree.built.module},
    )
    found = Search(ROOM, tmp_path).limit(shape, "decode")
    assert (found.failure, found.limited_by_input) == ("input", True)
    assert "too many for me" in found.reason


def test_objects_that_do_not_fit(built, tmp_path):
    """With a heap for little more than Node.js itself, the plain objects are the limit."""
    ready = built["javascript/v8:write"]
    shape = Shape(
        contender="v8",
        contender_id="javascript/v8",
        format="v8",
        format_name="v8",
        library_version="",
        shape="mapped",
        program=(ready.built.command[0], *PROBES.limits_options),
        heap_option=PROBES.heap_option,
        script=str(SCRIPT),
        modules={"encode": ready.built.module},
    )
    search = Search(msgspec.structs.replace(ROOM, heap_mb=16), tmp_path)
    with pytest.raises(WorkerFailure) as error:
        search.encode(shape, 95)
    assert classify(error.value.reason, error.value.output) == "heap"
    assert search.limited_by_input(shape, 95, "heap")
    assert not search.limited_by_input(shape, LEAST_STEP, "heap")
    assert not search.limited_by_input(shape, 95, "range error")


def test_one_that_only_reads_says_so(catalog, tmp_path):
    contender = catalog.contenders["javascript/json"]
    tests = {"tree": "tree.mjs"}
    manifest = msgspec.structs.replace(contender.manifest, tests=tests)
    reader = msgspec.structs.replace(contender, manifest=manifest)
    found = []
    row = Row(contender=reader, test="tree")
    payloads_of(
        BuildContext(catalog, CACHE), [row], ROOM, tmp_path, 1, found.append, lambda _w, _n: lambda: None
    )
    assert [(r.status, r.direction) for r in found] == [("unavailable", "encode")]


def test_the_caption_is_of_what_was_searched(limited):
    run = synthetic_run()
    absent = Payload(
        contender="Gone",
        contender_id="javascript/gone",
        format="json",
        direction="encode",
        status="unavailable",
    )
    run.payloads = [absent, *limited.values()]
    assert heap_of(run).startswith("a heap of 32 MB")
    run.payloads = [absent, msgspec.structs.replace(absent, status="ok", megabytes=1.0)]
    assert heap_of(run) == "the runtime's default heap"


def test_the_table(limited):
    run = synthetic_run()
    unreached = Payload(
        contender="Endless",
        contender_id="javascript/endless",
        format="json",
        direction="encode",
        megabytes=465.1,
        rows=9_264_466,
    )
    run.payloads = [*limited.values(), unreached]
    table, said, _ = payload_section(run).blocks
    first, second = (row.cells for row in table.rows)
    assert (first[0], *first[3:]) == ("Endless", "≥ 465", "not reached", "-", "")
    assert second[4] == "range error" and second[6] == "wrong hash"
    assert "encode: RangeError: too many for me" in [item.text for item in said.items]


def test_an_interrupted_search_keeps_what_it_has(command, monkeypatch, tmp_path):
    done = []

    def interrupted(_context, _rows, room, _folder, _jobs, found, _counted, known):
        done.append((room, known))
        if not known:
            found(Payload(contender="A", contender_id="javascript/a", format="json", direction="encode"))
        raise KeyboardInterrupt

    monkeypatch.setattr("serbench.kinds.limits.step.payloads_of", interrupted)
    target = tmp_path / "run.json"
    said = command("limits", "--contenders", "javascript/json", "--heap", "8000", "--output", target)
    assert said.returncode == 130 and done[0][0].heap_mb == 8000
    assert done[0][0].ample_mb >= 8000
    run = json.loads(target.read_text())
    assert run["complete"] is False and len(run["payloads"]) == 1
    # Every report has the table of fidelity: here of the one library.
    assert [record["contender_id"] for record in run["fidelity"]] == ["javascript/json"]
    assert "### Fidelity" in target.with_suffix(".md").read_text()
    assert command("resume", target).returncode == 130
    assert [(room.heap_mb, known) for room, known in done] == [
        (8000, set()),
        (8000, {("javascript/a", "encode")}),
    ]
    assert json.loads(target.read_text())["payloads"] == run["payloads"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("limits", "--heap", "64", "--default-heap"), "exclude each other"),
        (("limits", "--contenders", "nosuch"), "there is no contender 'nosuch'"),
        (("fidelity", "--contenders", "c/mpack"), "have no row in common"),
    ],
)
def test_bad_input(words, part, command):
    said = command(*words)
    assert said.returncode == 2 and part in said.stderr and "Traceback" not in said.stderr
