"""Every row in JavaScript on the generated data: who passes the gate, and that what passed stays true."""

import re

import msgspec
import pytest

from serbench.project import CACHE
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.worker.process import Worker, pooled
from serbench.worker.session import prepare, sample, verify
from tests.conftest import LIMITS

SPECS = ["generated:2", "generated:4", "generated:4:safe"]
NEEDS_SCHEMA = "it needs a schema, and this dataset has none"
BEYOND_SAFE = r".+ cannot take it: the data has integers beyond 2\^53-1"
# Their numbers are doubles: all of it is the library's.
ROUNDING = {
    "js-binary-json:write",
    "js-binary-json:tree",
    "json:write",
    "json:tree",
    "json:serialize",
    "json-pack:write",
    "json-pack:tree",
    "json-pack-bson:write",
    "json-pack-bson:tree",
    "json-pack-ion:write",
    "json-pack-ion:tree",
    "json-pack-msgpack:write",
    "json-pack-msgpack:tree",
    "msgpack-javascript:write",
    "msgpack-javascript:tree",
    "msgpack-lite:write",
    "msgpack-lite:tree",
    "msgpack5:write",
    "msgpack5:tree",
    "notepack:write",
    "notepack:tree",
    "ubjson:write",
}
SORTS_KEYS = "dag-cbor:write"
"""Its format demands it."""
INTERPRETED = "--no-opt"


@pytest.fixture(scope="module")
def proven(context, built, generated, tmp_path_factory):
    """What the gate says of all rows, by dataset."""
    # The walker sees the harness's own values, whatever was written.
    rows = [ready.row for ready in built.values() if ready.row.contender.id != "javascript/walker"]
    folder = tmp_path_factory.mktemp("outputs")
    made = [generated(spec) for spec in SPECS]
    return {item.dataset.name: item for item in prove(context, rows, made, folder, LIMITS)}


@pytest.mark.parametrize("spec", SPECS)
def test_rows_are_ok_or_it_is_the_librarys_fault(spec, proven):
    found = {ready.row.id.removeprefix("javascript/"): (ready, made) for made, ready, _ in proven[spec].rows}
    rounded = set()
    for name, (ready, record) in found.items():
        if record.status == "unavailable":
            continue
        if "needs a schema" in record.labels:
            assert (record.status, record.reason) == ("unsupported", NEEDS_SCHEMA), name
        elif spec == "generated:4" and ready.row.limits.integers == "53-bit":
            assert record.status == "unsupported" and re.fullmatch(BEYOND_SAFE, record.reason), name
        else:
            assert (record.status, record.reason) == ("ok", ""), name
            assert (record.losses is not None and record.losses.keys_moved) == (name == SORTS_KEYS), name
            if record.losses is not None and record.losses.integers and ready.row.test != "lookup":
                rounded.add(name.removesuffix(":reuse"))
    assert found.keys() >= ROUNDING
    there = {name for name in ROUNDING if found[name][1].status != "unavailable"}
    assert rounded == (there if spec == "generated:4" else set())
    assert sum(record.status == "ok" for _, record in found.values()) >= 20


@pytest.mark.parametrize("spec", SPECS[1:])
def test_a_writer_writes_the_same_in_every_process(spec, proven, tmp_path):
    """Whenever V8's compiler is done, and if it never begins; and in timed iterations as in the gate."""
    writers = [item for item in proven[spec].rows if item[0].test == "write" and item[0].status == "ok"]
    assert len(writers) >= 10

    def again(item):
        record, ready, verdict = item
        node, *rest = ready.built.command
        found = []
        for number, flags in enumerate(([], [INTERPRETED])):
            with Worker([node, *flags, *rest], limits=LIMITS) as worker:
                prepare(worker, proven[spec].dataset.tape, verdict.input, 1)
                path = tmp_path / f"{record.id} {number}"
                found += [verify(worker, path).hash, sample(worker, 3, 2, 1).hash, path.read_bytes()]
        return found

    with pooled(2) as pool:
        for (record, _, verdict), found in zip(writers, pool.map(again, writers), strict=True):
            assert found[:2] == found[3:5] == [verdict.hash] * 2, record.row
            assert len(found[2]) == verdict.bytes and found[2] == found[5], record.row


@pytest.mark.parametrize(
    ("writer", "reader"),
    [("javascript/msgpackr", "c/msgpack-c"), ("c/msgpack-c", "javascript/msgpackr")],
)
def test_messagepack_is_read_across_languages(writer, reader, catalog, generated, tmp_path):
    """Where the one is the only other library that could have read back what the other wrote."""
    kept = {name: catalog.contenders[name] for name in (writer, reader)}
    context = BuildContext(msgspec.structs.replace(catalog, contenders=kept), CACHE)
    rows = [row for row in context.catalog.rows() if row.id == f"{writer}:write"]
    for spec in ("generated:2", "generated:4"):
        (item,) = prove(context, rows, [generated(spec)], tmp_path / spec.replace(":", "-"), LIMITS)
        ((record, _, _),) = item.rows
        if record.status == "unavailable":
            pytest.skip(record.reason)
        assert (record.status, record.reason) == ("ok", "")
        assert record.verified_by == catalog.contenders[reader].manifest.name
