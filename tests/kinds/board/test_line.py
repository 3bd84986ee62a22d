"""What arrives over a serial line counts only if it is whole; nothing that it says is trusted."""

import binascii
import json
from collections.abc import Iterable

import pytest

from serbench.catalog.load import load_catalog
from serbench.errors import UserError
from serbench.kinds.board import collector
from serbench.kinds.board.collector import Collector, Port
from serbench.kinds.board.line import LONGEST, Begin, Lines, Ready, RowLine, parse_line
from serbench.kinds.board.step import row_of_board
from serbench.project import ROOT
from tests.platforms import document_of

DOCUMENT = document_of([0.5, 7], json=b"[0.5,7]")
FIGURES = {"first": 12, "total": 1000, "memory": 64}
ROW = {
    **{"kind": "row", "number": 0, "library": "cjson", "format": "json", "document": "d", "version": "1"},
    **{"repeats": 100, "read": FIGURES, "write": FIGURES, "output": b"[0.5,7]".hex(), "failed": ""},
    **{"exact": DOCUMENT.hashes[1], "content": DOCUMENT.hashes[0], "numbers": [0x3F000000, 0x40E00000]},
}
BEGIN = {"kind": "begin", "board": "esp32", "core": "c", "compiler": "gcc", "rows": 1}
TWO = {**BEGIN, "rows": 2}
READY = {"kind": "ready", "protocol": 1}
END = {"kind": "end"}


def line(said: object, wrong: int = 0) -> bytes:
    text = json.dumps(said).encode()
    return text + b"*%04x" % (binascii.crc_hqx(text, 0) ^ wrong)


def test_a_whole_line_is_read():
    assert isinstance(parse_line(line(ROW)), RowLine)
    assert parse_line(b"rubbish" + line(READY) + b"\r") == Ready(protocol=1)
    assert parse_line(b'{"kind":"row","read":{"first":' + line(READY)) == Ready(protocol=1)
    assert parse_line(line(BEGIN)) == Begin(board="esp32", core="c", compiler="gcc", rows=1)


@pytest.mark.parametrize(
    "bad",
    [
        *(
            b"",
            b"*0000",
            b"{}*0000",
            b"ets Jun  8 2016 00:22:57",
            b"\xff\xfe\x00",
            line(ROW, wrong=1),
            line(ROW)[:-1],
        ),
        *(
            line(said)
            for said in ([], "x", {"kind": "other"}, {**READY, "protocol": -1}, {**READY, "protocol": "1"})
        ),
        *(line({**ROW, name: bad}) for name, bad in (("number", 1000), ("repeats", 0), ("exact", "0"))),
        *(
            line({**ROW, name: bad})
            for name, bad in (("output", "0"), ("output", "zz"), ("numbers", [2**32]))
        ),
        *(line({**ROW, name: bad}) for name, bad in (("version", "v" * 201), ("read", {"first": 1}))),
        *(line({**BEGIN, "rows": rows}) for rows in (0, 1001)),
        b"[" * 5000 + b"*0000",
    ],
)
def test_anything_else_is_noise(bad):
    assert parse_line(bad) is None


def test_lines_are_cut_and_endless_ones_take_no_memory():
    lines = Lines()
    assert list(lines.feed(b"a\nb")) == [b"a"]
    assert list(lines.feed(b"c\n")) == [b"bc"]
    for _ in range(4):
        assert list(lines.feed(b"x" * LONGEST)) == []
    assert len(lines._rest) <= LONGEST
    assert list(lines.feed(b"still the same\nnext\n")) == [b"next"]


class Script:
    """A port at which each key press is answered by the next of `answers`."""

    def __init__(self, *answers: bytes) -> None:
        self.answers = list(answers)
        self.waiting = line(READY) + b"\n"

    def read(self, size: int = 1, /) -> bytes:
        said, self.waiting = self.waiting[:size], self.waiting[size:]
        return said

    def write(self, data: bytes, /) -> int:
        self.waiting += self.answers.pop(0) if self.answers else b""
        return len(data)


def lines(*said: object) -> bytes:
    return b"".join(line(one) + b"\n" for one in said)


class Conversation:
    """What has been taken of a board's words, even if the conversation ended with an error."""

    def __init__(self, port: Port, timeout: float, known: Iterable[int] = ()) -> None:
        self.rows: dict[int, RowLine] = {}
        self.notes: list[str] = []
        self.complete = False
        self._collector = Collector(port, timeout, self._keep, self.notes.append, known)

    def _keep(self, _begin: Begin, row: RowLine) -> None:
        self.rows[row.number] = row

    def hold(self) -> "Conversation":
        self.complete = self._collector.collect()
        return self


def collected(*answers: bytes, timeout: float = 0.2, known: Iterable[int] = ()) -> Conversation:
    return Conversation(Script(*answers), timeout, known).hold()


def test_one_pass_is_enough_when_all_arrives():
    found = collected(lines(BEGIN, ROW, END))
    assert found.complete and found.notes == [] and list(found.rows) == [0]


def test_what_is_missing_is_asked_for_again():
    damaged = line(ROW, wrong=5) + b"\n"
    found = collected(lines(BEGIN) + damaged + lines(END, READY), lines(BEGIN, ROW, END))
    assert found.complete and found.notes == ["Damaged lines in one attempt: 1."]


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ((), "no board answered"),
        ((lines(BEGIN),), "sent nothing"),
        ((lines(BEGIN, END, READY),) * 3, "no row arrived complete in 3 attempts"),
        ((lines(READY),) * 30, "20 key presses did not start the benchmark"),
        ((lines({**READY, "protocol": 2}),), "version 2 of the protocol"),
        ((lines(BEGIN, END, READY), lines({**BEGIN, "board": "other"})), "another board"),
    ],
)
def test_what_comes_to_nothing_is_one_sentence(answers, reason):
    with pytest.raises(UserError, match=reason):
        collected(*answers)


def test_rows_that_are_known_count_as_arrived():
    found = collected(lines(TWO, ROW, END), known=[1])
    assert found.complete and list(found.rows) == [0]
    found = collected(lines(TWO), known=[1])
    assert not found.complete and found.rows == {} and "sent nothing" in found.notes[0]
    with pytest.raises(UserError, match="another firmware"):
        collected(lines(BEGIN, ROW, END), known=[1])


class Broken(Script):
    """A port that, when all has been said, fails with `error`."""

    def __init__(self, error: BaseException, *answers: bytes) -> None:
        super().__init__(*answers)
        self.error = error

    def read(self, size: int = 1, /) -> bytes:
        if not self.waiting:
            raise self.error
        return super().read(size)


MISSING = "1 of 2 rows had not arrived complete when the collection ended."


def test_an_interruption_costs_no_row():
    found = Conversation(Broken(KeyboardInterrupt(), lines(TWO, ROW)), 100)
    with pytest.raises(KeyboardInterrupt):
        found.hold()
    assert list(found.rows) == [0] and found.notes == [MISSING]


def test_a_lost_line_costs_no_row():
    gone = OSError(5, "gone")
    found = Conversation(Broken(gone, lines(TWO, ROW)), 100).hold()
    assert list(found.rows) == [0] and not found.complete
    assert found.notes == ["The line to the board was lost: [Errno 5] gone.", MISSING]
    with pytest.raises(UserError, match="line to the board was lost"):
        Conversation(Broken(gone, lines(TWO)), 100).hold()


def test_rows_beyond_those_announced_do_not_count(monkeypatch):
    monkeypatch.setattr(collector, "PATIENCE", 100)
    found = collected(lines(BEGIN, {**ROW, "number": 1}, ROW, END))
    assert list(found.rows) == [0]


@pytest.mark.parametrize(
    ("changes", "status", "reason"),
    [
        ({}, "ok", ""),
        ({"document": "e"}, "failed", "no document of this name"),
        ({"library": "../x"}, "failed", "no such firmware contender"),
        ({"format": "cbor"}, "failed", "no such firmware contender"),
        ({"failed": "read-first"}, "failed", "could not decode"),
        ({"content": "00000000"}, "failed", "decoded wrong values"),
        ({"output": b"[0.5,8]".hex()}, "failed", "encoded wrong values"),
    ],
)
def test_a_row_counts_only_once_the_gate_has_passed_it(changes, status, reason):
    found = collected(lines(BEGIN, {**ROW, **changes}, END))
    catalog = load_catalog(ROOT, place="microcontroller")
    row = row_of_board(catalog, "esp32", found.rows[0], [DOCUMENT])
    assert row.status == status and reason in row.reason
    figures = [row.metrics.get(name) for name in ("deserialize", "deserialize_first")]
    assert figures == ([10, 12] if status == "ok" else [None, None])
