"""The build program of a harness: started once, asked many times."""

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
                assert process.stdin is not None and process.stdout is not None
                process.stdin.write(encode(request))
                process.stdin.flush()
                answer = decode_answer(process.stdout.readline())
            except (OSError, msgspec.MsgspecError) as error:
                said = self._last_words()
                self._stop()
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

    def _last_words(self) -> str:
        if self._process is None or self._errors is None:
            return ""
        self._process.kill()
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace").strip()[-4000:]

    def _stop(self) -> None:
        if self._process is not None and self._errors is not None:
            _end(self._process, self._errors)
        self._process = None


def _end(process: "subprocess.Popen[bytes]", errors: IO[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, errors):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # a request that was not read to its end
                continue


_programs: "weakref.WeakValueDictionary[tuple[object, ...], BuildProgram]" = weakref.WeakValueDictionary()


def program_of(command: Sequence[str], root: Path) -> BuildProgram:
    """The program of a harness, shared by all that build in this process with the same environment."""
    key = (tuple(command), root, tuple(sorted(os.environ.items())))
    found = _programs.get(key)
    if found is None:
        found = _programs[key] = BuildProgram(command, root)
    return found
