"""Build programs that fail: one sentence with what they said last, and the next request finds a new one."""

import os
import select
import signal
from pathlib import Path

import pytest

from serbench.build import BuildFailed, program
from serbench.build.contract import Request
from serbench.build.program import BuildProgram

ANSWER = 'print(json.dumps({"flags": "fine"}), flush=True)'


def program_that(does: str, folder: Path) -> BuildProgram:
    """A program that does something with its first line, and answers all others."""
    lines = [
        "import json, os, pathlib, sys, time",
        "for number, _ in enumerate(sys.stdin):",
        f"    {does}",
        f"    {ANSWER}",
    ]
    (folder / "plan.py").write_text("\n".join(lines))
    return BuildProgram(["python", "plan.py"], folder)


def request(folder: Path) -> Request:
    return Request(want="describe", root=folder, harness=folder, cache=folder)


BEGUN = "begun = pathlib.Path('begun'); first = not begun.exists(); begun.touch()"


@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("if first: sys.exit('no more paper')", "failed: no more paper"),
        ("if first: 1 / 0", "failed: ZeroDivisionError: division by zero"),
        ("if first: print('hello', flush=True)", "failed: "),
        (
            r"if first: sys.stdout.buffer.write(b'{\x22flags\x22:\x22\xff\x22}\n'); sys.stdout.flush()",
            "failed: ",
        ),
        ("if first: time.sleep(1000)", "failed: "),
    ],
)
def test_a_program_that_fails_is_started_again(
    does: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "SECONDS", 1.0 if "sleep" in does else 60.0)
    made = program_that(f"{BEGUN}\n    {does}", tmp_path)
    with pytest.raises(BuildFailed, match=rf"^the build program plan\.py {reason}") as caught:
        made.ask(request(tmp_path))
    assert not caught.value.unavailable
    monkeypatch.setattr(program, "SECONDS", 60.0)
    assert made.ask(request(tmp_path)).flags == "fine"


def test_a_program_that_was_killed_since_its_last_answer_is_started_again(tmp_path: Path) -> None:
    made = program_that("pathlib.Path('pid').write_text(str(os.getpid()))", tmp_path)
    assert made.ask(request(tmp_path)).flags == "fine"
    killed = int((tmp_path / "pid").read_text())
    watched = os.pidfd_open(killed)
    os.kill(killed, signal.SIGKILL)
    select.select([watched], [], [])  # until it has ended
    os.close(watched)
    assert made.ask(request(tmp_path)).flags == "fine"
    assert int((tmp_path / "pid").read_text()) != killed


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BuildFailed, match="No such file"):
        BuildProgram(["no-such-program"], tmp_path).ask(request(tmp_path))


def test_one_process_answers_many_requests_and_ends_with_its_owner(tmp_path: Path) -> None:
    made = program_that('pathlib.Path("count").write_text(str(number))', tmp_path)
    assert [made.ask(request(tmp_path)).flags for _ in range(3)] == ["fine"] * 3
    assert (tmp_path / "count").read_text() == "2"
    running = made._running
    assert running is not None and running._status is None
    del made
    assert running._status is not None
