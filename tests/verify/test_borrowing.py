"""Whether a streaming reader hands out strings that stand in its input is probed, and stands on its row."""

import contextlib
import hashlib
import json
import re
import tempfile
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from tests.conftest import LIMITS

NATIVE = ("c", "cpp")
IN_PLACE = re.compile("^(borrows (unescaped )?strings|overwrites its input)")
# The reader's own source stands between these two: its strings pass the probe on their way to the hash.
BEFORE = """
#include <serbench/reader.h>
static const char *probe_low, *probe_high;
static unsigned probe_inside, probe_outside;
static inline void probe_str(sb_hash *h, const char *bytes, size_t length) {
    if (bytes >= probe_low && bytes < probe_high) probe_inside++;
    else probe_outside++;
    sb_hash_str(h, bytes, length);
}
bool probed_read(char *data, size_t size, sb_hash *h);
#define sb_hash_str probe_str
#define sb_read probed_read
#line 1
"""
AFTER = """
#undef sb_read
bool sb_read(char *data, size_t size, sb_hash *h) {
    probe_low = data;
    probe_high = data + size;
    probe_inside = probe_outside = 0;
    if (!probed_read(data, size, h)) return false;
    return sb_fail("%u inside, %u outside", probe_inside, probe_outside);
}
"""
TEXTS = {f"a long key, number {n}": f"a long value without any escape, number {n}" for n in range(10)}


def probing_sources() -> Path:
    """A copy of the native contenders whose streaming readers count their strings by where they stand.

    Its name is that of its content, so that the builds of an earlier session of tests are found again.
    """
    catalog = load_catalog(ROOT)
    changed = {
        row.source.resolve()
        for row in catalog.rows()
        if row.test == "incremental"
        and row.contender.manifest.role == "contender"
        and row.contender.manifest.language in NATIVE
    }
    files = [path for name in NATIVE for path in (ROOT / "contenders" / name).rglob("*") if path.is_file()]
    texts = {
        path.relative_to(ROOT / "contenders"): (
            (BEFORE + path.read_text() + AFTER).encode() if path in changed else path.read_bytes()
        )
        for path in sorted(files)
    }
    digest = hashlib.sha256(repr(texts).encode()).hexdigest()[:20]
    folder = CACHE / "tests" / f"borrowing-{digest}"
    if not folder.is_dir():
        folder.parent.mkdir(exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for path, content in texts.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(content)
        with contextlib.suppress(OSError):  # another session may have made it meanwhile
            made.rename(folder)
    return folder


@pytest.fixture(scope="module")
def probed(built):
    """The catalog of the probing contenders, and their rows."""
    folder = probing_sources()
    catalog = load_catalog(ROOT, [path.parent for path in sorted(folder.glob("*/*/contender.toml"))])
    rows = [
        row
        for row in catalog.rows()
        if row.test == "incremental"
        and row.contender.manifest.role == "contender"
        and row.id in built
        and built[row.id].status == "ok"
        and row.contender.manifest.language in NATIVE
    ]
    return catalog, rows


@pytest.mark.slow
def test_who_borrows_strings_says_so_and_nobody_else(probed, document, tmp_path):
    catalog, rows = probed
    (item,) = prove(
        BuildContext(catalog, CACHE), rows, [document(json.dumps(TEXTS))], tmp_path / "out", LIMITS
    )
    found = {record.row: record for record, _, _ in item.rows}
    assert found
    for row, record in found.items():
        counts = re.search(r"(\d+) inside, (\d+) outside", record.reason)
        assert counts is not None, f"{row}: {record.status}: {record.reason}"
        inside, outside = map(int, counts.groups())
        stated = [label for label in record.labels if IN_PLACE.match(label)]
        assert inside + outside == 2 * len(TEXTS) and bool(stated) == (inside > 0), (row, inside, stated)
        assert inside in (0, len(TEXTS) if "copies keys" in "".join(stated) else 2 * len(TEXTS)), row
