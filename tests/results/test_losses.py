"""Rows that lose something of the data can be left out of a report."""

import csv
import io
from pathlib import Path

from serbench.results.journal import complete
from serbench.results.schema import Doubles, Losses
from tests.results.builder import synthetic_run


def test_exact_leaves_out_what_loses_something(tmp_path: Path, command):
    run = synthetic_run()
    contenders = [row for row in run.rows if row.role == "contender" and row.status == "ok"]
    contenders[0].losses = Losses(integers=3, negative_zeros=0, keys_moved=False)
    contenders[1].doubles = Doubles(changed=1, total=9, max_relative=1e-16)
    run.complete = True
    complete(run, tmp_path / "run.json")

    def rows(*options: str) -> set[str]:
        done = command("report", tmp_path / "run.json", "--format", "csv", *options)
        assert done.returncode == 0, done.stderr
        return {each["row"] for each in csv.DictReader(io.StringIO(done.stdout))}

    already = {row.row for row in contenders if row.row == "c/rapidjson:tree:in-situ"}  # changes doubles
    assert rows() - rows("--exact") == already | {row.row for row in contenders[:2]}
