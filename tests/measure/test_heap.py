"""What one iteration asks of the heap is the library's doing: the same whichever allocator answers."""

import msgspec
import pytest

from serbench.build.configuration import ALLOCATORS, Configuration, preload_of
from serbench.errors import UserError
from serbench.project import CACHE
from serbench.run.context import BuildContext
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import WorkerFailure
from serbench.worker.records import Heap
from tests.conftest import LIMITS
from tests.known import mistake

ADDRESSES = ("c/jansson:write", "c/jansson:write:ordered", "c/jansson:serialize")
"""They keep addresses as text, whose length is an allocator's: their bytes and peak differ a little."""


def available() -> list[str]:
    found = []
    for name in ALLOCATORS:
        try:
            preload_of(name)
        except UserError:
            continue
        found.append(name)
    return found


def test_every_row_asks_the_same_of_every_allocator(context, built, generated, tmp_path):
    names = available()
    if len(names) < 2:
        pytest.skip("needs jemalloc or mimalloc")
    rows = [
        ready.row
        for ready in built.values()
        if ready.status == "ok"
        and context.catalog.harness(ready.row.contender.manifest.language).capabilities.allocators
        and not mistake(ready, "generated")
    ]
    chosen = [Configuration(allocator=name) for name in names]
    with_all = BuildContext(context.catalog, CACHE, chosen, jobs=context.jobs)
    for configuration in chosen:
        with_all.build(rows, configuration=configuration)
    (item,) = prove(with_all, rows, [generated("generated:2")], tmp_path, LIMITS)
    assert {record.row: record.reason for record, _, _ in item.rows if record.status != "ok"} == {}
    Counter(with_all, [item], LIMITS, ProofCache()).heaps(tmp_path, lambda _what, _number: lambda: None)
    found: dict[str, dict[str, Heap]] = {}
    for record, _, _ in item.rows:
        found.setdefault(record.row, {})[record.allocator] = record.heap
    assert found.keys() == {row.id for row in rows}
    for row, heaps in found.items():
        assert heaps.keys() == set(names) and None not in heaps.values(), row
        if row in ADDRESSES:
            usual = heaps["system"]
            for heap in heaps.values():  # the peak has no more of these texts than all of them
                assert abs(heap.peak - usual.peak) <= abs(heap.bytes - usual.bytes), f"{row}: {heaps}"
            heaps = {name: msgspec.structs.replace(heap, bytes=0, peak=0) for name, heap in heaps.items()}
        assert all(heap == heaps["system"] for heap in heaps.values()), f"{row}: {heaps}"
    assert found["cpp/nlohmann-json:tree"]["system"].allocations > 100


def test_a_row_whose_heap_cannot_be_counted_says_why(context, built, generated, tmp_path, monkeypatch):
    def crash(*_):
        raise WorkerFailure("was ended by SIGSEGV")

    monkeypatch.setattr("serbench.run.counting.count_heap", crash)
    row = built["c/cjson:write"].row
    (item,) = prove(context, [row], [generated("generated:2")], tmp_path / "outputs", LIMITS)
    counter = Counter(context, [item], LIMITS, ProofCache())
    counter.heaps(tmp_path, lambda _what, _number: lambda: None)
    ((record, _, _),) = item.rows
    assert record.heap is None
    assert "its use of the heap could not be counted: was ended by SIGSEGV" in record.labels
