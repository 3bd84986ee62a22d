"""The small documents: their sizes, hashes and encodings; what is refused."""

import json
import struct

import pytest
from harness.firmware.build.source import document_source

from serbench.build.contract import Data
from serbench.errors import UserError
from serbench.platforms.firmware.decode import DECODERS
from serbench.platforms.firmware.documents import (
    DEEPEST,
    load_document,
    narrow_hash,
    stated_documents,
)
from serbench.project import ROOT

TREE = {"a": [0, 23, 24, 255, 256, 65536, 2**32, 2**63, -1, -32, -33, -129, -(2**31) - 1]}
TREE |= {"b": [0.5, -1.25]}
TREE |= {
    "long": "x" * 300,
    "é": ["y" * 40, None, True, False, [], {}],
    "many": {str(i): i for i in range(20)},
}


def test_the_documents_have_the_published_sizes(documents):
    assert len(documents) == 10
    for stated in stated_documents(ROOT):
        document = documents[stated.name]
        sizes = tuple(len(document.encoded(name)) for name in ("json", "messagepack"))
        assert sizes == stated.published, stated.name


def test_the_content_hash_is_the_dataset_tools_own(context, tmp_path):
    path = tmp_path / "d.json"
    path.write_text('{"a": [1, -2, 0.5, 3.0, 1e300, -0.0], "é": "tape", "n": null, "yes": true}')
    made = load_document(path, context)
    assert made.hashes[0] == made.dataset.facts.content_hash


def test_the_exact_hash_is_of_32_bit_floats():
    near, next_float = 0.1 + 1e-12, struct.unpack("<f", struct.pack("<I", 0x3DCCCCCE))[0]
    assert narrow_hash([0.1], exact=True) == narrow_hash([near], exact=True)
    assert narrow_hash([0.1], exact=True) != narrow_hash([next_float], exact=True)
    assert narrow_hash([0.1], exact=False) == narrow_hash([next_float], exact=False)
    assert narrow_hash([-0.0], exact=True) != narrow_hash([0], exact=True) == narrow_hash([0.0], exact=True)
    assert narrow_hash([16777217.5], exact=True) == narrow_hash([16777218], exact=True)


@pytest.mark.parametrize("format_id", DECODERS)
def test_encodings_are_read_back(format_id, context, tmp_path):
    path = tmp_path / "d.json"
    path.write_text(json.dumps(TREE))
    made = load_document(path, context)
    assert made.tree == TREE and made.decoded(made.encoded(format_id), format_id) == TREE


def test_decimals_are_32_bit_floats_but_in_a_text(context, tmp_path):
    path = tmp_path / "d.json"
    path.write_text('{"d": [3.3, 123456.789012, 1]}')
    made, floats = load_document(path, context), struct.pack(">2f", 3.3, 123456.789012)
    assert made.encoded("json") == b'{"d":[3.3,123456.789012,1]}'
    assert made.encoded("messagepack") == b"\x81\xa1d\x93\xca" + floats[:4] + b"\xca" + floats[4:] + b"\x01"
    assert made.encoded("cbor") == b"\xa1\x61d\x83\xfa" + floats[:4] + b"\xfa" + floats[4:] + b"\x01"


def test_a_decimal_that_no_float_holds_is_refused(context, tmp_path):
    path = tmp_path / "d.json"
    path.write_text("[-1e300]")
    with pytest.raises(UserError, match=r"d\.json: no 32-bit float holds -1e\+300"):
        load_document(path, context).encoded("cbor")


@pytest.mark.parametrize("data", [b"", b"\x81", b"\x9f\x01\xff", b"\x01\x01", b"\xc0\x01", b"\xf8\x20"])
def test_bad_cbor_is_refused(data):
    with pytest.raises(ValueError):
        DECODERS["cbor"](data)


def test_a_document_that_no_target_could_hold_is_refused(context, tmp_path):
    path = tmp_path / "large.json"
    path.write_text('["' + "x" * 70_000 + '"]')
    with pytest.raises(UserError, match="at most 60,000"):
        load_document(path, context)
    path.write_text('["\\u0000"]')
    with pytest.raises(UserError, match="NUL"):
        load_document(path, context)


def test_sources_escape_what_c_would_misread():
    text = document_source(Data(name="d", tree={'a"\\?': "é1\n"}, format="json", input=b"{}", room=66))
    assert '"a\\042\\134\\077"' in text and '"\\303\\2511\\012"' in text


@pytest.mark.parametrize("one", [("[", "]"), ('{"a":', "}")])
def test_a_document_is_nested_as_deep_as_all_of_serbench_can_follow(one, context, tmp_path):
    def nested(times: int):
        path = tmp_path / f"{times}.json"
        path.write_text(one[0] * times + ("1" if one[0] != "[" else "") + one[1] * times)
        return load_document(path, context)

    deepest = nested(DEEPEST)
    assert deepest.depth == DEEPEST and len(deepest.hashes) == 2
    for format_id in DECODERS:
        assert deepest.decoded(deepest.encoded(format_id), format_id) == deepest.tree
    for times in (DEEPEST + 1, 600, 1024):
        with pytest.raises(UserError, match=f"nested {times} deep; .* at most {DEEPEST} deep"):
            nested(times)
