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
# Their numbers are doubles, or they refuse or change a BigInt: all of it is the library's.
NO_BIG_INTEGERS = {
    "bser:write",
    "bser:tree",
    "bson:tree",
    "js-binary-json:write",
    "js-binary-json:tree",
    "json:write",
    "json:tree",
    "msgpack-javascript:write",
    "msgpack-javascript:tree",
    "msgpack5:write",
    "msgpack5:tree",
    "notepack:write",
    "notepack:tree",
    "ubjson:write",
}
INTERPRETED = "--no-opt"


@pytest.fixture(scope="module")
def proven(context, built, generated, tmp_path_factory):
    """What the gate says of all rows, by dataset."""
    rows = [ready.row for ready in built.values()]
    folder = tmp_path_factory.mktemp("outputs")
    made = [generated(spec) for spec in SPECS]
    return {item.dataset.name: item for item in prove(context, rows, made, folder, LIMITS)}


@pytest.mark.parametrize("spec", SPECS)
def test_rows_are_ok_or_it_is_the_librarys_fault(spec, proven):
    found = {record.row.removeprefix("javascript/"): record for record, _, _ in proven[spec].rows}
    for name, record in found.items():
        if record.status == "unavailable":
            continue
        if "needs a schema" in record.labels:
            assert (record.status, record.reason) == ("unsupported", NEEDS_SCHEMA), name
        elif spec == "generated:4" and name in NO_BIG_INTEGERS:
            assert record.status == "unsupported" and re.fullmatch(BEYOND_SAFE, record.reason), name
        else:
            assert (record.status, record.reason) == ("ok", ""), name
    assert found.keys() >= NO_BIG_INTEGERS
    assert sum(record.status == "ok" for record in found.values()) >= 20


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
    encoder = catalog.formats["messagepack"].encoder.contender
    kept = {name: catalog.contenders[name] for name in (writer, reader)}
    if encoder not in kept:
        kept[encoder] = msgspec.structs.replace(catalog.contenders[encoder], hidden=True)
    context = BuildContext(msgspec.structs.replace(catalog, contenders=kept), CACHE)
    rows = [row for row in context.catalog.rows() if row.id == f"{writer}:write"]
    for spec in ("generated:2", "generated:4"):
        (item,) = prove(context, rows, [generated(spec)], tmp_path / spec.replace(":", "-"), LIMITS)
        ((record, _, _),) = item.rows
        if record.status == "unavailable":
            pytest.skip(record.reason)
        assert (record.status, record.reason) == ("ok", "")
        assert record.verified_by == catalog.contenders[reader].manifest.name
