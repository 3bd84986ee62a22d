"""What `verify` prints: one line a row in 80 columns, and each reason once below the table."""

import io
from types import SimpleNamespace

import pytest
from rich.cells import cell_len
from rich.console import Console

from serbench.commands.show import verdicts
from serbench.worker.records import Losses
from tests.results.builder import row

LONG = "javascript/fast-json-stringify-struct:serialize:a-variant"
NEEDS = "needs Node.js: ./serbench setup javascript"


def printed(records, width):
    """What is printed for the records of one dataset, and whether a row failed."""
    ready = SimpleNamespace(row=SimpleNamespace(kind=SimpleNamespace(writes=True)))
    facts = SimpleNamespace(content_hash="1a9c6681", exact_hash="2b9c6682")
    dataset = SimpleNamespace(name="my.json", facts=facts)
    proven = [SimpleNamespace(dataset=dataset, rows=[(record, ready, None) for record in records])]
    out = io.StringIO()
    failed = verdicts(Console(file=out, width=width, color_system=None, force_terminal=False), proven)
    return [line.rstrip() for line in out.getvalue().splitlines()], failed


def records():
    """Forty rows of every kind."""
    made = [row(n, f"library {n}", "write", verified_by="Another") for n in range(20)]
    made += [row(30 + n, f"absent {n}", status="unavailable", reason=NEEDS, bytes=None) for n in range(18)]
    for n in (1, 4):
        made[n].losses = Losses(integers=7)
    made.append(row(60, "broken", status="failed", reason="it writes other bytes each time", bytes=123_456))
    made.append(row(61, "long", verified_by="A library whose name is long, too", bytes=123_456_789))
    made[-1].row = LONG
    return made


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_row_is_a_line_and_a_reason_stands_once(width):
    lines, failed = printed(records(), width)
    assert failed and max(map(cell_len, lines)) <= width
    why = lines.index("Why")
    assert sum(line[:2] in ("✓ ", "– ", "✗ ") for line in lines[:why]) == len(records())
    assert width < 80 or why == 2 + len(records()), "a title, a head, and a line a row"
    said = " ".join(" ".join(lines[why:]).split())
    assert said.count("changes 7 integers beyond 2^53 (c/library-1:write, c/library-4:write)") == 1
    assert f"unavailable: {NEEDS} (c/absent-0:tree, c/absent-1:tree, c/absent-2:tree and 15 more)" in said
    assert "3 it writes other bytes each time (c/broken:tree)" in said


def test_the_numbers_of_the_reasons_stand_on_their_rows():
    lines, _ = printed(records(), 80)
    ends = {line.split()[1]: line.split()[-1] for line in lines if line[:1] in "✓–✗" and line}
    assert ends["c/library-1:write"] == ends["c/library-4:write"] == "1"
    assert ends["c/absent-17:tree"] == "2" and ends["c/broken:tree"] == "3"
    assert ends["c/library-2:write"] == "Another"


def test_without_reasons_there_is_no_list():
    lines, failed = printed([row(1, "MPack", "write", verified_by="msgpack-c")], 80)
    assert not failed and "Why" not in lines and lines[-1].split()[-1] == "msgpack-c"
