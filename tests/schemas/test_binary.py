"""Formats that need a schema: their rows are right on every construct."""

from pathlib import Path

import pytest

from serbench.run.proving import prove
from tests.conftest import LIMITS

PLAIN = (Path(__file__).parent / "plain.json").read_text()
FORMATS = ["cereal", "flatbuffers-inferred", "capnp"]


@pytest.mark.parametrize("name", FORMATS)
def test_every_construct_is_held(name, context, catalog, document, tmp_path):
    rows = [row for row in catalog.rows(generated=True) if row.contender.generated and row.format == name]
    (found,) = prove(context, rows, [document(PLAIN)], tmp_path, LIMITS)
    verdicts = [verdict for _, ready, verdict in found.rows if ready.status != "unavailable"]
    assert [(verdict.status, verdict.reason) for verdict in verdicts] == [("ok", "")] * len(verdicts)
    assert len(verdicts) >= 2
