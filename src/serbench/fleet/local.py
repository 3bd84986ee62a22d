"""`--on local:N`: a scheduler and N workers on this machine, which end with the client."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from serbench.errors import UserError
from serbench.files import scratch
from serbench.fleet.certificates import make_certificates
from serbench.provision.downloads import is_forbidden

MOST = 16
START_SECONDS = 120.0
LISTENS = re.compile(rb"^listens on (tls://\S+)$", re.MULTILINE)


def number_of_workers(text: str) -> int | None:
    """N of `local:N`; None for any other address. Raises UserError for an impossible N."""
    word, colon, number = text.partition(":")
    if word != "local" or not colon:
        return None
    if not number.isascii() or not number.isdigit() or not 1 <= int(number[:9]) <= MOST:
        raise UserError(f"local:N starts 1 to {MOST} workers, not '{number}'")
    return int(number)


@contextlib.contextmanager
def local_fleet(workers: int, ignore_lock: bool) -> Iterator[tuple[str, Path]]:
    """The address of a scheduler with `workers` workers on this machine, and the client's certificates.

    They speak TLS with certificates that are made for the block: no other user of the machine is answered.
    """
    with scratch() as folder, contextlib.ExitStack() as stack:
        make_certificates(folder / "certificates", days=30)
        place = folder / "certificates"

        def start(role: str, name: str, *words: str) -> Path:
            log = folder / f"{name}.log"
            command = [
                sys.executable,
                "-m",
                "serbench",
                *(["--no-install"] if is_forbidden() else []),
                *words,
            ]
            command += ["--certificates", str(place / role), "--with-input"]
            command += ["--ignore-lock"] if ignore_lock and role == "worker" else []
            with log.open("wb") as file:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,  # they end when it ends, however this process ends
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            stack.callback(_end, process)
            running[name] = process
            return log

        running: dict[str, subprocess.Popen[bytes]] = {}
        log = start("scheduler", "scheduler", "fleet", "serve", "tls://127.0.0.1:0")
        deadline = time.monotonic() + START_SECONDS
        while (found := LISTENS.search(log.read_bytes())) is None:
            if running["scheduler"].poll() is not None or time.monotonic() > deadline:
                said = log.read_text("utf-8", "replace").strip().splitlines()
                raise UserError(f"the scheduler did not start: {said[-1] if said else 'it said nothing'}")
            time.sleep(0.05)
        address = found.group(1).decode()
        for number in range(1, workers + 1):
            start("worker", f"local-{number}", "join", address, "--name", f"local-{number}")
        yield address, place / "client"


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Let a process end, by the end of its input."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.close()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
