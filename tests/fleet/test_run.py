"""The same run on local workers and without them, end to end."""

import shutil
import subprocess
import sys

import pytest

from serbench.results.load import load_run
from tests.brief import BUDGET, WORDS, brief_environment

CLIENT = "the client's certificates"


def test_a_run_on_local_workers_finds_the_same_hashes(certificates, command, recorded, tmp_path):
    there, here = tmp_path / "there.json", tmp_path / "here.json"
    shutil.copy(recorded / "run.json", here)
    done = subprocess.run(
        [sys.executable, "-m", "serbench", *WORDS, *BUDGET, "--on", "local:2", "--output", there],
        env=brief_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    ours, plain = load_run(there), load_run(here)
    kept = ("row", "dataset", "profile", "hash", "content_hash", "exact_hash", "bytes", "program")
    assert sorted([getattr(row, name) for name in kept] for row in ours.rows) == sorted(
        [getattr(row, name) for name in kept] for row in plain.rows
    )
    assert ours.complete and {host.name for host in ours.hosts} == {"local-1", "local-2"}
    assert {unit.dataset for unit in ours.units} == {"generated:1", "generated:2"}
    assert {sample.row for sample in ours.samples} == {row.id for row in ours.rows}
    assert plain.hosts == plain.units == []
    # Neither is resumed as the other.
    for path, words, reason in (
        (there, [], "was measured on many machines: add --on ADDRESS"),
        (here, ["--on", "local:1"], "has no --on"),
    ):
        text = path.read_text().replace('"complete":true', '"complete":false', 1)
        path.write_text(text)
        refused = command("resume", path, *words)
        assert refused.returncode == 2 and reason in refused.stderr


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["run", "--on", "local:0"], "local:N starts 1 to 16 workers, not '0'"),
        (["run", "--on", "tls://127.0.0.1:1"], "needs --certificates DIR"),
        (["run", "--on", "tcp://127.0.0.1:1"], "is not encrypted"),
        (["run", "--on", "local:1", "--data", "x.json"], "--data cannot be combined with --on"),
        (["join", "tcp://192.0.2.1:1"], "is not encrypted"),
        (
            ["fleet", "tls://127.0.0.1:1", "--certificates", CLIENT],
            "no scheduler answers at tls://127.0.0.1:1",
        ),
        (["fleet", "certificates"], "give ADDRESS, certificates DIR, or serve ADDRESS"),
    ],
)
def test_what_the_command_line_cannot_mean(words, reason, certificates, command, tmp_path):
    (tmp_path / "x.json").write_text("{}")
    done = command(*(certificates / "client" if word is CLIENT else word for word in words))
    assert done.returncode == 2 and reason in done.stderr, done.stderr
