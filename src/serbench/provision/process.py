"""Running another program: never through a shell, always with a time limit, and never an exception."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

# The variables of an environment that would change a build without being part of its key.
_HIDDEN = ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "DESTDIR", "CMAKE_GENERATOR")
REST_SECONDS = 5.0
"""How long a killed program's pipes may stay open."""
_running: set["subprocess.Popen[str]"] = set()


class Finished(msgspec.Struct, frozen=True):
    """How a program ended: its exit status, standard output, and standard error."""

    status: int
    """127 when there is no such program, 124 after the time limit, negative for a signal."""
    output: str
    errors: str

    @property
    def ok(self) -> bool:
        """Whether it ended well."""
        return self.status == 0

    def tail(self, lines: int = 20) -> str:
        """The last lines that it printed, standard error last."""
        return "\n".join((self.output + "\n" + self.errors).strip().splitlines()[-lines:])


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of our child processes: messages in English, no options for compilers and git."""
    kept = {n: value for n, value in os.environ.items() if n not in _HIDDEN and not n.startswith("GIT_")}
    return {**kept, "LC_ALL": "C", **(extra or {})}


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    timeout: float = 60,
    extra: Mapping[str, str] | None = None,
) -> Finished:
    """Run `command` in `cwd` with `extra` environment variables and return how it ended.

    After `timeout` seconds the program is killed together with what it started.
    """
    words = [str(word) for word in command]
    try:
        child = subprocess.Popen(
            words,
            cwd=cwd,
            env=environment(extra),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        return Finished(127, "", f"{words[0]}: {getattr(error, 'strerror', error)}")
    _running.add(child)
    try:
        output, errors = child.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        _kill(child)
        output, errors = _rest(child)
        return Finished(124, output, f"{errors}\n{words[0]}: stopped after {timeout:g} s")
    except BaseException:  # Ctrl-C must not leave a compiler behind.
        _kill(child)
        child.wait()
        raise
    finally:
        _running.discard(child)
    return Finished(child.returncode, output, errors)


def first_line(command: Sequence[str | Path]) -> str:
    """The first line that `command` prints to standard output; empty if there is no such program."""
    return run(command).output.partition("\n")[0]


def stop_all() -> None:
    """Stop the programs that other threads are waiting for, which Ctrl-C does not reach."""
    for child in list(_running):
        _kill(child)


def _rest(child: "subprocess.Popen[str]") -> tuple[str, str]:
    """What a killed program printed; nothing if a process that left its session holds the pipes open."""
    try:
        return child.communicate(timeout=REST_SECONDS)
    except subprocess.TimeoutExpired:
        for pipe in (child.stdout, child.stderr):
            if pipe is not None:
                pipe.close()
        child.wait()
        return "", ""


def _kill(child: "subprocess.Popen[str]") -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        child.kill()
