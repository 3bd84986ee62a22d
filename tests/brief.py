"""Runs of the command line that measure little, as much on any machine, and end where a test says."""

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from serbench.project import ROOT
from serbench.results.journal import journal_path
from serbench.results.load import load_run
from serbench.results.schema import Run
from tests.conftest import command_environment

BUDGET = ("--budget", "100000")
"""So large that no run uses it up: a brief run has as many launches on any machine."""
WORDS = ("run", "--contenders", "c/mpack", "--tests", "tree,write", "--datasets", "generated:1,generated:2")
"""The run that is recorded once: MPack's rows and those that it is compared with."""

PROGRAM = """
import os, sys
from tests.shorten import shorten
from serbench import cli
from serbench.results.journal import Journal

keep, number, moments = Journal.keep, int(sys.argv.pop(1)), sys.argv.pop(1).split()


def keeping(journal, record):
    keep(journal, record)
    if moments and type(record).__name__ == moments[0]:
        del moments[0]
        if not moments:
            os.kill(os.getpid(), number)


Journal.keep = keeping
shorten()
cli.main()
"""
"""The command line that sends itself a signal after records of some kinds in this order in its journal."""


def brief(
    *words: object, moments: Sequence[type] = (), number: signal.Signals = signal.SIGKILL
) -> "subprocess.CompletedProcess[str]":
    """Make a brief run in a process of its own, which gets a signal after records of some kinds."""
    kinds = " ".join(kind.__name__ for kind in moments)
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(int(number)), kinds, *map(str, words)],
        env=command_environment(),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def brief_environment(folder: Path) -> dict[str, str]:
    """The environment in which every process of the command line makes brief runs; `folder` gets a file."""
    (folder / "sitecustomize.py").write_text("from tests.shorten import shorten\nshorten()\n")
    own = command_environment()
    return own | {"PYTHONPATH": f"{folder}{os.pathsep}{own['PYTHONPATH']}{os.pathsep}{ROOT}"}


def killed(output: Path, moments: Sequence[type], *words: object) -> Run:
    """Kill a brief run after records of these kinds, and return what its journal has."""
    done = brief(*words, moments=moments)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert not output.exists()
    return load_run(journal_path(output))


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder of this session with what `make` puts there, which one of its processes does for all."""
    parallel = "PYTEST_XDIST_WORKER" in os.environ
    base = factory.getbasetemp().parent if parallel else factory.getbasetemp()
    folder = base / name
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            folder.mkdir(exist_ok=True)
            make(folder)
            (folder / "made").touch()
    return folder


def record(folder: Path) -> None:
    """Make the run that is recorded."""
    done = brief(*WORDS, *BUDGET, "--output", folder / "run.json")
    assert done.returncode == 0, done.stdout + done.stderr
