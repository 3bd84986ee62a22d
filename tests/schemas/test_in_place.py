"""Formats that are read in place: each field is."""

import msgspec
import pytest

from serbench.run.proving import prove
from serbench.run.typed import kept, with_schema
from serbench.schemas.model import load
from serbench.worker.process import Worker
from serbench.worker.session import prepare, verify
from tests.schemas.checked import LIMITS

ROWS = [
    "c/c_capnproto:tree",
    "c/flatcc:incremental",
    "cpp/flatbuffers:incremental",
    "cpp/capnp:incremental",
    "go/capnp:incremental",
    "java/flatbuffers:incremental",
    "javascript/capnp_es:tree",
    "python/flatbuffers:incremental",
    "python/pycapnp:incremental",
]


@pytest.mark.parametrize("name", ["c/flatcc", "cpp/flatbuffers"])
def test_depth_is_no_reason_to_refuse(name, context, catalog, document, tmp_path):
    deep = document('{"a":' * 100 + "1" + "}" * 100)
    rows = [row for row in catalog.rows(generated=True) if row.contender.id == name]
    (found,) = prove(context, rows, [deep], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip(f"{name} is not here")
    outcomes = {verdict.status: verdict.reason for _, _, verdict in found.rows}
    assert list(outcomes) == ["ok"], outcomes


@pytest.mark.parametrize("name", ROWS)
def test_a_field_that_is_not_read_gives_another_hash(name, context, catalog, document):
    dataset = with_schema(context, document('{"a": [1, null], "b": 1099511627776, "c": "text"}'))
    right = load(dataset.inferred.path)
    *others, root = right.messages
    changed = msgspec.structs.replace(root, fields=root.fields[:-1])
    wrong = kept(context, msgspec.structs.replace(right, messages=[*others, changed]))
    row = next(row for row in catalog.rows(generated=True) if row.id == name)
    hashes = []
    for schema in (dataset.inferred, wrong):
        ready = context.build([msgspec.structs.replace(row, schema=schema)])[row.id]
        if ready.status == "unavailable":
            pytest.skip(ready.reason)
        assert ready.status == "ok", ready.output
        with Worker(ready.built.command, limits=LIMITS) as worker:
            prepare(worker, dataset.tape, context.canonical(dataset, row.format).encoded.path, 1)
            hashes.append(verify(worker).exact_hash)
    assert hashes[0] == dataset.facts.exact_hash != hashes[1]
