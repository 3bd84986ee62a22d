"""What a kill leaves is removed or made again, and a full disk says how to go on."""

import errno
import os
import signal
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from serbench.build.contract import Recipe
from serbench.build.store import SIZES, Store
from serbench.errors import UserError
from serbench.files import SCRATCH, scratch
from serbench.measure.precision import settings_for
from serbench.results import journal as journal_module
from serbench.results.journal import Journal, complete, journal_path
from serbench.results.load import load_run
from serbench.results.machine import this_machine
from serbench.run import session as session_module
from serbench.run.session import RunSession
from tests.conftest import command_environment
from tests.results.builder import synthetic_run

HOLDER = """
import sys
from pathlib import Path
from serbench.files import scratch
with scratch(Path(sys.argv[1])) as folder:
    (folder / "file").write_text("x")
    print(folder, flush=True)
    sys.stdin.read()
"""


def holder(place):
    """A process that has a folder for temporary files below `place`, and that folder's name."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, place],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=command_environment(),
    )
    return process, process.stdout.readline().strip()


def test_the_folder_of_a_killed_process_is_removed_and_no_other(tmp_path):
    living, kept = holder(tmp_path)
    killed, left = holder(tmp_path)
    os.kill(killed.pid, signal.SIGKILL)
    killed.communicate()
    (tmp_path / "mine").mkdir()
    (tmp_path / f"{SCRATCH}file").write_text("no folder")
    try:
        with scratch(tmp_path) as own:
            (own / "deep").mkdir()
            found = {str(path) for path in tmp_path.iterdir()}
            assert found == {kept, str(own), str(tmp_path / "mine"), str(tmp_path / f"{SCRATCH}file")}
            assert left not in found and (tmp_path / kept / "file").is_file()
    finally:
        living.communicate("")
    assert {path.name for path in tmp_path.iterdir()} == {"mine", f"{SCRATCH}file"}


def test_many_at_once_take_no_other_s_folder(tmp_path):
    lost: list[str] = []

    def use() -> None:
        for _ in range(50):
            with scratch(tmp_path) as folder:
                (folder / "x").mkdir()
                if not (folder / "x").is_dir():
                    lost.append(str(folder))

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not lost and not list(tmp_path.iterdir())


RECIPE = Recipe(steps=[["sh", "-c", "echo whole > worker; date +%N > other"]], products=["worker"])


def test_a_build_that_was_cut_short_is_made_again(tmp_path):
    folder, _ = Store(tmp_path, []).make(RECIPE)
    made = (folder / "other").read_text()
    assert Store(tmp_path, []).make(RECIPE)[0] == folder and (folder / "other").read_text() == made
    os.truncate(folder / "worker", 3)
    Store(tmp_path, []).make(RECIPE)
    assert (folder / "worker").read_text() == "whole\n"


@pytest.mark.parametrize("text", ["", "{", "[]"])
def test_a_build_whose_record_is_damaged_is_made_again(text, tmp_path):
    folder, _ = Store(tmp_path, []).make(RECIPE)
    made = (folder / "other").read_text()
    (folder / SIZES).write_text(text)
    Store(tmp_path, []).make(RECIPE)
    assert (folder / "other").read_text() != made


@pytest.fixture
def session(tmp_path):
    """A session that has not begun."""
    settings = settings_for("quick", [], None, [], 0, fragment=True, instructions=True)
    return RunSession(settings, this_machine({}), tmp_path / "run.json", "samples", SimpleNamespace())


ROW = synthetic_run().rows[0]
ROW.instructions = 4711.0


def no_room(path, *_):
    raise journal_module.failure_to_write(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))


@pytest.mark.parametrize("moment", ["a record", "the end"])
def test_a_full_disk_says_how_to_go_on(moment, session, tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["serbench", "run", "--output", "run.json", "--data", "x.json"])
    with pytest.raises(UserError) as full, session.running(ignore_lock=True):
        session.keep(ROW)
        monkeypatch.setattr(journal_module, "replace_file", no_room)
        if moment == "a record":
            no_room(journal_path(session.output))
    said = str(full.value)
    assert "No space left on device; what has been measured is kept" in said
    assert f"./serbench resume {tmp_path / 'run.json'} --data x.json goes on" in said
    assert load_run(journal_path(session.output)).rows == [ROW]


def test_a_full_disk_before_anything_was_measured_leaves_nothing(session, tmp_path):
    with pytest.raises(UserError) as full, session.running(ignore_lock=True):
        no_room(journal_path(session.output))
    assert "goes on" not in str(full.value) and not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_while_the_run_file_is_written_comes_when_it_is_there(
    number, session, tmp_path, monkeypatch
):
    def interrupted(*arguments):
        # Another thread takes the signal where the main thread only blocks it.
        signaller = threading.Thread(target=lambda: os.kill(os.getpid(), number))
        signaller.start()
        signaller.join()
        complete(*arguments)

    monkeypatch.setattr(session_module, "complete", interrupted)
    handler = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), session.running(ignore_lock=True):
            session.keep(ROW)
    finally:
        signal.signal(number, handler)
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    assert load_run(tmp_path / "run.json").complete


def test_a_kill_between_the_run_file_and_its_journal_names_a_way_out(command, tmp_path):
    run = synthetic_run()
    run.summary = None
    complete(run, tmp_path / "run.json")
    with Journal.of(run, journal_path(tmp_path / "run.json")) as journal:
        journal.end(run.finished, run.seconds, complete=True)
    done = command("resume", "run.json")
    assert done.returncode == 2
    assert "is complete, and its journal run.json.journal can be removed" in done.stderr
    done = command("run", "--output", "run.json", "--force", "--contenders", "mpack", "--budget", "1")
    assert done.returncode == 2 and "resume run.json.journal" in done.stderr
