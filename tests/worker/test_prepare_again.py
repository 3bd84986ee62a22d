"""A worker of any language takes one document after another, and keeps nothing of those before."""

import json

import pytest

from serbench.catalog.load import load_catalog
from serbench.datasets.spec import file_spec
from serbench.project import ROOT
from serbench.worker.process import Refusal, Reply, Worker
from serbench.worker.session import Verified, verify
from tests.conftest import LIMITS

CONTENDERS = (
    "c/yyjson",
    "cpp/rapidjson",
    "go/encoding-json",
    "java/jackson",
    "javascript/json",
    "python/json",
    "rust/serde_json",
    "zig/std-json",
)
"""One of each language, with all that its harness knows to do."""
ROWS = [row.id for row in load_catalog(ROOT).rows() if row.contender.id in CONTENDERS and not row.variant]
AT_RANDOM = "go/encoding-json:tree"
"""Goes through the keys of a map in another order each time."""
WARM, MORE = 20, 40
"""Documents after which the memory of a worker has its size, and further ones."""


@pytest.fixture
def ready(ready, request):
    """The row of a test."""
    return ready(request.param)


@pytest.fixture
def prepared(context, ready):
    """Sends a worker of the row what `prepare` is given for a dataset, with changes; its answer."""
    row = ready.row

    def ask(worker: Worker, dataset, **changes):
        data = context.store.with_lookup(dataset).of(row)
        asked = {"do": "prepare", "tape": str(data.tape), "padding": row.contender.manifest.padding}
        asked |= {"paths": str(data.paths)} if data.paths else {}
        asked |= {"messages": True} if data.framed else {}
        if row.kind.encoded:
            asked["input"] = str(context.canonical(dataset, "json").encoded.path)
        return worker.attempt(Reply, None, **asked | changes)

    return ask


def started(ready) -> Worker:
    return Worker(ready.built.command, limits=LIMITS)


@pytest.mark.parametrize("ready", [row_id for row_id in ROWS if row_id != AT_RANDOM], indirect=True)
def test_each_document_is_as_in_a_worker_of_its_own(ready, prepared, context, generated, document, tmp_path):
    lines = tmp_path / "some.jsonl"
    lines.write_text('{"a":1.5}\n[2,-3]\n{"b":[null,"x"]}\n')
    messages = context.store.dataset(file_spec(lines))
    documents = [generated("generated:2"), document('[1,{"a":[true,"\u00e9"]}]'), messages]
    with started(ready) as worker:
        for number, dataset in enumerate([*documents, *documents]):
            assert prepared(worker, dataset) == Reply(ok=True)
            found = verify(worker, tmp_path / "out")
            with started(ready) as alone:
                assert prepared(alone, dataset) == Reply(ok=True)
                assert verify(alone, tmp_path / "alone") == found, number
            assert (tmp_path / "out").read_bytes() == (tmp_path / "alone").read_bytes()


@pytest.mark.parametrize("ready", ROWS, indirect=True)
def test_after_a_refusal_nothing_is_prepared_and_the_worker_goes_on(
    ready, prepared, context, document, tmp_path
):
    dataset = document('{"a":[1,2.5,{"b":"text"}]}')
    other = tmp_path / "other.tape"
    other.write_bytes(b"{}" * 40)
    bad = [{"tape": str(tmp_path / "missing")}, {"tape": str(other)}, {"messages": True}]
    if ready.row.kind.encoded:
        bad += [{"input": str(tmp_path / "missing")}, {"input": ""}]
    if ready.row.kind.yields == "some values":
        bad += [{"paths": str(tmp_path / "missing")}, {"paths": str(other)}]
    tape = context.store.with_lookup(dataset).of(ready.row).tape
    with started(ready) as worker:
        assert prepared(worker, dataset) == Reply(ok=True)
        right = verify(worker, tmp_path / "out")
        for changes in bad:
            refused = prepared(worker, dataset, **changes)
            assert isinstance(refused, Refusal), changes
            if "messages" in changes and ready.row.kind.yields != "some values":  # which are an array
                assert refused.error == f"the tape {tape} has no messages"
            again = worker.attempt(Verified, None, do="verify", output=str(tmp_path / "out"))
            assert again == Refusal(error="nothing is prepared")
            assert prepared(worker, dataset) == Reply(ok=True)
            assert verify(worker, tmp_path / "out") == right


@pytest.mark.parametrize("ready", ROWS, indirect=True)
def test_no_document_stays_in_memory(ready, prepared, document, tmp_path):
    """Neither one that was prepared nor one that was refused for what came after its tape."""
    dataset = document(json.dumps([{"number": n, "text": "x" * 180} for n in range(10_000)]))
    size = dataset.tape.stat().st_size
    assert size > 2_000_000
    late = {"input": str(tmp_path / "missing")} if ready.row.kind.encoded else {"messages": True}
    with started(ready) as worker:
        for number in range(WARM + MORE):
            if number == WARM:
                before = worker.peak
            assert isinstance(prepared(worker, dataset, **late), Refusal) or "messages" in late
            assert prepared(worker, dataset) == Reply(ok=True)
        assert worker.peak - before < MORE // 2 * size
