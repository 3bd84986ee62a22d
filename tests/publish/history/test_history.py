"""The history of run files whose changes are chosen: what is proved, what is kept, what never meets."""

import csv
import io
import sqlite3
from pathlib import Path

import msgspec
import pytest
import zstandard

from serbench.errors import UserError
from serbench.measure.records import Comparing
from serbench.publish.history import store
from serbench.publish.history.plots import charts, spec_of
from serbench.publish.history.report import COLUMNS, history_csv, history_document
from serbench.publish.history.timeline import changes, history_of
from serbench.report.page.library import svg
from serbench.report.terminal import terminal_text
from serbench.results import load
from serbench.results.load import read_run
from serbench.results.schema import Run
from tests.page.runs import ATTACK, hostile_run, written
from tests.publish.history.runs import small_run, write


def told(folder: Path, kept: Path) -> list[tuple[str, str, str | None]]:
    """Library, day of the month and verdict of each change, the newest first."""
    (timeline,) = history_of(folder, kept).timelines
    return [(c.series.contender, c.run.day[-2:], c.point.event) for c in changes(timeline)]


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The file of the store."""
    return tmp_path / "cache" / "history.sqlite3"


def test_changes_that_are_proved_are_told_once(tmp_path: Path, kept: Path):
    runs = [small_run(0), small_run(1), small_run(2, MPack=1.3), small_run(3, MPack=1.3)]
    folder = write(tmp_path / "runs", *runs, small_run(4, MPack=0.8, YAJL=1.01))
    assert told(folder, kept) == [("MPack", "06", "faster"), ("MPack", "04", "slower")]
    verdicts = {
        (row["contender"], row["date"][:10]): (row["verdict"], row["library_version"])
        for row in csv.DictReader(io.StringIO(history_csv(history_of(folder, kept))))
    }
    assert verdicts["MPack", "2026-01-02"] == ("", "1.2")
    assert verdicts["MPack", "2026-01-05"] == ("same program", "1.3-1.3")
    assert verdicts["YAJL", "2026-01-06"] == ("no difference", "1.3-1.01")
    assert history_csv(history_of(folder, kept)).startswith(",".join(COLUMNS) + "\n")


def test_a_run_that_cannot_be_compared_hides_no_change(tmp_path: Path, kept: Path):
    """In the third run everything is slower, controls too: the next ones are compared with the second."""
    runs = [small_run(number, MPack=1.3 if number > 1 else 1.0) for number in range(5)]
    assert runs[2].summary is not None
    for result in runs[2].summary.rows:
        result.launch_ns = [(launch, 1.2 * ns) for launch, ns in result.launch_ns]
    (timeline,) = history_of(write(tmp_path / "runs", *runs), kept).timelines
    (change,) = changes(timeline)
    assert (change.run.day, change.old.day, change.point.event) == ("2026-01-05", "2026-01-03", "slower")
    points = next(line.points for line in timeline.lines if line.series.contender == "MPack")
    assert points[2].judgement is not None and "times as long" in points[2].judgement.reason
    assert [point.open for point in points] == [False, False, True, False, False]


def test_a_row_that_stops_working_is_told_once(tmp_path: Path, kept: Path):
    runs = [small_run(number) for number in range(4)]
    for run in runs[2:]:
        run.rows[1].status, run.rows[1].reason, run.summary = "failed", "it crashed", None
        run.samples = [sample for sample in run.samples if sample.row != 1]
    assert told(write(tmp_path / "runs", *runs), kept) == [("MPack", "04", "no figures")]


def test_machines_and_changed_data_never_meet(tmp_path: Path, kept: Path):
    runs = [small_run(number, MPack=1 + number % 2) for number in range(4)]
    for run in runs[2:]:
        run.machine = msgspec.structs.replace(run.machine, cpu="Another CPU")
    runs[3].datasets[0].tape_sha256 = "cd" * 32
    found = history_of(write(tmp_path / "runs", *runs), kept)
    assert [timeline.machine.cpu for timeline in found.timelines] == ["Another CPU", "Example CPU 3000"]
    assert [len(changes(timeline)) for timeline in found.timelines] == [0, 1]
    assert [len(line.points) for line in found.timelines[0].lines] == [1, 1, 1, 1]


def test_a_file_is_read_once_and_the_store_can_be_lost(
    tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = write(tmp_path / "runs", small_run(0), small_run(1, MPack=1.3))
    first = history_of(folder, kept)
    monkeypatch.setattr(store, "read_run", lambda *_: pytest.fail("a file was read again"))
    assert history_of(folder, kept) == first
    monkeypatch.undo()
    kept.write_bytes(b"SQLite format 3\x00" + bytes(5000))
    assert history_of(folder, kept) == first
    with sqlite3.connect(kept) as connection:
        connection.execute("UPDATE timelines SET timelines = x'93'")
    assert history_of(folder, kept) == first
    with sqlite3.connect(kept) as connection:
        connection.execute("PRAGMA user_version = 7")
    assert history_of(folder, kept) == first
    assert history_of(folder, tmp_path / "runs" / "000.json" / "store") == first
    (folder / "001.json").write_bytes(msgspec.json.encode(small_run(1, MPack=0.7)))
    assert told(folder, kept) == [("MPack", "03", "faster")]


def test_what_is_no_part_of_a_history_is_named(tmp_path: Path, kept: Path, command):
    runs = [small_run(number) for number in range(4)]
    runs[1].complete = False
    runs[2].settings.comparing = Comparing(new="c/a", old="c/b", threshold=0.03)
    runs[3].samples, runs[3].summary = [], None
    folder = write(tmp_path / "runs", *runs)
    (folder / "copy.json.zst").write_bytes(zstandard.compress((folder / "000.json").read_bytes()))
    (folder / "other.json").write_text("[1]")
    (folder / "again.json").write_bytes((folder / "000.json").read_bytes())
    found = history_of(folder, kept)
    assert len(found.timelines[0].runs) == 2  # one of them is compressed
    assert dict(found.left_out) == {
        "001.json": "the run is not complete",
        "002.json": "it is a comparison of two contenders",
        "003.json": "it has no times",
        "again.json": "it is the same as 000.json",
        "other.json": "is not a run file of serbench",
    }
    empty = tmp_path / "empty"
    empty.mkdir()
    for words, said in (
        (["history", empty], "there is no complete run with times in"),
        (["history", tmp_path / "none"], "cannot read the folder"),
        (["history", folder, "--contenders", "nobody"], "no contender in these runs is called 'nobody'"),
        (["history", folder, "--format", "xml"], "there is no history format 'xml'"),
        (["history", folder, "--charts", "x", "-o", "y"], "--charts writes charts only"),
    ):
        done = command(*words)
        assert done.returncode == 2 and done.stderr.startswith(f"serbench: {said}"), done.stderr


def test_a_compressed_run_file_is_read_and_a_bomb_is_not(monkeypatch: pytest.MonkeyPatch):
    data = msgspec.json.encode(small_run(0))
    packed = zstandard.compress(data)
    assert read_run(packed, "x") == read_run(data, "x")
    with pytest.raises(UserError, match="x is damaged: "):
        read_run(packed[:4] + b"\xff" * 99, "x")
    monkeypatch.setattr(load, "LARGEST_FILE", len(data) - 1)
    with pytest.raises(UserError, match="x holds more than"):
        read_run(packed, "x")


def hostile(number: int) -> Run:
    run = hostile_run()
    run.id, run.started = f"{number} {ATTACK}", f"2026-01-0{number}T00:00:00Z {ATTACK}"
    run.machine = msgspec.structs.replace(run.machine, governor=ATTACK, virtual=ATTACK)
    return run


def test_hostile_texts_stay_texts(tmp_path: Path, kept: Path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in (1, 2):
        (folder / f"{number}\x1b[31m.json").write_bytes(written(hostile(number)))
    found = history_of(folder, kept)
    for made in (
        terminal_text(history_document(found, detailed=False)),
        terminal_text(history_document(found, detailed=True)),
        history_csv(found),
    ):
        assert "\x1b" not in made and "\u202e" not in made and "</script>" in made
    (chart, *_) = charts(found.timelines[0].lines)
    assert "\x1b" not in chart.name and "/" not in chart.name
    assert "<script" not in svg(spec_of(found.timelines[0], chart))
