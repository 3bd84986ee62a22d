"""Keys that libraries have as names of their own, and the like: a row takes them, or says which it cannot."""

import json

import pytest

from serbench.run.proving import prove
from tests.schemas.checked import LIMITS

FIELDS = [
    "image",
    "has_image",
    "x",
    "x_opt",
    "which",
    "schema",
    "extension",
    "jsPbMessageId",
    "toJSON",
    "vec",
    "start",
    "restrict",
    "quick",
    "factory",
    "cached_size",
    "unknown_bytes",
    "module",
    "ptr",
]
DOCUMENT = json.dumps(
    {
        **{key: number for number, key in enumerate(FIELDS)},
        "str": [{"pure": 1, "has_pure": None}, {"pure": 2, "has_pure": 0.5}],
        "NewThing": {"rootThing": {"a": True}},
        "branch": {"c": 1},
        "same": {"same": [{"same": None}, {"same": 1}]},
        "getters": {"e": "text", "e_bytes": 1, "mutable_e": 2, "mutable_e_bytes": 3},
        "user0": {"b": "text"},
        "user": {f"a{number}": number for number in range(60)},
    }
)
MOST = {f"a{number}": [0.5] if number % 2 else "text" for number in range(700)}
REFUSED = [
    ("c/c_capnproto:write", '{"a": [{"e": {}}, {}]}', "A.e: the library writes a struct without fields as"),
    (
        "java/quickbuf",
        json.dumps({**MOST, "b": 1}),
        "Document: for 701 fields a method of its code may be too long for Java",
    ),
    ("java/quickbuf", '{"proto_sink": {"a": 1}}', "ProtoSink: its generated code has a class of that name"),
    ("javascript/capnp_es", '{"a": {"segment": 1}}', ".segment: all structs of the library have"),
    (
        "javascript/google-protobuf-3-struct",
        '{"users": [1], "users_list": 2}',
        "users and users_list have one",
    ),
    ("rust/borsh", '{"a": [{}, {}]}', "Document.a[]: the library refuses a list of structs without fields"),
    ("rust/protobuf", '{"user": {"a": 1}, "user_view": {"b": 1}}', "UserView: protoc gives this name to"),
]
CONTENDERS = [
    "c/c_capnproto",
    "c/flatcc",
    "cpp/avro",
    "cpp/capnp",
    "cpp/flatbuffers",
    "cpp/protobuf",
    "go/capnp",
    "go/protobuf-go",
    "java/avro",
    "java/protobuf-java",
    "java/quickbuf",
    "javascript/bufbuild-struct",
    "javascript/google-protobuf-3-struct",
    "javascript/pbf-struct",
    "javascript/protobuf-ts",
    "javascript/protobufjs-generated-struct",
    "javascript/protons-struct",
    "python/pycapnp",
    "rust/buffa",
    "rust/protobuf",
    "rust/quick-protobuf",
]


def _outcomes(context, catalog, name, data, folder):
    rows = [
        row
        for row in catalog.rows(generated=True)
        if name in (row.id, row.contender.id)
        and row.test in ("write", "tree", "incremental")
        and not row.variant
    ]
    (found,) = prove(context, rows, [data], folder, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip(f"{name} is not here")
    return [(verdict.status, verdict.reason) for _, _, verdict in found.rows]


@pytest.mark.parametrize("name", CONTENDERS)
def test_names_of_the_library_may_be_keys(name, context, catalog, document, tmp_path):
    outcomes = _outcomes(context, catalog, name, document(DOCUMENT), tmp_path)
    assert outcomes and {status for status, _ in outcomes} == {"ok"}, outcomes


@pytest.mark.parametrize(("name", "text", "said"), REFUSED)
def test_what_a_library_cannot_take_is_refused_by_its_place(
    name, text, said, context, catalog, document, tmp_path
):
    outcomes = _outcomes(context, catalog, name, document(text), tmp_path)
    assert {status for status, _ in outcomes} == {"unsupported"}
    assert all(said in reason for _, reason in outcomes), outcomes


def test_objects_of_the_most_fields_are_taken(context, catalog, document, tmp_path):
    outcomes = _outcomes(context, catalog, "java/quickbuf", document(json.dumps(MOST)), tmp_path)
    assert {status for status, _ in outcomes} == {"ok"}, outcomes
