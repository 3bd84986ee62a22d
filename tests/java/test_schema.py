"""Classes made from a schema: what a contender says of its library, and very wide messages."""

import json

import pytest
from harness.java.schema import emit
from harness.java.style import style_of

from serbench.build.records import BuildFailed
from serbench.project import ROOT
from serbench.run.proving import prove
from serbench.schemas.infer import infer
from tests.conftest import LIMITS

BOTH = {"a": [{"x": 1}, {"x": None}, {}]}
MAP = {"ids": {f"{n * 7919 % 1000003:06}": (None if n % 2 else n) for n in range(100)}}


def test_a_message_may_have_thousands_of_fields(context, catalog, document, tmp_path):
    values = [1, -(2**40), 0.5, "x", True, [1, 2], [[0.5]]]
    wide = {f"field {n}": values[n % len(values)] for n in range(2000)}
    rows = [row for row in catalog.rows(generated=True) if row.contender.id == "java/jackson-struct"]
    (found,) = prove(context, rows, [document(json.dumps(wide))], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip("Java is not set up")
    assert [(verdict.status, verdict.reason) for _, _, verdict in found.rows] == [("ok", "")] * 2


@pytest.mark.parametrize(
    ("contender", "test", "having", "place", "without"),
    [
        ("gson", "tree", BOTH, "A.x", {"a": [{"x": 1}, {}]}),
        ("gson", "write", {"a": [{"x": 1}, {}], "b": None}, "A.x", {"a": [{"x": 1}, {}], "b": [None]}),
        ("moshi", "tree", {"a": 2**63}, "Document.a", {"a": 2**63 - 1}),
        ("moshi", "write", MAP, "Document.ids", {"ids": [None]}),
        ("fastjson2", "write", {"": 1}, "Document.", {"a": 1}),
        ("avaje-jsonb", "write", {"a": [{"x": 1}, {}], "b": None}, "A.x", {"a": [{"x": 1}, {}], "b": [None]}),
        ("avaje-jsonb", "tree", {"a": [{"b": [[0.5]]}]}, "A.b", {"a": [{"b": [0.5]}]}),
        ("avaje-jsonb", "tree", {"a": {"b": {}}}, "B", {"a": {"b": {"c": 1}}}),
        ("fory", "tree", {"a": [{"b": [[[[1]]]]}]}, "A.b", {"a": [{"b": [[[1]]]}]}),
        ("dsl-json", "write", {"a": [{"x": 1}, {}]}, "A.x", {"a": [{"x": None}, {"x": 1}]}),
        ("dsl-json", "tree", {"class": 1}, "Document.class", {"class_": 1}),
    ],
)
def test_what_a_library_cannot_take_is_refused_at_its_place(contender, test, having, place, without):
    style = style_of(ROOT / f"contenders/java/{contender}-struct")
    with pytest.raises(BuildFailed) as refused:
        emit(infer([having]), style, test)
    assert refused.value.unsupported and refused.value.reason.startswith(f"{place}: ")
    assert "class Document" in emit(infer([without]), style, test)


@pytest.mark.parametrize("name", ["avaje-jsonb", "dsl-json"])
def test_rows_hold_what_they_can_take(name, context, catalog, document, tmp_path):
    rows = [row for row in catalog.rows(generated=True) if row.contender.id == f"java/{name}-struct"]
    text = {"created_at": "\u00e4", "aB": [0.5, -3.0], "b": [{"x": 2**53 + 1, "y": None}]}
    (found,) = prove(context, rows, [document(json.dumps(text))], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip("Java is not set up")
    assert [(verdict.status, verdict.reason) for _, _, verdict in found.rows] == [("ok", "")] * 2


def test_a_style_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "schema.toml").write_text('fields = "@Key"\n')
    with pytest.raises(BuildFailed, match=r"wants of a schema cannot be read: .*fields"):
        style_of(tmp_path)
