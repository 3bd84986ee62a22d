"""The command that the page shows for a row that has grown."""

from pathlib import Path

from tests.page.conftest import Script, in_node, packages, toolchain_of_node
from tests.page.test_command import commands, taken
from tests.report.grown import growth_run

__all__ = ["in_node", "packages", "toolchain_of_node"]  # fixtures


def test_a_row_that_has_grown(in_node: Script, tmp_path: Path):
    run = growth_run(shapes=("", "unmapped"))
    made = commands(run, in_node, tmp_path)
    for record in (run.rows[1], run.rows[-1]):
        kind, size, *shape = record.dataset.split(":")
        assert made[record.id][1] == "growth"
        found = taken(made[record.id])
        assert (found["contenders"], found["sizes"]) == ([record.contender_id], [size])
        assert found["datasets"] == [":".join([kind, *shape])]
