"""The block of the 2016 suite's baselines."""

import pytest

from serbench.verify import published
from tests.verify.gates import verdicts

ROWS = [f"c/baseline:{test}:published" for test in ("write", "tree", "incremental")]


@pytest.mark.parametrize(
    ("spec", "status", "made"), [("generated:2", "ok", 1), ("generated:1:seed=7", "unsupported", 0)]
)
def test_a_block_is_made_once_and_for_the_usual_data(
    spec, status, made, context, ready, generated, tmp_path, monkeypatch
):
    # Its baselines are proved at a time: made anew, it would be without bytes for whoever reads it meanwhile.
    files = []
    make = published.block

    def counted(*arguments):
        block = make(*arguments)
        files.extend([block.file()] if block else [])
        return block

    monkeypatch.setattr(published, "block", counted)
    subjects = [ready(row).subject for row in ROWS]
    found = verdicts(subjects, generated(spec), context.catalog.formats, {}, tmp_path)
    assert {verdict.status for verdict in found.values()} == {status}
    assert len(found) == len(ROWS) and len(files) == made
