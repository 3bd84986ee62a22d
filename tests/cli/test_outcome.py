"""What a command prints of a run that has ended."""

import io

import pytest
from rich.console import Console

from serbench.commands.outcome import conclude, write_reports
from tests.results.builder import synthetic_run

NOTE = "The host was restless."


@pytest.mark.parametrize("ending", [conclude, write_reports])
def test_each_note_is_said_once(ending, tmp_path):
    run = synthetic_run()
    run.notes = [NOTE]
    said = io.StringIO()
    ending(run, tmp_path / "run.json", Console(file=said, width=80))
    assert said.getvalue().count(NOTE) == 1
    assert NOTE in (tmp_path / "run.md").read_text(encoding="utf-8")
