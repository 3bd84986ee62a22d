"""The data of SPEC:float32: every double is one of 32 bits, in the tape, in encodings, and in the schema."""

import json
import math
import struct

import msgspec
import pytest

from serbench.datasets.float32 import narrowed, rounded
from serbench.errors import UserError
from serbench.run.encoders import Encoders
from serbench.run.typed import documents_of, float32, with_schema

DATA = {"b": [0.1, 2, -0.0, 10.0, 16777217.5], "a": [{"x": 1, "y": 0.5}, {"y": None, "x": 2}]}


def single(number: float) -> float:
    return struct.unpack("<f", struct.pack("<f", number))[0]


def test_doubles_are_rounded_and_nothing_else_is():
    assert rounded(DATA) == DATA | {"b": [single(0.1), 2, -0.0, 10.0, 16777218.0]}
    assert math.copysign(1, rounded([-0.0])[0]) < 0 and type(rounded([10.0])[0]) is float
    assert type(rounded([2**60 + 1])[0]) is int and rounded([True, None, "0.1"]) == [True, None, "0.1"]
    with pytest.raises(UserError, match="no 32-bit float holds"):
        rounded({"a": [3.5e38]})
    assert narrowed(-1e300) == -math.inf and narrowed(1e-300) == 0


def test_the_tape_has_what_the_encodings_have(context, document):
    plain = document(json.dumps(DATA))
    made = float32(context, plain)
    assert made.name == "document.json:float32" and made.tape != plain.tape
    assert documents_of(context, made) == [rounded(DATA)]
    assert float32(context, made).facts == made.facts
    assert made.facts.content_hash != plain.facts.content_hash  # 16777217.5 became an integer
    exact = document("[0.5, 3]")
    assert float32(context, exact).facts == exact.facts


@pytest.mark.parametrize(
    ("format_id", "wide", "narrow"), [("messagepack", b"\xcb", b"\xca"), ("cbor", b"\xfb", b"\xfa")]
)
def test_binary_formats_have_four_bytes_for_a_double(format_id, wide, narrow, context, document):
    plain = document("[0.1]")
    made = context.canonical(plain, format_id), context.canonical(float32(context, plain), format_id)
    eight, four = (each.encoded.path.read_bytes() for each in made)
    assert eight[1:] == wide + struct.pack(">d", 0.1) and four[1:] == narrow + struct.pack(">f", 0.1)
    assert eight[:1] == four[:1] and context.canonical(plain, format_id) == made[0]


def test_a_library_that_writes_doubles_makes_no_encoding(context, document):
    catalog = context.catalog
    cbor = msgspec.structs.replace(catalog.formats["cbor"], encoders=["python/cbor2"])
    catalog = msgspec.structs.replace(catalog, formats={**catalog.formats, "cbor": cbor})
    encoders = Encoders(catalog, context.builder, context.library, "speed")
    made = encoders.encode(context.store, float32(context, document("[0.1]")), "cbor")
    assert made.unsupported and made.reason == "no CBOR input: it writes every double in 64 bits"


def test_the_schema_has_floats_and_the_order_of_keys_goes_with_it(context, document):
    found = with_schema(context, float32(context, document(json.dumps(DATA))))
    assert found.name == "document.json:float32:ordered" and found.float32
    assert '"b" = "list<float>"' in found.schema_text and '"y" = "float | null"' in found.schema_text
