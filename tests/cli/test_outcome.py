"""What a command prints of a run that has ended."""

import io
import re

import msgspec
import pytest
import typer
from rich.console import Console

from serbench.cli import main
from serbench.commands.outcome import conclude, write_reports
from serbench.commands.progress import shown_progress
from serbench.errors import UserError
from tests.report.test_brief import large_run
from tests.results.builder import synthetic_run

NOTE = "The host was restless."
BEFORE = 25
"""Lines of a first run before its tables, without a terminal: set-up and progress."""


@pytest.mark.parametrize("ending", [conclude, write_reports])
def test_each_note_is_said_once(ending, tmp_path):
    run = synthetic_run()
    run.notes = [NOTE]
    said = io.StringIO()
    ending(run, tmp_path / "run.json", Console(file=said, width=80))
    assert said.getvalue().count(NOTE) == 1
    assert NOTE in (tmp_path / "run.md").read_text(encoding="utf-8")


def test_a_run_without_a_proved_row_ends_with_status_1(tmp_path):
    run = synthetic_run()
    for record in run.rows:
        record.status = "unavailable"
    run.samples = []
    with pytest.raises(typer.Exit) as end:
        conclude(run, tmp_path / "run.json", Console(file=io.StringIO(), width=80))
    assert end.value.exit_code == 1 and (tmp_path / "run.md").is_file()


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
    with shown_progress(Console(file=said, width=80, force_terminal=terminal)) as progress:
        progress.measuring()(0.5, "a\x1b[2Jname")
    assert "a\x1b[2J" not in said.getvalue() and (not terminal or r"a\x1b[2Jname" in said.getvalue())


def test_an_error_reaches_the_terminal_without_control_characters(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["serbench", "report", "none\x1b[2J\u202e.json"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert r"none\x1b[2J\u202e.json" in said and "\x1b[2J" not in said


def test_a_run_of_the_usual_size_is_printed_in_fewer_than_120_lines(tmp_path):
    said = io.StringIO()
    write_reports(large_run(), tmp_path / "run.json", Console(file=said, width=80))
    lines = said.getvalue().splitlines()
    assert 60 < len(lines) < 120 - BEFORE
    details = next(line for line in lines if "--details" in line)
    assert str(tmp_path / "run.json") in details


def test_without_a_page_the_tables_are_printed_and_the_run_file_is_named(monkeypatch, tmp_path):
    def unable(_runs):
        raise UserError("the page's charts cannot be made")

    monkeypatch.setattr("serbench.commands.outcome.page", unable)
    said, target = io.StringIO(), tmp_path / "run.json"
    with pytest.raises(UserError, match=re.escape(f"cannot be made. The run file {target} has")):
        write_reports(synthetic_run(), target, Console(file=said, width=80))
    assert "Answer for" in said.getvalue()


def test_the_tables_are_brief_and_details_have_every_row(tmp_path, monkeypatch, capsys):
    run = large_run()
    path = tmp_path / "run.json"
    path.write_bytes(msgspec.json.encode(run))
    texts = []
    for option in ([], ["--details"]):
        monkeypatch.setattr("sys.argv", ["serbench", "report", str(path), *option])
        with pytest.raises(SystemExit) as end:
            main()
        assert not end.value.code
        texts.append(capsys.readouterr().out)
    brief, details = texts
    assert "Answer for" in brief and "… " in brief and brief.count("\n") < 120
    rows = sum(record.role == "contender" and record.status == "ok" for record in run.rows)
    assert details.count("a-library") >= rows > brief.count("a-library")
    monkeypatch.setattr("sys.argv", ["serbench", "report", str(path), "--details", "--format", "csv"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2 and "--details goes with the usual table" in capsys.readouterr().err
