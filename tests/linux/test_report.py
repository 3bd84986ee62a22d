"""Counted rows in tables: sorted by what the profile is about, net of the baseline, and never as times."""

import re

import msgspec
import pytest

from serbench.errors import UserError
from serbench.report.render import render
from tests.linux.runs import PLATFORM, counted_run


@pytest.mark.parametrize(("profile", "order"), [("size", ["Small", "Large"]), ("speed", ["Large", "Small"])])
@pytest.mark.parametrize("width", [80, 200])
def test_a_table(profile, order, width):
    found = render([counted_run(profile)], "table", width)
    assert max(map(len, found.splitlines())) <= width
    lines = [line for line in found.splitlines() if " JSON " in line and "[" not in line]
    assert [line.split()[0] for line in lines] == order
    small = next(line for line in lines if "Small" in line)
    assert "4,000" in small and "5,000" in small and "2,000" in small
    assert re.search(r" 1$" if width == 80 else r"  borrows strings from its input$", small)
    assert found.count("all have it") == 1 and "no times" in found
    assert "Gone [JSON]: unavailable: is built for this machine only" in found
    assert "Wrong [JSON] (tree, generated:2): failed: wrong content_hash" in found
    assert "few samples" not in found and "µs" not in found


def test_formats_for_times_are_refused():
    with pytest.raises(UserError, match="these are counts"):
        render([counted_run()], "bencher")


def test_a_run_of_a_real_board_is_not_repeated_here(command, tmp_path):
    run = counted_run()
    run.rows = []
    run.platforms = [msgspec.structs.replace(PLATFORM, name="Nano 33 IoT", unit="microseconds", kind="board")]
    (tmp_path / "board.json").write_bytes(msgspec.json.encode(run))
    done = command("repeat", tmp_path / "board.json")
    assert done.returncode == 2 and "start ./serbench collect again" in " ".join(done.stderr.split())
