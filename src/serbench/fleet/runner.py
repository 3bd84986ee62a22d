"""What a machine of a fleet does with a unit: an ordinary run of that group, in a process of its own."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import msgspec

from serbench.errors import UserError, shortened
from serbench.files import read_regular, scratch
from serbench.fleet.units import LARGEST_RESULT, Unit
from serbench.provision.downloads import is_forbidden

COMMAND = "unit"
"""The command that measures the unit on its standard input; it ends when that ends."""
_LOOK = 0.1
_GRACE = 10.0


def run_unit(unit: Unit, unwanted: threading.Event) -> bytes:
    """Measure `unit` and return its run file. Raises UserError with the reason why there is none."""
    words = [sys.executable, "-m", "serbench", *(["--no-install"] if is_forbidden() else [])]
    with scratch() as folder:
        out, said = folder / "unit.json", folder / "said"
        with said.open("wb") as log:
            process = subprocess.Popen(
                [*words, COMMAND, str(out)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,  # Ctrl-C ends it by the end of its input
            )
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(msgspec.json.encode(unit) + b"\n")
                process.stdin.flush()
            while process.poll() is None and not unwanted.wait(_LOOK):
                pass
        finally:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            try:
                process.wait(_GRACE if unwanted.is_set() else None)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.returncode != 0 or not out.is_file():
            raise UserError(_reason(said, process.returncode))
        try:
            return read_regular(out, LARGEST_RESULT)
        except OSError as error:
            raise UserError(f"its run file cannot be read: {error.strerror or error}") from error


def _reason(said: Path, status: int) -> str:
    lines = said.read_text("utf-8", "replace").strip().splitlines()
    last = lines[-1].removeprefix("serbench: ") if lines else f"it ended with status {status}"
    return shortened(last, 500)


def end_with_input(descriptor: int) -> None:
    """From now on, interrupt this process when its standard input ends: who asked for the unit is gone."""

    def watch() -> None:
        with contextlib.suppress(OSError):
            while os.read(descriptor, 1 << 12):
                pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, daemon=True).start()
