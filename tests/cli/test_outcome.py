"""What a command prints of a run that has ended."""

import io

import msgspec
import pytest
from rich.console import Console

from serbench.cli import main
from serbench.commands.outcome import conclude, write_reports
from serbench.commands.progress import stages
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


@pytest.mark.parametrize("ending", [conclude, write_reports])
def test_nothing_in_a_run_reaches_the_terminal_as_a_control_character(ending, tmp_path):
    run, earlier = synthetic_run(), synthetic_run()
    run.notes = ["a note of \x1b]0;title\x07 somebody"]
    earlier.id, earlier.machine = "an\x1b[2Jid", msgspec.structs.replace(run.machine, cpu="a\x1b[31mCPU")
    said = io.StringIO()
    ending(run, tmp_path / "run\x1b.json", Console(file=said, width=80), earlier)
    assert "\x1b" not in said.getvalue() and "\x07" not in said.getvalue()
    for shown in (r"\x1b]0;title\x07", r"an\x1b[2Jid", r"a\x1b[31mCPU", r"run\x1b.json"):
        assert shown in said.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_shows_the_name_of_a_dataset_without_control_characters(terminal):
    said = io.StringIO()
    with stages(Console(file=said, width=80, force_terminal=terminal)) as progress:
        progress.measuring()(0.5, "a\x1b[2Jname")
    assert "a\x1b[2J" not in said.getvalue() and (not terminal or r"a\x1b[2Jname" in said.getvalue())


def test_an_error_reaches_the_terminal_without_control_characters(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["serbench", "report", "none\x1b[2J\u202e.json"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert r"none\x1b[2J\u202e.json" in said and "\x1b[2J" not in said
