"""Every row under the address and undefined-behaviour sanitizers: right on the reference data, and silent.

Built once into the shared cache; where no row has changed nothing is compiled again.
"""

import os
from collections.abc import Mapping

import msgspec
import pytest

from serbench.build.configuration import Configuration
from serbench.catalog.records import Row
from serbench.project import CACHE
from serbench.run.context import BuildContext, BuildResult
from serbench.run.proving import prove
from serbench.worker import process
from serbench.worker.process import Limits
from tests.conftest import Field

pytestmark = pytest.mark.first

# The sanitizers reserve far more address space than there is memory, and look for leaks at the end.
UNLIMITED = Limits(memory_bytes=None, timeout=60.0)


@pytest.fixture(scope="module")
def sanitized(built: Field) -> tuple[BuildContext, list[Row]]:
    """What builds with sanitizers, and the rows that they can be compiled into."""
    catalog = built.catalog
    rows = [row for row in built.rows if catalog.capabilities(row).sanitizers]
    # Or every reader of their formats would be built, to read back what a few write.
    alone = msgspec.structs.replace(catalog, contenders={row.contender.id: row.contender for row in rows})
    chosen = [Configuration(profile="check")]
    return BuildContext(alone, CACHE, chosen, jobs=os.cpu_count() or 1), rows


@pytest.fixture(scope="module")
def ready(sanitized: tuple[BuildContext, list[Row]]) -> Mapping[str, BuildResult]:
    context, rows = sanitized
    return context.build(rows)


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
    context, rows = sanitized
    rows = [row for row in rows if built[row.id].status == "ok"]
    (item,) = prove(context, rows, [generated(spec)], tmp_path / "outputs", UNLIMITED)
    for record, _, _ in item.rows:
        assert record.status in ("ok", "unsupported"), f"{record.row}: {record.reason}\n{record.output}"
        if record.status == "ok" and record.role == "contender":
            if record.losses is not None and record.losses.keys_moved:
                assert built[record.row].row.contender.manifest.known.moves_keys, record.row
                continue
            looked_up = item.dataset.lookup.facts.content_hash
            assert record.content_hash == (looked_up if record.test == "lookup" else "0075ff81")
    assert silent == {}
