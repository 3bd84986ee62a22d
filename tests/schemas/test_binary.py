"""Formats that need a schema: their rows are right on every construct."""

from pathlib import Path

import msgspec
import pytest

from serbench.run.proving import prove
from serbench.run.typed import kept, with_schema
from serbench.schemas.model import load
from serbench.worker.process import Worker
from serbench.worker.session import prepare, verify
from tests.conftest import LIMITS

PLAIN = (Path(__file__).parent / "plain.json").read_text()
FORMATS = ["cereal", "flatbuffers-inferred", "capnp"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_construct_is_held(name, context, catalog, document, tmp_path):
    rows = [row for row in catalog.rows(generated=True) if row.contender.generated and row.format == name]
    (found,) = prove(context, rows, [document(PLAIN)], tmp_path, LIMITS)
    verdicts = [verdict for _, ready, verdict in found.rows if ready.status != "unavailable"]
    assert [(verdict.status, verdict.reason) for verdict in verdicts] == [("ok", "")] * len(verdicts)
    assert len(verdicts) >= 2


@pytest.mark.parametrize("name", ["cpp/flatbuffers", "cpp/capnp"])
def test_a_field_that_is_not_read_gives_another_hash(name, context, catalog, document):
    dataset = with_schema(context, document('{"a": [1, null], "b": 1099511627776, "c": "text"}'))
    right = load(dataset.inferred.path)
    *others, root = right.messages
    changed = msgspec.structs.replace(root, fields=root.fields[:-1])
    wrong = kept(context, msgspec.structs.replace(right, messages=[*others, changed]))
    row = next(row for row in catalog.rows(generated=True) if row.id == f"{name}:incremental")
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
