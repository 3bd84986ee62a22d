import json

import pytest

from serbench.errors import UserError
from serbench.schemas import check, text
from serbench.schemas.infer import Inexpressible, infer
from serbench.schemas.lower import lower
from serbench.schemas.order import order_of, ordered


def of(*documents: str) -> list:
    return [json.loads(document) for document in documents]


def lines(*documents: str) -> dict[str, str]:
    """The type of each place of the root's message, as it is shown."""
    schema = infer(of(*documents))
    return {field.key: text.shown(field.type) for field in schema.messages[-1].fields}


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ("[0, 4294967295]", "list<uint32>"),
        ("[-1, 2147483647]", "list<int32>"),
        ("[-1, 2147483648]", "list<int64>"),
        ("[4294967296]", "list<int64>"),
        ("[9223372036854775808]", "list<uint64>"),
        ("[1, 2.5]", "list<double>"),
        ("[true]", "list<bool>"),
        ('["x", null]', "list<string | null>"),
        ("[[1], []]", "list<list<uint32>>"),
        ("[null]", "list<string | null>"),
        ("[]", "list<string>"),
    ],
)
def test_types(values, shown):
    assert lines(f'{{"x": {values}}}') == {"x": shown}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ('{"a": [1, "x"]}', "$.a[]: a string and an integer in the same place"),
        ('[{"b": true}, {"b": {}}]', "$[].b: a boolean and an object in the same place"),
        ('{"a": [0.5, 9007199254740993]}', "$.a[]: no double holds 9007199254740993"),
        ('{"a": [-1, 18446744073709551615]}', "$.a[]: its integers (-1 to 18446744073709551615) need more"),
    ],
)
def test_what_no_schema_fits_names_the_place(document, said):
    with pytest.raises(Inexpressible) as raised:
        infer(of(document))
    assert str(raised.value).startswith(said)


def test_decimals_may_be_floats_of_32_bits():
    (message,) = infer(of('{"a": [1, 2.5], "b": 16777216, "c": [0.5, 16777216]}'), "float").messages
    assert [text.shown(field.type) for field in message.fields] == ["list<float>", "uint32", "list<float>"]
    with pytest.raises(Inexpressible, match=r"\$\.c\[\]: no float holds 16777217"):
        infer(of('{"c": [0.5, 16777217]}'), "float")


def test_absent_null_and_both():
    schema = infer(of('{"a": 1, "b": null, "c": null}', '{"b": 2, "c": 3}', '{"b": 4}'))
    fields = {f.key: (f.optional, f.type.nullable) for f in schema.messages[-1].fields}
    assert fields == {"a": (True, False), "b": (False, True), "c": (True, True)}


def test_keys_that_are_ids_are_a_map():
    ids = {f"id{n}": {"name": "x", "age": n} for n in range(40)}
    assert lines(json.dumps({"people": ids})) == {"people": "map<People>"}
    assert lines(json.dumps({"people": dict(list(ids.items())[:9])})) == {"people": "People"}
    other = {f"field{n}": n if n % 2 else "x" for n in range(40)}
    assert lines(json.dumps({"record": other})) == {"record": "RecordRecord"}
    apart = {f"id{n}": {"name": "x" if n % 2 else n} for n in range(40)}
    assert lines(json.dumps({"people": apart})) == {"people": "People"}


def test_orders_that_agree_are_kept_and_others_are_made_one():
    assert order_of([["a", "c"], ["b", "c"], ["a", "b"]]) == ["a", "b", "c"]
    assert order_of([["a", "b"], ["b", "a"]]) == ["a", "b"]
    documents = of('[{"a": 1, "b": [{"x": 1, "y": 2}, {"y": 3, "x": 4}]}]')
    made, changed = ordered(infer(documents), documents[0])
    assert changed
    assert json.dumps(made) == '[{"a": 1, "b": [{"x": 1, "y": 2}, {"x": 4, "y": 3}]}]'
    assert not ordered(infer(documents), made)[1]


def test_names_are_no_keywords_and_differ_in_every_language():
    keys = ["type", "fooBar", "foo_bar", "FOO_BAR", "", "1st", "é", "class", "a b", "linux", "errno"]
    message = infer([dict.fromkeys(keys, 1)]).messages[-1]
    names = [field.name for field in message.fields]
    assert [field.key for field in message.fields] == keys
    assert len({name.replace("_", "").lower() for name in names}) == len(names)
    assert all(name.isidentifier() and name.isascii() and name.islower() for name in names)
    assert not {"type", "class", "linux", "errno"} & {*names}


def test_what_is_written_is_read_again():
    documents = of(
        '{"a \\"\\\\\\u0001\\u007f": {"x": 1.5}, "m": [[null, {"y": 1}]], "z": []}',
        '{"a \\"\\\\\\u0001\\u007f": {}, "m": []}',
    )
    schema = infer(documents)
    again = text.read(text.write(schema), "schema.toml")
    assert again.by_name == schema.by_name
    assert again.root == schema.root
    check.refuse_other(again, documents)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("root = 3", "s: a schema has a text 'root' and a table for each message"),
        ("root = ", "s: "),
        ('root = "A"\n[A]\n"x" = "list<int"', "s: A.x: there is no type or message 'int'"),
        ('root = "A"\n[A]\n"x" = "list<bool"', "s: A.x: 'list<bool' is no type: '>' is missing"),
        ('root = "A"\n[A]\n"x" = "A"', "s: the message A contains itself"),
        ('root = "A"\n[A]\n"x" = 1', "s: A.x: its type is a text"),
        ('root = "bool x"', "s: root: 'bool x' is no type: it ends with 'x'"),
        ('root = "A"\n["../A"]\n"x" = "bool"', "s: the message '../A' needs a name of letters"),
    ],
)
def test_a_wrong_schema_is_refused_with_the_place(written, said):
    with pytest.raises(UserError) as raised:
        text.read(written, "s")
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ('{"a": -1}', "$.a: it is not of the schema's type uint32"),
        ('{"a": 1, "b": 2}', "$.b: the schema has no such field"),
        ("{}", "$: 'a' is missing, which is not optional"),
        ("[]", "$: it is not of the schema's type A"),
    ],
)
def test_data_that_do_not_follow_a_schema_are_refused(document, said):
    schema = text.read('root = "A"\n[A]\n"a" = "uint32"', "s")
    with pytest.raises(UserError, match=said.replace("$", r"\$")):
        check.refuse_other(schema, of(document))


def test_a_lowered_schema_has_fields_of_two_kinds_only():
    document = {
        "map": {f"k{n}": [[1]] for n in range(40)},
        "nulls": [None, {"x": None, "y": [1]}, {"y": None}],
        "lists": [[[]], [["x"]]],
    }
    low = lower(infer([[document]]))
    assert low.root.message == low.messages[-1].name
    assert {message.role for message in low.messages} == {"", "root", "entry", "list", "null"}
    for message in low.messages:
        for field in message.fields:
            kind = field.type
            inner = kind.of or kind
            assert kind.kind != "map"
            assert inner.kind not in ("map", "list")
            assert not (kind.of and (field.optional or kind.nullable or inner.nullable))
            assert not (field.optional and kind.nullable)
            known = [each.name for each in low.messages[: low.messages.index(message)]]
            assert not inner.message or inner.message in known


def test_a_message_has_no_name_of_the_code_around_it():
    assert lines('{"walk": {"a": 1}, "Members": {"a": 1}}') == {
        "walk": "WalkRecord",
        "Members": "MembersRecord",
    }
