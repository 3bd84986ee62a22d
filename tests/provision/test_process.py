"""Programs that are run: what is left of them after the time limit, and after the end of serbench."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from serbench.provision import process
from serbench.provision.process import run
from tests.conftest import command_environment

EMULATE = """
import sys
from pathlib import Path
import msgspec
from serbench.platforms.firmware.emulate import emulate
from serbench.platforms.load import load_platforms
from serbench.project import ROOT

avr = load_platforms(ROOT)["avr"]
stuck = msgspec.structs.replace(avr, emulator=["sleep", "1000"], tools="")
emulate(stuck, Path(sys.argv[1]), Path("nothing"))
"""


def seen(find):
    """What `find` returns once it is true."""
    for _ in range(3000):
        if found := find():
            return found
        time.sleep(0.01)
    raise AssertionError("it does not happen")


def name_of(pid):
    """The name of a process that runs; empty if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields.rpartition(")")[2].split()[0] == "Z" else fields.partition("(")[2].partition(")")[0]


def test_a_process_that_holds_the_pipes_does_not_hold_up_the_time_limit(monkeypatch, tmp_path):
    monkeypatch.setattr(process, "REST_SECONDS", 0.2)
    left = tmp_path / "left"
    try:
        script = f"setsid sh -c 'echo $$ > {left}; exec sleep 1000' & sleep 1000"
        done = run(["sh", "-c", script], timeout=2)
        assert done.status == 124 and "stopped after 2 s" in done.errors
    finally:
        os.kill(int(left.read_text()), signal.SIGKILL)


def test_an_emulator_ends_when_serbench_is_killed(tmp_path):
    (tmp_path / "firmware.c").write_text("void fw_begin(void) {} void fw_end(void) {}")
    firmware = tmp_path / "firmware.o"
    subprocess.run(["gcc", "-c", tmp_path / "firmware.c", "-o", firmware], check=True)
    parent = subprocess.Popen([sys.executable, "-c", EMULATE, firmware], env=command_environment())

    def emulator():
        listed = Path(f"/proc/{parent.pid}/task/{parent.pid}/children").read_text().split()
        return next((int(pid) for pid in listed if name_of(pid) == "sleep"), 0)

    try:
        pid = seen(emulator)
    finally:
        parent.kill()
        parent.wait()
    seen(lambda: not name_of(pid))
