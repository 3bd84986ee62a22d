"""Protocol Buffers with the schema of any data: right on every construct, and the same bytes as by hand."""

import contextlib
from pathlib import Path

import msgspec
import pytest

from serbench.datasets.spec import parse_spec
from serbench.run.proving import prove
from serbench.run.typed import kept, with_schema
from serbench.schemas.model import load
from serbench.worker.process import Worker, WorkerFailure
from serbench.worker.session import prepare, verify
from tests.known import mistake
from tests.schemas.checked import LIMITS

LANGUAGES = ["c", "cpp", "go", "java", "javascript", "python", "rust"]
QUICK = ["go", "javascript", "python"]
"""Those that build in a second or two."""
FOLDER = Path(__file__).parent
TRICKY = (FOLDER / "tricky.json").read_text()
TEXTS = {
    "tricky": TRICKY,
    "without NUL": TRICKY.replace("\\u0000", ""),
    "list": '[[{"a": null, "b": 18446744073709551615}], [{"a": "", "b": null}], null]',
}


def _rows(catalog, language):
    rows = catalog.rows(generated=True)
    return [r for r in rows if r.contender.generated and r.format == "protobuf" and r.language == language]


@pytest.mark.parametrize(
    ("name", "language"),
    [
        *(("tricky", language) for language in LANGUAGES),
        *(("list", language) for language in QUICK),
        ("without NUL", "c"),
    ],
)
def test_messages_hold_every_construct(name, language, context, catalog, document, tmp_path):
    (found,) = prove(context, _rows(catalog, language), [document(TEXTS[name])], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip(f"{language} is not set up")
    able = [(ready, verdict) for _, ready, verdict in found.rows if verdict.status != "unsupported"]
    for ready, verdict in able:
        known = mistake(ready, f"protobuf {name}")
        assert (verdict.status != "ok") == bool(known), f"{ready.row.id}: {verdict.reason}"
        assert not known or verdict.reason.endswith(known.ends), f"{ready.row.id}: {verdict.reason}"
    assert len(able) >= 2


@pytest.mark.parametrize("language", QUICK)
def test_inferred_schema_gives_the_bytes_of_the_schema_by_hand(language, context, catalog, tmp_path):
    dataset = context.store.dataset(parse_spec("records:0.001"))
    by_hand = context.canonical(dataset, "protobuf")
    if by_hand.encoded is None:
        pytest.skip(by_hand.reason)
    rows = [row for row in _rows(catalog, language) if row.test == "write"]
    (found,) = prove(context, rows, [dataset], tmp_path, LIMITS)
    for _, ready, verdict in found.rows:
        if ready.status == "unavailable":
            pytest.skip(ready.reason)
        assert ready.row.schema is not None
        assert (verdict.bytes, verdict.hash) == (by_hand.encoded.bytes, by_hand.encoded.hash)


@pytest.mark.parametrize("language", LANGUAGES)
def test_wrong_code_gives_another_hash(language, context, catalog, document):
    dataset = with_schema(context, document('{"a": [1, null], "b": 1099511627776, "c": null}'))
    right = load(dataset.inferred.path)
    *others, root = right.messages
    *fields, last = root.fields
    fields.append(msgspec.structs.replace(last, type=last.type.given))  # Its null is lost.
    changed = msgspec.structs.replace(right, messages=[*others, msgspec.structs.replace(root, fields=fields)])
    row = next(row for row in _rows(catalog, language) if row.test == "tree")
    ready = context.build([msgspec.structs.replace(row, schema=kept(context, changed))])[row.id]
    if ready.status == "unavailable":
        pytest.skip(ready.reason)
    assert ready.status == "ok", ready.output
    with Worker(ready.built.command, limits=LIMITS) as worker:
        prepare(worker, dataset.tape, context.canonical(dataset, "protobuf").encoded.path, 1)
        with contextlib.suppress(WorkerFailure):  # The library may refuse the input.
            assert verify(worker).exact_hash != dataset.facts.exact_hash
