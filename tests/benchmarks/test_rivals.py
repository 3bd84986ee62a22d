"""Published orders against ours."""

import json
import random

import pytest
from benchmarks.rivals import RIVALS, compared, tau


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
