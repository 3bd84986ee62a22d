"""The build program of a harness: started once, asked many times."""

import os
import sys
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path

import msgspec

import serbench
from serbench.build.contract import Answer, Request, decode_answer, encode
from serbench.build.records import BuildFailed
from serbench.provision.process import environment
from serbench.worker.conversation import Conversation, WorkerFailure

SECONDS = 600.0
"""The longest that an answer may take: a program plans, and builds nothing, but it asks compilers."""
PYTHON = "python"
"""As the first word of a command: the Python that runs serbench, with serbench to be imported."""


class BuildProgram:
    """A build program, which is started when it is first asked. Threads may share it."""

    def __init__(self, command: Sequence[str], root: Path) -> None:
        """Take the `command` of harness.toml, which is started in the project's folder `root`."""
        self._command = [sys.executable if word == PYTHON else word for word in command[:1]] + [*command[1:]]
        self._root = root
        self._lock = threading.Lock()
        self._running: Conversation | None = None

    def ask(self, request: Request) -> Answer:
        """The answer to `request`. Raises BuildFailed for a refusal, and if the program fails."""
        with self._lock:
            # Killed since its last answer, for example with the process that starts all others.
            if self._running is not None and self._running.has_ended:
                self._stop()
            try:
                self._running = self._running or self._start()
                answer = decode_answer(self._running.exchange(encode(request), SECONDS))
            except (WorkerFailure, ValueError, msgspec.MsgspecError) as error:
                said = self._stop()
                reason = said.splitlines()[-1] if said else str(error)
                raise BuildFailed(f"the build program {self._command[-1]} failed: {reason}", said) from error
            except BaseException:  # Ctrl-C: an answer that nobody has read would be that to another request.
                self._stop()
                raise
        if answer.error:
            raise BuildFailed(
                answer.error, answer.output, unavailable=answer.unavailable, unsupported=answer.unsupported
            )
        return answer

    def _start(self) -> Conversation:
        source = Path(serbench.__file__).parents[1]
        places = [str(self._root), str(source), os.environ.get("PYTHONPATH", "")]
        path = os.pathsep.join(each for each in places if each)
        started = Conversation(self._command, environment({"PYTHONPATH": path}), cwd=self._root)
        weakref.finalize(self, started.close)
        return started

    def _stop(self) -> str:
        """End the program, so that the next request starts it again; the last of its standard error."""
        stopped, self._running = self._running, None
        if stopped is None:
            return ""
        stopped.close()
        return stopped.noise


_programs: "weakref.WeakValueDictionary[tuple[object, ...], BuildProgram]" = weakref.WeakValueDictionary()


def program_of(command: Sequence[str], root: Path) -> BuildProgram:
    """The program of a harness, shared by all that build in this process with the same environment."""
    key = (tuple(command), root, tuple(sorted(os.environ.items())))
    found = _programs.get(key)
    if found is None:
        found = _programs[key] = BuildProgram(command, root)
    return found
