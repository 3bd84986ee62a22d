"""Starting the benchmark on a real board and listening to it, whatever the line does to it."""

import time
from collections.abc import Callable, Iterable
from typing import Protocol

from serbench.errors import UserError
from serbench.kinds.board.line import PROTOCOL, Begin, End, Lines, Ready, RowLine, parse_line

KEY = b"s"
MOST_PASSES = 3
"""How often the benchmark is started until every row has arrived whole."""
MOST_KEYS = 20
"""Keys to which a board that says it is ready may fail to answer."""
PATIENCE = 3.0
"""Seconds without a sign of life after which a key is pressed all the same."""
OTHER = "another board or another firmware answered"


class Port(Protocol):
    """A serial line, as pyserial has it; read returns after a short time, with nothing if need be."""

    def read(self, size: int = 1, /) -> bytes:
        """What has arrived, `size` bytes at most."""
        ...

    def write(self, data: bytes, /) -> int | None:
        """Send `data`."""
        ...


class Collector:
    """One conversation with a board."""

    def __init__(
        self,
        port: Port,
        timeout: float,
        keep: Callable[[Begin, RowLine], None],
        note: Callable[[str], None],
        known: Iterable[int] = (),
    ) -> None:
        """Silence of `timeout` seconds ends it.

        `keep` gets each row as it arrives, in another attempt once more; `note` gets a sentence for whatever
        goes wrong. The rows with the numbers `known` arrived in an earlier conversation.
        """
        self.port, self.timeout, self.keep, self.note = port, timeout, keep, note
        self._lines = Lines()
        self._begin: Begin | None = None
        self._rows = set(known)
        self._passes = self._keys = self._damaged = 0
        self._running = False

    def collect(self) -> bool:
        """Start the benchmark, and again where rows are missing; return whether all have arrived.

        Raises UserError if no row arrives.
        """
        try:
            self._converse()
        except OSError as error:
            lost = f"line to the board was lost: {error}"
            if not self._rows:
                raise UserError(f"the {lost}") from error
            self.note(f"The {lost}.")
        finally:
            if self._begin is not None and not self._whole():
                missing = f"{self._begin.rows - len(self._rows)} of {self._begin.rows} rows"
                self.note(f"{missing} had not arrived complete when the collection ended.")
        if not self._rows:
            raise UserError(f"no row arrived complete in {self._passes} attempts: check --baud")
        return self._whole()

    def _converse(self) -> None:
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
                    return
                if isinstance(said, Ready) and not self._running:
                    if not self._press():
                        return
                    pressed = now
            if now - heard > self.timeout:
                self._silent()
                return
            if not self._running and now - max(heard, pressed) > PATIENCE:
                if not self._press():
                    return
                pressed = now

    def _press(self) -> bool:
        """Start the benchmark; False if MOST_KEYS keys did not start it, and there are rows to be kept."""
        self._keys += 1
        if self._keys > MOST_KEYS:
            said = f"{MOST_KEYS} key presses did not start the benchmark"
            if not self._rows:
                raise UserError(f"the board says that it is ready, but {said}")
            self.note(f"The board said once more that it is ready, but {said}.")
            return False
        self.port.write(KEY)
        return True

    def _take(self, said: Ready | Begin | RowLine | End) -> bool:
        """Whether `said` was the last that is needed."""
        if isinstance(said, Ready):
            if said.protocol != PROTOCOL:
                raise UserError(
                    f"the board speaks version {said.protocol} of the protocol, and this is version "
                    f"{PROTOCOL}: make its firmware again (./serbench board)"
                )
            if self._running:
                if not self._whole():
                    self.note("The board restarted before the end of the benchmark.")
                return self._end_pass()
        elif isinstance(said, Begin):
            if said != (self._begin or said) or said.rows <= max(self._rows, default=-1):
                raise UserError(OTHER)
            if self._running:
                self.note("The board restarted the benchmark before its end.")
                if self._end_pass():
                    return True
            self._begin, self._running, self._keys, self._damaged = said, True, 0, 0
            self._passes += 1
        elif isinstance(said, RowLine):
            if self._begin is not None and said.number < self._begin.rows:
                self.keep(self._begin, said)
                self._rows.add(said.number)
        elif self._running:
            if self._damaged:
                self.note(f"Damaged lines in one attempt: {self._damaged}.")
            return self._end_pass()
        return False

    def _end_pass(self) -> bool:
        """End the benchmark; return whether nothing more can arrive."""
        self._running = False
        return self._whole() or self._passes >= MOST_PASSES

    def _whole(self) -> bool:
        return self._begin is not None and len(self._rows) == self._begin.rows

    def _silent(self) -> None:
        if self._begin is None:
            raise UserError(
                f"no board answered within {self.timeout:g} s: is the firmware on it (./serbench board), "
                "and is this its port?"
            )
        if not self._rows:
            raise UserError(f"the board started, and then sent nothing for {self.timeout:g} s")
        self.note(f"The board sent nothing for {self.timeout:g} s.")
