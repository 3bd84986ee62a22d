"""Compressed sizes: of the whole encoding, and of messages one by one."""

import gzip
import json
import zlib

import pytest
import zstandard

from serbench.catalog.records import Row
from serbench.datasets.spec import file_spec
from serbench.run import counting
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import Limits

DOCUMENTS = [{"n": number, "text": "again " * number} for number in range(1, 20)]


@pytest.fixture
def compressed(context, ready, tmp_path):
    """The encodings in a run of one writer of JSON on a file."""
    row: Row = ready("c/yajl:write").row

    def of(name, text, memory=None):
        (tmp_path / name).write_text(text)
        dataset = context.store.dataset(file_spec(tmp_path / name))
        (item,) = prove(context, [row], [dataset], tmp_path / "out", Limits())
        memory = memory or ProofCache()
        Counter(context, [item], Limits(), memory).compressed(lambda _what, _number: lambda: None)
        return item.record.encodings["json"]

    return of


def minified(document):
    return json.dumps(document, separators=(",", ":")).encode()


def sizes(parts):
    """What two compressors make of `parts`, by other ways into the same libraries."""
    deflated = []
    for part in parts:
        deflate = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        deflated.append(deflate.compress(part) + deflate.flush())
    assert [gzip.decompress(part) for part in deflated] == parts
    return {
        "gzip -6": sum(map(len, deflated)),
        "zstd -3": sum(len(zstandard.compress(part, 3)) for part in parts),
    }


def test_a_document_is_compressed_as_a_whole(compressed):
    found = compressed("whole.json", json.dumps(DOCUMENTS))
    whole = minified(DOCUMENTS)
    assert found.bytes == len(whole)
    assert {name: made.bytes for name, made in found.compressed.items()} == sizes([whole])
    assert all(made.nanoseconds > 0 for made in found.compressed.values())


def test_messages_are_compressed_one_by_one_and_added_up(compressed):
    found = compressed("some.jsonl", "\n".join(map(json.dumps, DOCUMENTS)))
    parts = [minified(document) for document in DOCUMENTS]
    assert found.bytes == sum(map(len, parts))
    assert {name: made.bytes for name, made in found.compressed.items()} == sizes(parts)
    assert sizes(parts)["gzip -6"] > sizes([b"".join(parts)])["gzip -6"]


def test_what_large_data_gave_is_remembered_with_its_time(compressed, monkeypatch, tmp_path):
    monkeypatch.setattr(counting, "REPEAT_BYTES", 100)
    memory = ProofCache(tmp_path / "memory")
    first = compressed("whole.json", json.dumps(DOCUMENTS), memory)
    assert compressed("whole.json", json.dumps(DOCUMENTS), memory).compressed == first.compressed
