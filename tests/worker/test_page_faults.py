"""Minor page faults: counted outside of the clock, and caused by the library alone."""

from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.worker.process import Worker
from serbench.worker.session import prepare, sample
from tests.conftest import LIMITS

PAGING = Path(__file__).parents[1] / "contenders" / "paging"
PAGES, ITERATIONS, CHUNKS = 256, 5, 3


@pytest.mark.parametrize(("row_id", "pages"), [("c/paging:tree", PAGES), ("c/paging:tree:heap", 0)])
def test_pages_are_counted_and_freed_memory_stays(row_id, pages, generated, tmp_path):
    """What a process maps anew costs its pages each time; what it frees it has the next time."""
    catalog = load_catalog(ROOT, [PAGING])
    row = next(row for row in catalog.rows() if row.id == row_id)
    built = BuildContext(catalog, CACHE).build([row])[row_id].built
    (tmp_path / "input").write_bytes(b"{}")
    with Worker(built.command, limits=LIMITS) as worker:
        prepare(worker, generated("generated:1").tape, tmp_path / "input", 1, fragment=False)
        found = sample(worker, ITERATIONS, CHUNKS, warmup=3).page_faults
    assert found is not None
    per_call = found / (ITERATIONS * CHUNKS)
    assert pages <= per_call < pages + 1
