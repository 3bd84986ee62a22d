"""Rows whose structs are made from a schema: right on every construct, refused where code is wrong."""

import contextlib
import json
import operator
from pathlib import Path

import msgspec
import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import SchemaFile
from serbench.project import ROOT
from serbench.run.proving import prove
from serbench.run.typed import kept, with_schema
from serbench.schemas.model import Field, Schema, load
from serbench.worker.process import Worker, WorkerFailure
from serbench.worker.session import prepare, verify
from tests.schemas.checked import LIMITS

LANGUAGES = ["c", "cpp", "go", "java", "javascript", "python", "rust"]
PLAIN = (Path(__file__).parent / "plain.json").read_text()
MAP = json.dumps({"ids": {f"{n * 7919 % 1000003:06}": [n] for n in range(100, 0, -1)}, "after": True})
WIDE = json.dumps({f"w{n}": [n, str(n), [n / 2], n % 2 == 0][n % 4] for n in range(50)})
"""More fields than one function makes, in Rust."""
BOTH = f'{{"plain": {PLAIN}, "wide": {WIDE}, "map": {MAP}}}'
"""One document, since each library is compiled anew for another."""
FEW = '{"a": [{"x": 1, "y": "text", "z": [[0.5], [-3]]}], "b": true}'
NARROW = {("go", "gob"): FEW, ("java", "fory-struct"): FEW, ("c", "thrift"): BOTH.replace(r"\u0000", "")}
"""For those that take neither maps nor null, or make code of each class when they start; for one whose
strings end at a NUL, without it."""
TESTED_ALONE = "protobuf"
GENERATED = [row for row in load_catalog(ROOT).rows(generated=True) if row.contender.generated]
GROUPS = sorted({(row.language, row.format) for row in GENERATED if row.format != TESTED_ALONE})


@pytest.mark.parametrize(("language", "name"), GROUPS)
def test_rows_hold_every_construct(language, name, context, catalog, document, tmp_path):
    rows = [
        row
        for row in catalog.rows(generated=True)
        if row.contender.generated and (row.language, row.format) == (language, name)
    ]
    text = NARROW.get((language, name), BOTH)
    (found,) = prove(context, rows, [document(text)], tmp_path, LIMITS)
    there = [verdict for _, ready, verdict in found.rows if ready.status != "unavailable"]
    if not there:
        pytest.skip("; ".join(sorted({verdict.reason for _, _, verdict in found.rows})))
    able = [verdict for verdict in there if verdict.status != "unsupported"]
    assert [verdict.reason for verdict in able if verdict.status != "ok"] == []
    # In JavaScript readers do not take integers beyond 2^53.
    assert able or language == "javascript"


def _fields(schema: Schema, change) -> Schema:
    """The schema with the fields of its root's message changed."""
    *others, root = schema.messages
    return msgspec.structs.replace(
        schema, messages=[*others, msgspec.structs.replace(root, fields=change(root.fields))]
    )


def _retyped(fields: list[Field]) -> list[Field]:
    kind = msgspec.structs.replace(fields[-1].type, kind="bool")
    return [*fields[:-1], msgspec.structs.replace(fields[-1], type=kind)]


def _without_null(fields: list[Field]) -> list[Field]:
    first, *rest = fields
    inner = msgspec.structs.replace(first.type.inner, nullable=False)
    return [msgspec.structs.replace(first, type=msgspec.structs.replace(first.type, of=inner)), *rest]


def _truncated(fields: list[Field]) -> list[Field]:
    first, second, *rest = fields
    kind = msgspec.structs.replace(second.type, kind="int32")
    return [first, msgspec.structs.replace(second, type=kind), *rest]


CHANGES = {
    "unread": operator.itemgetter(slice(1, None)),
    "swapped": operator.itemgetter(slice(None, None, -1)),
    "wrong type": _retyped,
    "lost null": _without_null,
    "truncated integer": _truncated,
}
WIDTHLESS = ["javascript", "python"]
"""Languages whose integers have no width: none can be truncated."""
WRONG = [
    pytest.param(language, change, id=f"{name}-{language}")
    for language in LANGUAGES
    for name, change in CHANGES.items()
    if not (change is _truncated and language in WIDTHLESS)
]


@pytest.mark.parametrize(("language", "change"), WRONG)
def test_wrong_code_gives_another_hash(language, change, context, catalog, document):
    dataset = with_schema(context, document('{"a": [1, null], "b": 1099511627776, "c": 3}'))
    right = load(dataset.inferred.path)
    changed = _fields(right, change)
    assert changed != right
    wrong: SchemaFile = kept(context, changed)
    trees = [
        row
        for row in catalog.rows(generated=True)
        if row.contender.generated and row.language == language and row.test == "tree"
    ]
    row = min(trees, key=lambda row: (row.format != "json", not row.contender.manifest.common))
    ready = context.build([msgspec.structs.replace(row, schema=wrong)])[row.id]
    if ready.status == "unavailable":
        pytest.skip(ready.reason)
    assert ready.status == "ok", ready.output
    with Worker(ready.built.command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, context.canonical(dataset, row.format).encoded.path, 1)
        # Where the type is wrong the library may refuse the input.
        with contextlib.suppress(WorkerFailure):
            assert verify(worker).exact_hash != dataset.facts.exact_hash
