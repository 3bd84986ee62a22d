"""Programs that are run: nothing is left of them after their end, a time limit, or the end of serbench."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from serbench.project import ROOT
from serbench.provision.process import run
from serbench.worker.patience import Patience
from tests.conftest import command_environment
from tests.worker.test_reaper import is_gone

HIDES = """#!/bin/sh
setsid sh -c 'echo $$ > {folder}/hidden; exec sleep 1000' &
while ! [ -s {folder}/hidden ]; do sleep 0.01; done
echo $$ > {folder}/open
"""
"""A program that starts another one, in a session of its own; what follows is its end."""

COMPILE = """import sys
from pathlib import Path
from serbench.build.contract import Recipe
from serbench.build.store import Store
Store(Path(sys.argv[1]) / "builds", []).make(Recipe(steps=[[sys.argv[1] + "/program"]], products=["worker"]))
"""


def hiding(folder: Path, end: str) -> str:
    """The path of a program that hides another one and then does what `end` says."""
    program = folder / "program"
    program.write_text(HIDES.format(folder=folder) + end)
    program.chmod(0o755)
    return str(program)


def written(path: Path) -> bool:
    return path.is_file() and path.stat().st_size > 0


def pid_in(path: Path) -> int:
    return int(path.read_text())


@pytest.mark.usefixtures("no_leaks")
@pytest.mark.parametrize(("end", "status"), [("exit 3", 3), ("kill -9 $$", -9), ("exec sleep 1000", 124)])
def test_nothing_outlives_a_program(
    end: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def left(_patience: Patience) -> float:
        """No time any more once the program has hidden another one."""
        return 0.0 if status == 124 and written(tmp_path / "open") else 0.01

    monkeypatch.setattr(Patience, "left", left)
    done = run([hiding(tmp_path, end)], timeout=5)
    assert done.status == status and ("stopped after 5 s" in done.errors) == (status == 124)
    assert is_gone(pid_in(tmp_path / "hidden")) and is_gone(pid_in(tmp_path / "open"))


def test_no_compiler_outlives_a_killed_serbench(tmp_path: Path) -> None:
    hiding(tmp_path, "echo ready >&2; exec sleep 1000")
    words, opened = [sys.executable, "-c", COMPILE, str(tmp_path)], tmp_path / "open"
    with subprocess.Popen(words, cwd=ROOT, env=command_environment()) as killed:
        try:
            while killed.poll() is None and not written(opened):
                time.sleep(0.01)
        finally:
            killed.kill()
    assert killed.returncode == -9
    assert is_gone(pid_in(tmp_path / "hidden")) and is_gone(pid_in(tmp_path / "open"))


def test_both_streams_are_kept_and_the_input_is_empty(tmp_path: Path) -> None:
    done = run(["sh", "-c", "cat; seq 100000; echo bad >&2; printf '\\377'"])
    assert done.output == "".join(f"{number}\n" for number in range(1, 100001)) + "\ufffd"
    assert (done.status, done.errors) == (0, "bad\n")


def test_a_command_may_be_long_and_its_words_odd(tmp_path: Path) -> None:
    words = ["x" * 100_000] * 9 + ["\udcff", "ü", ""]
    done = run(
        ["sh", "-c", 'printf "%s\\n" "$@"; pwd; echo "$ODD"', "sh", *words], cwd=tmp_path, extra={"ODD": "ü"}
    )
    assert done.output.split("\n")[9:] == ["\ufffd", "ü", "", str(tmp_path), "ü", ""]


def test_without_a_folder_a_program_runs_where_serbench_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["pwd"]).output == f"{tmp_path}\n"


@pytest.mark.parametrize("words", [["no-such-program"], ["a\0b"], ["/"]])
def test_what_cannot_be_started_has_status_127(words: list[str]) -> None:
    done = run(words)
    assert done.status == 127 and done.errors.startswith(f"{words[0]}: ")
