"""Kinds of run and the machine lock: each is refused while another run goes on, or says so in its notes."""

from pathlib import Path

import pytest

from serbench.commands.progress import ProgressDisplay
from serbench.measure.machine_lock import machine_lock
from serbench.results.load import load_run
from serbench.results.schema import Run
from tests.kinds.test_deleting import FOLDERS
from tests.measure.test_machine_lock import folder, refused

__all__ = ["folder"]  # a fixture

pytestmark = pytest.mark.usefixtures("no_leaks")

WORDS = {
    "compare": ["compare", "c/mpack", "--against", "c/msgpack-c", "--datasets", "generated:1"],
    "growth": ["growth", "--contenders", "avsc", "--sizes", "0.01", "--budget", "10"],
    "limits": ["limits", "--contenders", "avsc", "--heap", "16"],
    "fidelity": ["fidelity", "--contenders", "avsc"],
    "strict": ["strict", "--contenders", "mpack"],
}
"""A command of each kind of run that measures on this machine."""
PROBES = {"limits": "limits.step.payloads_of", "fidelity": "fidelity.step.fidelity_of"}
"""What probes libraries."""


@pytest.mark.parametrize("kind", [kind for kind in WORDS if kind in FOLDERS])
def test_they_are_refused_before_they_do_anything(kind, folder, command, monkeypatch, tmp_path):
    refused(WORDS[kind], command, monkeypatch, tmp_path)


def probed(kind, command, monkeypatch, target: Path, *words: str) -> Run:
    """The run that `limits` or `fidelity` makes, without what it starts."""
    monkeypatch.setattr(f"serbench.kinds.{PROBES[kind]}", lambda *_, **__: [])
    monkeypatch.setattr(ProgressDisplay, "build", lambda *_: None)
    # Other work on this machine.
    monkeypatch.setattr("serbench.commands.carry_out.print_disturbances", lambda _console: [])
    # The charts' renderer keeps files open for as long as the process lives.
    monkeypatch.setattr("serbench.commands.outcome.write_reports", lambda *_: None)
    outcome = command(*WORDS[kind], *words, "--output", target)
    assert outcome.returncode == 0, outcome.stderr
    return load_run(target)


@pytest.mark.parametrize("kind", [kind for kind in PROBES if kind in FOLDERS])
def test_probes_say_that_another_run_was_going_on(kind, folder, command, monkeypatch, tmp_path):
    with machine_lock(False):
        run = probed(kind, command, monkeypatch, tmp_path / "busy.json", "--ignore-lock")
    assert len(run.notes) == 1 and "Another run" in run.notes[0]
    monkeypatch.setenv("SERBENCH_IGNORE_LOCK", "")
    assert probed(kind, command, monkeypatch, tmp_path / "alone.json").notes == []
    with machine_lock(False) as notes:
        assert notes == []
