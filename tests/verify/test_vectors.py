"""The published hashes and sizes of the reference data, against every row that this machine can build."""

import pytest

from serbench.catalog.tests import KINDS, TESTS
from serbench.run.proving import prove
from tests.conftest import LIMITS
from tests.known import mistake, moves_keys, outputs

CONTENT = {"generated:2": "0075ff81", "generated:4": "91b5d7ef"}
EXACT = {"generated:2": "3852a135"}

CANONICAL = {
    "messagepack": [("1a9c6681", 2367), ("b4ac134d", 248571)],
    "bson": [("4e02a1f9", 3650), ("14d7b3b5", 337346)],
    "json": [("03ef5ccf", 3183), ("5bece143", 308908)],
}
EXACT_ROWS = ("c/mpack:", "c/msgpack-c:", "c/yajl:", "c/jansson:", "c/libbson:", "cpp/msgpack-cxx:")
DATASETS = list(CONTENT)
NATIVE = ("c", "cpp", "rust", "zig")
"""Where a reader that loses the order of keys is a surprise."""


@pytest.fixture(scope="module")
def proven(context, built, generated, tmp_path_factory):
    """Row records by dataset and row id, and the dataset's record."""
    made = [generated(spec) for spec in DATASETS]
    folder = tmp_path_factory.mktemp("outputs")
    return {
        item.dataset.name: ({record.row: record for record, _, _ in item.rows}, item.record)
        for item in prove(context, built.rows, made, folder, LIMITS)
    }


@pytest.mark.parametrize("spec", DATASETS)
def test_the_data_is_that_of_the_reference(spec, proven):
    _, record = proven[spec]
    assert record.content_hash == CONTENT[spec]
    assert record.exact_hash == EXACT.get(spec, record.exact_hash)


@pytest.mark.parametrize("spec", DATASETS)
@pytest.mark.parametrize("format_id", CANONICAL)
def test_canonical_encodings(spec, format_id, proven):
    _, record = proven[spec]
    encoding = record.encodings[format_id]
    if encoding.bytes is None:
        pytest.skip(encoding.reason)
    assert (encoding.hash, encoding.bytes) == CANONICAL[format_id][DATASETS.index(spec)]


@pytest.mark.parametrize("spec", DATASETS)
def test_every_row_that_is_there_passes(spec, proven, built):
    rows, record = proven[spec]
    assert len(rows) >= 30
    for row in rows.values():
        if row.status in ("unavailable", "unsupported") and row.role == "contender":
            assert row.reason
            continue
        if mistake(built[row.row], "generated"):
            assert row.status == "failed" and row.reason.startswith("wrong content_hash"), row.row
            continue
        assert row.status == "ok", f"{row.row}: {row.reason}"
        if KINDS[row.test].yields != "values" or row.role != "contender":
            continue
        assert row.content_hash == row.hash, row.row
        if row.losses is not None:
            if row.row.partition("/")[0] in NATIVE:
                assert row.losses.keys_moved == moves_keys(built[row.row].row), row.row
            assert row.losses.keys_moved or (spec == "generated:4" and row.losses.integers), row.row
            continue
        assert row.content_hash == CONTENT[spec], row.row
        if row.exact_hash != record.exact_hash:
            assert row.doubles is not None and row.doubles.changed > 0, row.row
        assert row.bytes == record.encodings[row.format].bytes


@pytest.mark.parametrize("spec", DATASETS)
def test_writers_give_the_known_bytes(spec, proven, built):
    """A writer of which nothing is known is proved by the gate alone."""
    rows, _ = proven[spec]
    known = {
        name: stated
        for name, row in rows.items()
        if row.status == "ok" and (stated := outputs(built[name].row, row.library_version))
    }
    assert known
    for name, stated in known.items():
        assert (rows[name].hash, rows[name].bytes) == stated[DATASETS.index(spec)], name


def test_who_changes_doubles(proven):
    """RapidJSON's default parsing does, in the last place; not when told to be precise, nor do others."""
    rows, _ = proven["generated:4"]
    if rows["cpp/rapidjson:tree"].status == "unavailable":
        pytest.skip("RapidJSON is not here")
    changed = {row.row for row in rows.values() if row.doubles is not None and row.doubles.changed}
    assert not [name for name in changed if name.startswith(EXACT_ROWS) or "full-precision" in name]
    default = {
        f"cpp/rapidjson:{test}{variant}" for test in ("tree", "incremental") for variant in ("", ":in-situ")
    }
    assert default <= changed
    for name in default:
        doubles = rows[name].doubles
        assert 0.05 < doubles.changed / doubles.total < 0.5
        assert 0 < doubles.max_relative < 2.3e-16


def test_outputs_are_read_back_by_another_library_where_there_is_one(proven):
    rows, record = proven["generated:2"]
    contenders = [r for r in rows.values() if r.role == "contender" and r.status == "ok"]
    whole = [r for r in contenders if KINDS[r.test].yields == "values"]
    readers = [r for r in whole if r.exact_hash == record.exact_hash or (r.losses and r.losses.keys_moved)]
    for row in contenders:
        if KINDS[row.test].writes:
            others = {r.contender for r in readers if r.format == row.format} - {row.contender}
            assert row.verified_by in (others or {row.contender})
            assert ("read back by itself only" in row.labels) == (not others)


def test_baselines_handle_the_smallest_encoding(proven):
    rows, _ = proven["generated:2"]
    for test in TESTS:
        group = [r for r in rows.values() if r.test == test and r.role == "contender" and r.status == "ok"]
        smallest = min(r.bytes for r in group)
        for row in [r for r in rows.values() if r.test == test and r.row.startswith(("c/base", "c/memcpy"))]:
            assert row.bytes == smallest or row.row.endswith(":published"), row.row
