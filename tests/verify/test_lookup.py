"""Every row of `lookup`: odd keys, paths that lead nowhere, paths that are no paths."""

import json

import pytest

from serbench.datasets.spec import file_spec
from serbench.run.proving import prove
from serbench.worker.process import Refusal, Worker, WorkerFailure
from serbench.worker.session import Verified, prepare
from tests.conftest import LIMITS
from tests.datasets.pyhash import tape_of

UNESCAPED = "finds no keys that have escapes"
# Each of the eight scalars is looked up.
ODD = {
    "0": {"1": True},
    "a/b": [1],
    "m~n": {"": 2.5},
    "": "empty",
    "a.b": None,
    "~1~0": -7,
    " é\U0001f600": [[["deep"]]],
    "-": [{}, [], 9],
}
DOCUMENT = {"a": [1, {"b": 2}], "c": "x", "d": None}
NOWHERE = [["x"], ["a", 2], ["a", 1, "x"], ["c", "x"], ["d", "x"], ["a", 0, 0], [0], ["A"], ["a", "b"]]
CONTAINERS = [["a"], ["a", 1], []]


@pytest.fixture(scope="module")
def rows(context):
    """Those of contenders that take any data."""
    chosen = [r for r in context.catalog.rows() if r.test == "lookup" and r.role == "contender"]
    built = context.build([row for row in chosen if not row.contender.manifest.schemas]).values()
    return [ready for ready in built if ready.status == "ok"]


def test_there_are_many(catalog):
    libraries = {r.contender.library for r in catalog.rows() if r.test == "lookup" and r.role == "contender"}
    assert len(libraries) >= 12


def test_odd_keys_are_found(rows, context, document, tmp_path):
    chosen = [ready.row for ready in rows]
    for text in (json.dumps(ODD), f"[{json.dumps(ODD)}]"):
        (item,) = prove(context, chosen, [document(text)], tmp_path / "out", LIMITS)
        assert item.dataset.lookup.facts.nodes == 1 + len(ODD)
        for record, _, _ in item.rows:
            assert record.status == "ok", f"{record.row}: {record.reason}"
            assert record.exact_hash == item.dataset.lookup.facts.exact_hash


def test_keys_with_escapes(rows, context, document, tmp_path):
    (item,) = prove(context, [r.row for r in rows], [document('{"a\\"b":1,"\\u001f":2}')], tmp_path, LIMITS)
    for record, _, _ in item.rows:
        expected = "failed" if UNESCAPED in record.labels else "ok"
        assert record.status == expected, f"{record.row}: {record.reason}"


def test_a_document_without_values(rows, context, document, tmp_path):
    (item,) = prove(context, [r.row for r in rows], [document("[[],{}]")], tmp_path, LIMITS)
    assert {(r.status, r.reason) for r, _, _ in item.rows} == {
        ("unsupported", "the data have no value to look up")
    }


def test_a_path_that_leads_nowhere_fails(rows, context, document, tmp_path):
    """Each is refused where the harness expects one value, and the worker goes on."""
    dataset = document(json.dumps(DOCUMENT))
    wrong = []
    for ready in rows:
        manifest = ready.row.contender.manifest
        encoded = context.canonical(dataset, manifest.format).encoded.path
        with Worker(ready.built.command, limits=LIMITS) as worker:
            for path in [*NOWHERE, *CONTAINERS, ["a", 1, "b"]]:
                (tmp_path / "values").write_bytes(tape_of([0]))
                (tmp_path / "paths").write_bytes(tape_of([path]))
                prepare(
                    worker, tmp_path / "values", encoded, manifest.padding, False, paths=tmp_path / "paths"
                )
                said = worker.attempt(Verified, None, do="verify", output="")
                if isinstance(said, Refusal) == (path == ["a", 1, "b"]):
                    wrong.append(f"{ready.row.id} at {path}: {said}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("paths", [5, [5], [[None]], [[[]]], {"a": 1}, [], [["c"], ["d"]]])
def test_a_tape_without_paths_is_refused(paths, rows, context, document, tmp_path):
    dataset = document(json.dumps(DOCUMENT))
    for row in [each for each in rows if each.row.id in ("c/mpack:lookup", "zig/std-json:lookup")]:
        (tmp_path / "values").write_bytes(tape_of(["x"]))
        (tmp_path / "paths").write_bytes(tape_of(paths))
        encoded = context.canonical(dataset, row.row.contender.manifest.format).encoded.path
        refused = pytest.raises(WorkerFailure, match="the tape of paths does not belong to the values")
        with refused, Worker(row.built.command, limits=LIMITS) as worker:
            prepare(worker, tmp_path / "values", encoded, 1, False, paths=tmp_path / "paths")


def test_messages_have_paths_of_their_own(rows, context, tmp_path):
    lines = [json.dumps({"n": number, "list": [number, {"k": f"v{number}"}]}) for number in range(20)]
    (tmp_path / "m.jsonl").write_text("\n".join(lines))
    dataset = context.store.dataset(file_spec(tmp_path / "m.jsonl"))
    (item,) = prove(context, [ready.row for ready in rows], [dataset], tmp_path / "out", LIMITS)
    for record, _, _ in item.rows:
        assert record.status == "ok", f"{record.row}: {record.reason}"
