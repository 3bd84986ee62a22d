"""Starting the benchmark on a real board and listening to it, whatever the line does to it."""

import time
from collections.abc import Callable
from typing import Protocol

import msgspec

from serbench.errors import UserError
from serbench.platforms.firmware.line import PROTOCOL, Begin, End, Lines, Ready, Row, parse_line

KEY = b"s"
MOST_PASSES = 3
"""How often the benchmark is started until every row has arrived whole."""
MOST_KEYS = 20
"""Keys to which a board that says it is ready may fail to answer."""
PATIENCE = 3.0
"""Seconds without a sign of life after which a key is pressed all the same."""


class Port(Protocol):
    """A serial line, as pyserial has it; read returns after a short time, with nothing if need be."""

    def read(self, size: int = 1, /) -> bytes:
        """What has arrived, `size` bytes at most."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Send `data`."""
        ...


class Collected(msgspec.Struct, kw_only=True):
    """What a board said."""

    begin: Begin
    rows: dict[int, Row]
    notes: list[str]
    """What went wrong on the way, in sentences."""
    complete: bool
    interrupted: bool = False
    """Whether somebody ended it (Ctrl-C) before the board had said its end."""


class Collector:
    """One conversation with a board."""

    def __init__(self, port: Port, timeout: float, say: Callable[[str], None]) -> None:
        """Silence of `timeout` seconds ends it; `say` is told what happens."""
        self.port, self.timeout, self.say = port, timeout, say
        self._lines = Lines()
        self._begin: Begin | None = None
        self._rows: dict[int, Row] = {}
        self._notes: list[str] = []
        self._passes = self._keys = self._damaged = 0
        self._running = False

    def collect(self) -> Collected:
        """Start the benchmark, and again where rows are missing. Raises UserError if nothing comes of it.

        What ends it before, an interruption (KeyboardInterrupt) or a line that is no more (OSError), costs no
        row that has arrived; without one it is raised.
        """
        try:
            return self._converse()
        except KeyboardInterrupt:
            if not self._rows:
                raise
            self._notes.append("The collection was interrupted.")
            return self._result(interrupted=True)
        except OSError as error:
            if not self._rows:
                raise
            self._notes.append(f"The line to the board was lost: {error}.")
            return self._result()

    def _converse(self) -> Collected:
        heard = pressed = time.monotonic()
        while True:
            got = self.port.read(4096)
            now = time.monotonic()
            for line in self._lines.feed(got):
                said = parse_line(line)
                if said is None:
                    # A reset chip's own greeting and a debugger's chatter are no loss; half a row is.
                    self._damaged += self._running and bool(line.strip())
                    continue
                heard = now
                if self._take(said):
                    return self._result()
                if isinstance(said, Ready) and not self._running:
                    if not self._press():
                        return self._result()
                    pressed = now
            if now - heard > self.timeout:
                return self._silent()
            if not self._running and now - max(heard, pressed) > PATIENCE:
                if not self._press():
                    return self._result()
                pressed = now

    def _press(self) -> bool:
        """Start the benchmark; False if so many keys did not, and there are rows to be kept."""
        self._keys += 1
        if self._keys > MOST_KEYS:
            said = f"{MOST_KEYS} key presses did not start the benchmark"
            if not self._rows:
                raise UserError(f"the board says that it is ready, but {said}")
            self._notes.append(f"The board said once more that it is ready, but {said}.")
            return False
        self.port.write(KEY)
        return True

    def _take(self, said: Ready | Begin | Row | End) -> bool:
        """Whether `said` was the last that is needed."""
        if isinstance(said, Ready):
            if said.protocol != PROTOCOL:
                raise UserError(
                    f"the board speaks version {said.protocol} of the protocol, and this is version "
                    f"{PROTOCOL}: make its firmware again (./serbench board)"
                )
            if self._running:
                if not self._whole():
                    self._notes.append("The board restarted before the end of the benchmark.")
                return self._end_pass()
        elif isinstance(said, Begin):
            if self._begin is not None and said != self._begin:
                raise UserError("another board or another firmware answered")
            if self._running:
                self._notes.append("The board restarted the benchmark before its end.")
                if self._end_pass():
                    return True
            self._begin, self._running, self._keys, self._damaged = said, True, 0, 0
            self._passes += 1
            self.say(f"{said.board}: {said.rows} rows")
        elif isinstance(said, Row):
            if self._begin is not None and said.number < self._begin.rows:
                if said.number not in self._rows:
                    self.say(f"{len(self._rows) + 1} of {self._begin.rows}")
                self._rows.setdefault(said.number, said)
        elif self._running:
            if self._damaged:
                self._notes.append(f"Damaged lines in one attempt: {self._damaged}.")
            return self._end_pass()
        return False

    def _end_pass(self) -> bool:
        """End the benchmark; return whether nothing more can arrive."""
        self._running = False
        return self._whole() or self._passes >= MOST_PASSES

    def _whole(self) -> bool:
        return self._begin is not None and len(self._rows) == self._begin.rows

    def _silent(self) -> Collected:
        if self._begin is None:
            raise UserError(
                f"no board answered within {self.timeout:g} s: is the firmware on it (./serbench board), "
                "and is this its port?"
            )
        if not self._rows:
            raise UserError(f"the board started, and then sent nothing for {self.timeout:g} s")
        self._notes.append(f"The board sent nothing for {self.timeout:g} s.")
        return self._result()

    def _result(self, *, interrupted: bool = False) -> Collected:
        assert self._begin is not None
        if not self._rows:
            raise UserError(f"no row arrived complete in {self._passes} attempts: check --baud")
        missing = self._begin.rows - len(self._rows)
        if missing:
            self._notes.append(f"{missing} of {self._begin.rows} rows never arrived complete.")
        return Collected(
            begin=self._begin,
            rows=self._rows,
            notes=list(dict.fromkeys(self._notes)),
            complete=not missing and not interrupted,
            interrupted=interrupted,
        )
