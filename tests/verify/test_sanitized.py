"""Every row under the address and undefined-behaviour sanitizers: right on the reference data, and silent.

Built once into the shared cache; where no row has changed nothing is compiled again.
"""

import os
from collections.abc import Mapping

import msgspec
import pytest

from serbench.build import Builder
from serbench.catalog.records import Catalog, Row
from serbench.datasets import store
from serbench.project import CACHE
from serbench.run.context import BuildContext, BuildResult
from serbench.run.proving import prove
from serbench.worker import process
from serbench.worker.process import Limits
from tests.conftest import MOVES_KEYS, of_harnesses
from tests.languages import ALL

# Compiling all libraries with sanitizers takes minutes, and more of them where other tests compile, too.
pytestmark = pytest.mark.timeout(1800)

# The sanitizers reserve far more address space than there is memory, and look for leaks at the end.
UNLIMITED = Limits(memory_bytes=None, timeout=60.0)


FEW = ("c/baseline", "c/memcpy", "c/mpack", "c/msgpack-c", "c/libbson", "c/yajl", "cpp/rapidjson")


def native_rows(catalog: Catalog) -> list[Row]:
    """The rows that a sanitizer can be compiled into; without --all those of a few libraries."""
    rows = [r for r in catalog.rows() if catalog.harness_of(r.contender.manifest.language) == "c"]
    return [r for r in rows if ALL or r.contender.id in FEW]


@pytest.fixture(scope="module")
def sanitized(catalog) -> BuildContext:
    native = {row.contender.id: row.contender for row in native_rows(catalog)}
    # Or every reader would be built, to read back what the few write.
    chosen = msgspec.structs.replace(of_harnesses(catalog, ["c"]), contenders=native)
    context = BuildContext(chosen, CACHE, jobs=os.cpu_count() or 1)
    for name in context.builders:
        context.builders[name] = Builder(catalog, CACHE, compiler=name, sanitize=True)
    return context


@pytest.fixture(scope="module")
def ready(sanitized: BuildContext) -> Mapping[str, BuildResult]:
    return sanitized.build(native_rows(sanitized.catalog))


def test_all_rows_build_with_sanitizers(ready: Mapping[str, BuildResult], built: Mapping[str, BuildResult]):
    for row_id, row in ready.items():
        if built[row_id].status == "ok":
            assert row.status == "ok", f"{row_id}: {row.reason}\n{row.output}"


@pytest.mark.parametrize("spec", ["generated:2"])
@pytest.mark.slow
def test_all_rows_are_right_and_silent(spec, sanitized, ready, built, generated, tmp_path, monkeypatch):
    silent: dict[str, str] = {}
    close = process.Worker.close

    def close_and_look(self: process.Worker, grace: float = 0.0) -> int:
        # A leak is reported, with a status of its own, only by a worker that may end by itself.
        status = close(self, max(grace, 20.0))
        if status != 0 or self.noise:
            silent[" ".join(self.command)] = f"status {status}: {self.noise}"
        return status

    monkeypatch.setattr(process.Worker, "close", close_and_look)
    monkeypatch.setattr(store, "most_memory", lambda: None)  # the encoders' too
    rows = [row for row in native_rows(sanitized.catalog) if built[row.id].status == "ok"]
    (item,) = prove(sanitized, rows, [generated(spec)], tmp_path / "outputs", UNLIMITED)
    for record, _, _ in item.rows:
        assert record.status in ("ok", "unsupported"), f"{record.row}: {record.reason}\n{record.output}"
        if record.status == "ok" and record.role == "contender":
            if record.losses is not None and record.losses.keys_moved:
                assert record.contender_id in {row.partition(":")[0] for row in MOVES_KEYS}, record.row
                continue
            looked_up = item.dataset.lookup.facts.content_hash
            assert record.content_hash == (looked_up if record.test == "lookup" else "0075ff81")
    assert silent == {}
