"""Published orders against ours."""

import json
import random

import pytest
from benchmarks.rivals import RIVALS, compared, tau
from benchmarks.rust_published import DOCUMENTS

from serbench.schemas.infer import infer


def test_pairs_in_another_order_lower_tau_and_are_named():
    published = {"a": 1.0, "b": 2.0, "c": 2.1}
    assert tau(published, {"a": 5.0, "b": 6.0, "c": 7.0}) == 1
    assert tau(published, {"a": 7.0, "b": 6.0, "c": 5.0}) == -1
    lines = compared(published, {"a": 4.0, "b": 2.0, "c": 1.0})
    assert [line.split(":")[0].strip() for line in lines[4:]] == ["other", "other", "near"]
    assert lines[4].endswith("b over a: 2.00 / 0.50")


@pytest.mark.parametrize("language", RIVALS)
def test_every_row_named_is_one_of_the_catalog(language, catalog):
    known = {row.id for row in catalog.rows(generated=True)}
    named = {name for row in RIVALS[language].rows for name in (row.our_write, row.our_read) if name}
    assert named <= known


def test_a_document_has_the_published_size():
    (document,) = RIVALS["java"].documents(random.Random(1))
    assert 10_000 <= len(json.dumps(document, separators=(",", ":"))) < 13_000


PUBLISHED = {"log": (10_000, 1827461), "mesh": (125_000, 26192883)}
PUBLISHED |= {"minecraft": (500, 1623191), "mk48": (1_000, 9390461)}
"""How many entries there are, and what serde_json makes of them."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_data_of_rust_have_the_published_size_and_one_schema(name):
    count, size = 200, PUBLISHED[name][1] / PUBLISHED[name][0] * 200
    document = DOCUMENTS[name](random.Random(1), count)
    assert len(json.dumps(document, separators=(",", ":"))) == pytest.approx(size, rel=0.08)
    schema = infer([document])
    assert schema.always_null == []
    assert "map" not in {kind.kind for _, kind, _ in schema.places()}
