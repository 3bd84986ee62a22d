"""Thrift: what it cannot have is refused in every language, and code for another schema is found out."""

import operator
from pathlib import Path

import msgspec
import pytest

from serbench.build.contract import Request
from serbench.build.records import BuildFailed
from serbench.catalog.load import load_catalog
from serbench.project import ROOT
from serbench.provision.records import Provided
from serbench.run.typed import kept, with_schema
from serbench.schemas.generator import recipe_of
from serbench.schemas.infer import infer
from serbench.schemas.model import dump, load
from serbench.worker.process import Worker
from serbench.worker.session import prepare, verify
from tests.schemas.checked import LIMITS

CONTENDERS = [each for each in load_catalog(ROOT).contenders.values() if each.manifest.format == "thrift"]


@pytest.mark.parametrize("contender", CONTENDERS, ids=operator.attrgetter("id"))
def test_an_integer_without_a_sign_is_refused_with_its_place(contender, tmp_path: Path):
    schema = tmp_path / "schema.json"
    schema.write_bytes(dump(infer([{"small": 2**32 - 1, "most": [2**64 - 1]}])))
    request = Request(
        want="worker",
        root=ROOT,
        harness=ROOT,
        cache=tmp_path,
        folder=contender.folder,
        schema=schema,
        library=Provided(source=contender.manifest.source[0]),
    )
    with pytest.raises(BuildFailed, match=r"^Document\.most\[\]: ") as refused:
        recipe_of(request)
    assert refused.value.unsupported


CHANGES = {
    "unread": operator.itemgetter(slice(1, None)),
    "swapped": operator.itemgetter(slice(None, None, -1)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_code_for_other_fields_gives_another_hash(name, context, catalog, document):
    dataset = with_schema(context, document('{"a": 1099511627776, "b": 2199023255552, "c": [true]}'))
    right = load(dataset.inferred.path)
    (root,) = right.messages
    changed = msgspec.structs.replace(root, fields=CHANGES[name](root.fields))
    wrong = kept(context, msgspec.structs.replace(right, messages=[changed]))
    row = next(row for row in catalog.rows(generated=True) if row.id == "python/thrift:tree")
    ready = context.build([msgspec.structs.replace(row, schema=wrong)])[row.id]
    if ready.status == "unavailable":
        pytest.skip(ready.reason)
    assert ready.status == "ok", ready.output
    with Worker(ready.built.command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, context.canonical(dataset, "thrift").encoded.path, 1)
        assert verify(worker).exact_hash != dataset.facts.exact_hash
