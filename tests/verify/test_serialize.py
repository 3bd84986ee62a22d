"""Every row of `serialize`: what it writes is what the library writes anyway, and repeats."""

import json

import pytest

from serbench.datasets.spec import file_spec
from serbench.worker.process import Worker
from serbench.worker.session import prepare, sample, verify
from tests.conftest import LIMITS
from tests.known import name_of


@pytest.fixture(scope="module")
def rows(context):
    """Those of `serialize`, and each contender's own row of `write`, by contender."""
    chosen = [r for r in context.catalog.rows() if r.test == "serialize" and r.role == "contender"]
    ids = {row.contender.id for row in chosen}
    writers = [
        r for r in context.catalog.rows() if r.test == "write" and r.contender.id in ids and not r.variant
    ]
    built = context.build([*chosen, *writers]).values()
    ready = [each for each in built if each.status == "ok"]
    return [each for each in ready if each.row.test == "serialize"], {
        each.row.contender.id: each for each in ready if each.row.test == "write"
    }


def test_there_are_many(catalog):
    libraries = {
        (row.contender.library, row.format)
        for row in catalog.rows()
        if row.test == "serialize" and row.role == "contender"
    }
    assert len(libraries) >= 12


def test_the_bytes_are_those_of_the_library_s_writer(rows, context, generated, tmp_path):
    """Nothing that a document keeps of its input is written again: numbers are printed anew."""
    chosen, writers = rows
    compared = 0
    for ready in chosen:
        manifest = ready.row.contender.manifest
        dataset = generated("records:0.01" if manifest.schemas else "generated:2:safe")
        encoded = context.canonical(dataset, ready.row.format).encoded.path
        found = []
        for each in filter(None, (ready, writers.get(ready.row.contender.id))):
            with Worker(each.built.command, limits=LIMITS) as worker:
                given = encoded if each is ready else None
                prepare(worker, dataset.tape, given, manifest.padding, fragment=False)
                found.append(verify(worker, tmp_path / "out"))
        if len(found) == 2:
            others = name_of(ready.row.id) in manifest.known.other_bytes
            assert (found[0] != found[1]) == others, ready.row.id
            compared += 1
    assert compared or not chosen


def test_a_document_is_made_once_and_written_again_and_again(rows, context, tmp_path):
    """Each message has its own; and other data may come after them."""
    lines = [json.dumps({"n": number, "list": [number, {"k": f"v{number}"}]}) for number in range(20)]
    (tmp_path / "m.jsonl").write_text("\n".join(lines))
    (tmp_path / "one.json").write_text(lines[7])
    several, one = (context.store.dataset(file_spec(tmp_path / n)) for n in ("m.jsonl", "one.json"))
    for ready in [each for each in rows[0] if not each.row.contender.manifest.schemas]:
        manifest = ready.row.contender.manifest
        with Worker(ready.built.command, limits=LIMITS) as worker:
            for dataset in (several, one, several):
                encoded = context.canonical(dataset, ready.row.format).encoded.path
                prepare(worker, dataset.tape, encoded, manifest.padding, False, dataset.framed)
                written = verify(worker, tmp_path / "out")
                assert written.bytes and sample(worker, 3, 2, 1).hash == written.hash
                assert verify(worker, tmp_path / "again") == written
                assert (tmp_path / "out").read_bytes() == (tmp_path / "again").read_bytes()
