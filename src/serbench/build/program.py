"""The build program of a harness: started once, asked many times."""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import msgspec

import serbench
from serbench.build.contract import Answer, Request, decode_answer, encode
from serbench.build.records import BuildFailed
from serbench.provision.process import environment

SECONDS = 120.0
"""The longest that an answer may take: a program plans, and builds nothing."""
MOST_SAID = 4000
PYTHON = "python"
"""As the first word of a command: the Python that runs serbench, with serbench to be imported."""


class BuildProgram:
    """A build program, which is started when it is first asked. Threads may share it."""

    def __init__(self, command: Sequence[str], root: Path) -> None:
        """Take the `command` of harness.toml, which is started in the project's folder `root`."""
        self._command = [sys.executable if word == PYTHON else word for word in command[:1]] + [*command[1:]]
        self._root = root
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._errors: IO[bytes] | None = None

    def ask(self, request: Request) -> Answer:
        """The answer to `request`. Raises BuildFailed for a refusal, and if the program fails."""
        with self._lock:
            try:
                process = self._process or self._start()
                answer = _exchange(process, request)
            except (OSError, ValueError, msgspec.MsgspecError) as error:
                said = self._stop()
                reason = said.splitlines()[-1] if said else str(error)
                raise BuildFailed(f"the build program {self._command[-1]} failed: {reason}", said) from error
            except BaseException:  # Ctrl-C: an answer that nobody has read would be that to another request.
                self._stop()
                raise
        if answer.error:
            raise BuildFailed(answer.error, answer.output, unavailable=answer.unavailable)
        return answer

    def _start(self) -> "subprocess.Popen[bytes]":
        source = Path(serbench.__file__).parents[1]
        places = [str(self._root), str(source), os.environ.get("PYTHONPATH", "")]
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the program runs
        self._process = subprocess.Popen(
            self._command,
            cwd=self._root,
            env=environment({"PYTHONPATH": os.pathsep.join(each for each in places if each)}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,
        )
        weakref.finalize(self, _end, self._process, self._errors)
        return self._process

    def _stop(self) -> str:
        """End the program, so that the next request starts it again; the last of its standard error."""
        process, errors, self._process = self._process, self._errors, None
        if process is None or errors is None:
            return ""
        process.kill()
        process.wait()
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip()
        _end(process, errors)
        return said[-MOST_SAID:]


def _exchange(process: "subprocess.Popen[bytes]", request: Request) -> Answer:
    """Send a request and read its answer. Raises OSError, ValueError (bad UTF-8) and msgspec.MsgspecError."""
    assert process.stdin is not None and process.stdout is not None
    guard = threading.Timer(SECONDS, process.kill)
    guard.daemon = True
    guard.start()
    try:
        process.stdin.write(encode(request))
        process.stdin.flush()
        return decode_answer(process.stdout.readline())
    finally:
        guard.cancel()


def _end(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        with contextlib.suppress(OSError):  # of a request that was not read to its end
            if stream is not None:
                stream.close()


_programs: "weakref.WeakValueDictionary[tuple[object, ...], BuildProgram]" = weakref.WeakValueDictionary()


def program_of(command: Sequence[str], root: Path) -> BuildProgram:
    """The program of a harness, shared by all that build in this process with the same environment."""
    key = (tuple(command), root, tuple(sorted(os.environ.items())))
    found = _programs.get(key)
    if found is None:
        found = _programs[key] = BuildProgram(command, root)
    return found
