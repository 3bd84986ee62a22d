"""The schemas that are written by hand, of the records, are those that are inferred from them."""

import msgspec
import pytest

from serbench.datasets.spec import parse_spec
from serbench.run.proving import prove
from serbench.run.typed import with_schema
from serbench.worker.process import Worker
from serbench.worker.session import prepare, verify
from tests.schemas.checked import LIMITS

READERS = {
    "avro": "javascript/avsc-struct:tree",
    "flatbuffers": "javascript/flatbuffers-struct:tree",
    "protobuf": "javascript/protobufjs-struct:tree",
}


@pytest.mark.parametrize("name", READERS)
def test_what_was_written_by_a_schema_by_hand_is_read_by_the_inferred_one(name, context, catalog):
    dataset = with_schema(context, context.store.dataset(parse_spec("records:0.001")))
    by_hand = context.canonical(dataset, name)
    if by_hand.encoded is None:
        pytest.skip(by_hand.reason)
    row = next(row for row in catalog.rows(generated=True) if row.id == READERS[name])
    ready = context.build([msgspec.structs.replace(row, schema=dataset.inferred)])[row.id]
    if ready.status == "unavailable":
        pytest.skip(ready.reason)
    with Worker(ready.built.command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, by_hand.encoded.path, 1)
        assert verify(worker).exact_hash == dataset.facts.exact_hash


def test_json_is_written_alike_by_both(context, catalog, tmp_path):
    names = ("javascript/fast-json-stringify:write", "javascript/fast-json-stringify-struct:write")
    rows = [row for row in catalog.rows(generated=True) if row.id in names]
    dataset = context.store.dataset(parse_spec("records:0.001"))
    (found,) = prove(context, rows, [dataset], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip("JavaScript is not set up")
    assert {verdict.status for *_, verdict in found.rows} == {"ok"}
    assert len(found.rows) == 2 and len({verdict.hash for *_, verdict in found.rows}) == 1
