"""Running another program: never through a shell, always with a time limit, and never an exception."""

import contextlib
import functools
import os
import selectors
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar, TypeVarTuple

import msgspec

from serbench.worker.child import Child
from serbench.worker.patience import Patience

# The variables of an environment that would change a build without being part of its key.
_HIDDEN = ("CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "DESTDIR", "CMAKE_GENERATOR")
_running: set[Child] = set()
_Words = TypeVarTuple("_Words")
_Found = TypeVar("_Found")


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

    @property
    def said(self) -> str:
        """All that it printed, standard error last."""
        return f"{self.output}\n{self.errors}".strip()

    def tail(self, lines: int = 20) -> str:
        """The last lines of that."""
        return "\n".join(self.said.splitlines()[-lines:])


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of our child processes: messages in English, no options for compilers and git."""
    kept = {n: value for n, value in os.environ.items() if n not in _HIDDEN and not n.startswith("GIT_")}
    return {**kept, "LC_ALL": "C", **(extra or {})}


def once(function: Callable[[*_Words], _Found]) -> Callable[[*_Words], _Found]:
    """`function`, called once with the same arguments in the same environment, whose PATH names programs."""

    @functools.cache
    def remembered(_environment: Hashable, *words: *_Words) -> _Found:
        return function(*words)

    @functools.wraps(function)
    def found(*words: *_Words) -> _Found:
        return remembered(tuple(sorted(os.environ.items())), *words)

    return found


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path | None = None,
    timeout: float = 60,
    extra: Mapping[str, str] | None = None,
) -> Finished:
    """Run `command` in `cwd` with `extra` environment variables and return how it ended.

    What it has started ends with it: after `timeout` seconds, too, and when serbench ends, however that ends.
    """
    words = [str(word) for word in command]
    try:
        child = Child(words, environment(extra), cwd=cwd)
    except OSError as error:
        return Finished(127, "", f"{words[0]}: {error.strerror or error}")
    said = {child.stdout: bytearray(), child.stderr: bytearray()}
    with contextlib.closing(child):
        child.close_input()
        _running.add(child)
        try:
            _listen(child, said, timeout)
        finally:  # Ctrl-C must not leave a compiler behind.
            _running.discard(child)
            by_itself, ended = child.end(0)
        for stream, text in said.items():
            with contextlib.suppress(BlockingIOError):  # of another user's process that holds it open
                while chunk := os.read(stream, 1 << 16):
                    text += chunk
    output, errors = (text.decode("utf-8", "replace") for text in said.values())
    if not by_itself:
        return Finished(124, output, f"{errors}\n{words[0]}: stopped after {timeout:g} s")
    return Finished(os.waitstatus_to_exitcode(ended.status), output, errors)


def _listen(child: Child, said: Mapping[int, bytearray], timeout: float) -> None:
    """Keep what `child` writes until it has ended, or for `timeout` seconds."""
    patience = Patience(child.pid, timeout)
    with selectors.DefaultSelector() as selector:
        for descriptor in (*said, child.ending):
            selector.register(descriptor, selectors.EVENT_READ)
        while (left := patience.left()) > 0:
            ready = {key.fd for key, _ in selector.select(left)}
            if ready == {child.ending}:
                return
            for descriptor in ready - {child.ending}:
                chunk = os.read(descriptor, 1 << 16)
                said[descriptor].extend(chunk)
                if not chunk:
                    selector.unregister(descriptor)


def first_line(command: Sequence[str | Path]) -> str:
    """The first line that `command` prints to standard output; empty if there is no such program."""
    return run(command).output.partition("\n")[0]


def stop_all() -> None:
    """Stop the programs that other threads are waiting for, which Ctrl-C does not reach."""
    for child in list(_running):
        child.kill()
