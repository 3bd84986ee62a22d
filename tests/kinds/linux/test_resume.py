"""Runs on emulated platforms that were killed go on where they were; no row is counted twice."""

import os
import time

import pytest

from serbench.kinds.linux.step import LinuxRun
from serbench.platforms.load import load_platforms, why_absent
from serbench.platforms.records import Emulated
from serbench.project import ROOT
from serbench.results.journal import journal_path
from serbench.results.load import load_run
from serbench.results.schema import RowRecord
from tests.brief import killed
from tests.tiers import ALL

WORDS = {
    "avr": (["--contenders", "cmp,cjson"], 3),
    "cortex-m0": (["--contenders", "cmp,mpack,cjson"], 7),
    "linux-armhf": (["--contenders", "mpack,cmp", "--datasets", "generated:1", "--timeout", "60"], 2),
}


def in_place(name):
    """Skip the test where the platform's tools are missing."""
    if name != "avr" and not ALL:
        pytest.skip(f"{name}: only with ./check --all")
    platform = load_platforms(ROOT)[name]
    assert isinstance(platform, Emulated)
    absent = why_absent(platform)
    if absent:
        pytest.skip(f"{name}: {absent}")


@pytest.mark.parametrize("name", WORDS)
def test_a_killed_run_is_resumed(name, command, tmp_path):
    in_place(name)
    words, least = WORDS[name]
    output, whole = tmp_path / "run.json", tmp_path / "whole.json"
    arguments = ["count", "--platform", name, *words, "--output"]
    before = killed(output, [RowRecord] * least, *arguments, output)
    assert len(before.rows) >= least and not before.complete
    done = command("resume", output)
    assert done.returncode == 0, done.stderr
    after = load_run(output)
    assert after.complete and [row for row in after.rows if row in before.rows] == sorted(
        before.rows, key=lambda row: row.id
    )
    assert len(after.rows) > len(before.rows) and not journal_path(output).exists()
    assert any(f"Interrupted after {len(before.rows)} rows" in note for note in after.notes)
    done = command(*arguments, whole)
    assert done.returncode == 0, done.stderr
    assert load_run(whole).rows == after.rows
    assert load_run(whole).platforms == after.platforms


def test_a_slow_row_does_not_hold_back_the_others(command, monkeypatch, tmp_path):
    name = "linux-armhf"
    in_place(name)
    real, journal = LinuxRun._counted, journal_path(tmp_path / "run.json")

    def counted(self, job, plugin):
        while job[1].id == 0 and b'"kind":"row"' not in journal.read_bytes():
            time.sleep(0.01)  # for ever, if the others waited for the slow one
        return real(self, job, plugin)

    monkeypatch.setattr(LinuxRun, "_counted", counted)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    words, _ = WORDS[name]
    done = command("count", "--platform", name, *words, "--output", tmp_path / "run.json")
    assert done.returncode == 0, done.stderr
    rows = load_run(tmp_path / "run.json").rows
    assert len(rows) > 2 and [row.id for row in rows] == list(range(len(rows)))
