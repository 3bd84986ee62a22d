"""One run at a time on a machine: the lock, who may make it, and what overrides it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from serbench.errors import UserError
from serbench.measure import machine_lock as module
from serbench.measure.machine_lock import NAME, machine_lock, other_run
from serbench.platforms.load import load_platforms, why_absent
from serbench.results.load import load_run
from serbench.run.context import BuildContext
from tests.conftest import ROOT, command_environment

pytestmark = pytest.mark.usefixtures("no_leaks")

HOLD = """import sys
from pathlib import Path
from serbench.measure import machine_lock
machine_lock.FOLDERS = (Path(sys.argv[1]),)
with machine_lock.machine_lock(False):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for all users, in which the lock stands for this test."""
    path = tmp_path / "locks"
    path.mkdir()
    path.chmod(0o1777)
    monkeypatch.setattr(module, "FOLDERS", (path,))
    return path


def holder(folder: Path) -> "subprocess.Popen[str]":
    """Another process that holds the lock until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=command_environment(),
    )
    assert process.stdout.readline() == "held\n"
    return process


def refused(words, command, monkeypatch, target: Path) -> None:
    """While another run goes on, a command is refused, and leaves nothing in `target`."""
    # Without the lock they would come as far as this, and fail with another status.
    monkeypatch.setattr(BuildContext, "build", None)
    # Nor are a platform's tools needed to be refused.
    monkeypatch.setattr("serbench.platforms.load.why_absent", lambda _platform: "")
    with machine_lock(False):
        # An empty value is that of no variable: the test's own environment overrides the lock elsewhere.
        monkeypatch.setenv("SERBENCH_IGNORE_LOCK", "")
        outcome = command(*words, "--output", target / "run.json")
    assert outcome.returncode == 2 and "--ignore-lock" in outcome.stderr, outcome.stderr
    assert [path.name for path in target.iterdir()] == ["locks"]


def test_a_second_run_is_refused_until_the_first_ends(folder: Path):
    with holder(folder) as other:
        with pytest.raises(UserError) as caught, machine_lock(False):
            pass
        assert f"(process {other.pid})" in str(caught.value) and "--ignore-lock" in str(caught.value)
        assert str(other.pid) in other_run()
        with machine_lock(True) as notes:
            assert len(notes) == 1
        other.stdin.close()
    assert other_run() is None
    with machine_lock(False) as notes:
        assert notes == []
        with pytest.raises(UserError), machine_lock(False):
            pass


def test_a_killed_run_leaves_no_lock(folder: Path):
    with holder(folder) as other:
        other.kill()
    with machine_lock(False) as notes:
        assert notes == []


@pytest.mark.parametrize(
    "words",
    [
        ["run", "--datasets", "generated:1"],
        ["count", "--platform", "avr"],
        ["count", "--platform", "linux-armv6", "--datasets", "generated:1"],
    ],
)
def test_measuring_commands_are_refused_before_they_do_anything(
    words, folder, command, monkeypatch, tmp_path
):
    refused(words, command, monkeypatch, tmp_path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("avr", ["cmp", "--data", "d.json"]),
        ("linux-armv6", ["mpack", "--tests", "write", "--data", "d.json"]),
    ],
)
def test_counts_say_it_too(name, words, folder, command, monkeypatch, tmp_path):
    absent = why_absent(load_platforms(ROOT)[name])
    if absent:
        pytest.skip(f"{name}: {absent}")
    # The charts' renderer keeps files open for as long as the process lives.
    monkeypatch.setattr("serbench.commands.outcome.page", lambda _runs: "")
    (tmp_path / "d.json").write_text("[1, 2]")
    run = ["count", "--platform", name, "--contenders", *words, "--output"]
    with machine_lock(False):
        outcome = command(*run, tmp_path / "busy.json", "--ignore-lock")
    assert outcome.returncode == 0, outcome.stderr
    (note,) = load_run(tmp_path / "busy.json").notes
    assert note.startswith("Another run") and note in outcome.stdout
    assert note in (tmp_path / "busy.md").read_text()
    assert "measure again" not in note
    assert command(*run, tmp_path / "alone.json").returncode == 0
    assert load_run(tmp_path / "alone.json").notes == []


def test_every_user_can_lock_it(folder: Path):
    before = os.umask(0o077)
    try:
        with machine_lock(False):
            pass
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / NAME).stat().st_mode) == 0o644


def test_a_link_in_its_place_is_not_followed(folder: Path, tmp_path: Path):
    victim = tmp_path / "victim"
    (folder / NAME).symlink_to(victim)
    with pytest.raises(UserError) as caught, machine_lock(False):
        pass
    assert "cannot be opened" in str(caught.value) and not victim.exists()
    with machine_lock(True) as notes:
        assert notes == []


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_something_else_in_its_place_is_refused(folder: Path, make):
    make(folder / NAME)
    with pytest.raises(UserError), machine_lock(False):
        pass


def test_a_folder_that_others_cannot_use_is_passed_over(folder: Path, tmp_path: Path, monkeypatch):
    private = tmp_path / "private"
    private.mkdir(0o755)
    open_to_theft = tmp_path / "open"
    open_to_theft.mkdir()
    open_to_theft.chmod(0o777)
    monkeypatch.setattr(module, "FOLDERS", (tmp_path / "none", private, open_to_theft, folder))
    with machine_lock(False):
        pass
    assert (folder / NAME).exists()
    monkeypatch.setattr(module, "FOLDERS", (private,))
    with pytest.raises(UserError), machine_lock(False):
        pass
