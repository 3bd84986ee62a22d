"""Whether a streaming reader hands out strings that stand in its input is probed, and stands on its row."""

import json
import re
import shutil

import pytest

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from tests.conftest import LIMITS

NATIVE = ("c", "cpp")
IN_PLACE = re.compile("^(borrows strings|overwrites its input)")
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


@pytest.fixture(scope="module")
def probed(built, tmp_path_factory):
    """A catalog whose streaming readers count their strings by where they stand, and their rows."""
    folder = tmp_path_factory.mktemp("probed")
    for language in NATIVE:
        shutil.copytree(ROOT / "contenders" / language, folder / language)
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
    for source in {row.source.resolve() for row in rows}:
        source.write_text(BEFORE + source.read_text() + AFTER)
    return catalog, rows


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
