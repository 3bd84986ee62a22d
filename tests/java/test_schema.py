"""Classes made from a schema: a message with more fields than one method of Java can handle."""

import json

import pytest

from serbench.run.proving import prove
from tests.conftest import LIMITS


def test_a_message_may_have_thousands_of_fields(context, catalog, document, tmp_path):
    values = [1, -(2**40), 0.5, "x", True, [1, 2], [[0.5]]]
    wide = {f"field {n}": values[n % len(values)] for n in range(2000)}
    rows = [row for row in catalog.rows(generated=True) if row.contender.id == "java/jackson-struct"]
    (found,) = prove(context, rows, [document(json.dumps(wide))], tmp_path, LIMITS)
    if any(ready.status == "unavailable" for _, ready, _ in found.rows):
        pytest.skip("Java is not set up")
    assert [(verdict.status, verdict.reason) for _, _, verdict in found.rows] == [("ok", "")] * 2
