"""A run file carries its summary, which is what a new analysis gives, and is read in place of one."""

import copy
import json
from pathlib import Path

import msgspec
import pytest

from serbench.errors import UserError
from serbench.measure.records import Overhead
from serbench.report.export import to_csv, to_json
from serbench.results.analysis import analyse, figures_of
from serbench.results.journal import complete
from serbench.results.load import load_run
from serbench.results.schema import Run
from serbench.results.summary import summarise
from tests.firmware.test_counts_report import run_of
from tests.page.runs import emulated_run
from tests.results.builder import configured_run, synthetic_run

RUNS = {"synthetic": synthetic_run, "configured": configured_run, "emulated": emulated_run}


def reread(run: Run, folder: Path) -> Run:
    """The run as it is in its file."""
    return load_run(write(run, folder))


def write(run: Run, folder: Path) -> Path:
    """The file of a run that was completed."""
    run.complete = True
    complete(run, folder / "run.json")
    return folder / "run.json"


@pytest.mark.parametrize("name", RUNS)
def test_a_file_s_summary_is_what_a_new_analysis_gives(name: str, tmp_path: Path):
    run = RUNS[name]()
    run.complete = True
    anew = analyse(run), figures_of(analyse(run)), to_csv([run]), to_json([run])
    found = reread(run, tmp_path)
    assert found.summary == summarise(found)
    assert (analyse(found), figures_of(analyse(found)), to_csv([found]), to_json([found])) == anew


def test_it_is_read_and_not_computed_again(tmp_path: Path):
    run = reread(synthetic_run(), tmp_path)
    assert run.summary is not None
    run.summary.rows[0].raw_ns = 1.0
    assert analyse(run)[0].result.raw_ns == 1.0


@pytest.mark.parametrize("change", [{"complete": False}, {"summary": None}])
def test_without_one_of_the_whole_run_it_is_computed(change: dict[str, object], tmp_path: Path):
    run = reread(synthetic_run(), tmp_path)
    expected = copy.deepcopy(analyse(run))
    assert run.summary is not None
    run.summary.rows[0].raw_ns = 1.0
    assert analyse(msgspec.structs.replace(run, **change)) == expected


def with_overheads(run: Run, share: float) -> Run:
    """The run whose harness took this part of each sample's shortest chunk, told by row and launch."""
    shortest: dict[tuple[int, int], float] = {}
    for sample in run.samples:
        place = (sample.row, sample.launch)
        once = min(sample.wall) / sample.iterations
        shortest[place] = min(once, shortest.get(place, once))
    run.overheads = [
        Overhead(row=row, launch=launch, iterations=100, wall=[round(100 * share * ns)] * 3, cpu=[0] * 3)
        for (row, launch), ns in shortest.items()
    ]
    return run


def test_net_is_raw_less_what_the_harness_does_for_this_very_row():
    rows = {row.record.id: row.result for row in analyse(with_overheads(synthetic_run(), 0.25))}
    for number in (2, 3, 6, 7):
        own = rows[number]
        assert own.net_ns == pytest.approx(0.75 * own.raw_ns, rel=0.05)
        assert own.harness_share == pytest.approx(0.25, rel=0.05)
        for launch, ns in own.figures.net.items():
            assert ns == own.figures.raw[launch] - dict(own.harness_ns)[launch]
    assert rows[0].net_ns is rows[0].harness_share is None, "the baseline's"


def test_net_does_not_depend_on_the_other_rows_of_the_run():
    """A row alone has the net time that it has beside others."""
    whole = with_overheads(synthetic_run(), 0.25)
    alone = copy.deepcopy(whole)
    alone.rows = [row for row in alone.rows if row.id == 2]
    alone.samples = [sample for sample in alone.samples if sample.row == 2]
    (found,) = analyse(alone)
    expected = next(row.result for row in analyse(whole) if row.record.id == 2)
    assert found.result.harness_ns == expected.harness_ns
    assert found.result.net_ns == pytest.approx(expected.net_ns, rel=0.02)  # Turns are of all rows.


def test_a_launch_without_an_overhead_has_no_net_time():
    run = with_overheads(synthetic_run(), 0.25)
    run.overheads = [each for each in run.overheads if (each.row, each.launch) != (2, 1)]
    own = next(row.result for row in analyse(run) if row.record.id == 2)
    assert 1 in own.figures.raw and 1 not in own.figures.net and len(own.figures.net) > 1


def test_one_of_another_version_is_computed_again(tmp_path: Path):
    run = reread(synthetic_run(), tmp_path)
    expected = copy.deepcopy(analyse(run))
    assert run.summary is not None
    run.summary.rows[0].raw_ns, run.summary.version = 1.0, 99
    assert analyse(run) == expected


def test_one_of_other_rows_is_refused(tmp_path: Path):
    run = reread(synthetic_run(), tmp_path)
    assert run.summary is not None
    del run.summary.rows[3]
    (tmp_path / "damaged.json").write_bytes(msgspec.json.encode(run))
    with pytest.raises(UserError, match="its summary is of other rows"):
        load_run(tmp_path / "damaged.json")


def test_a_file_without_one_gets_it_when_it_is_read(tmp_path: Path):
    run = reread(synthetic_run(), tmp_path)
    older = msgspec.structs.replace(run, summary=None)
    (tmp_path / "older.json").write_bytes(msgspec.json.encode(older))
    assert load_run(tmp_path / "older.json").summary == run.summary
    interrupted = msgspec.structs.replace(run, complete=False, summary=None)
    (tmp_path / "interrupted.json").write_bytes(msgspec.json.encode(interrupted))
    assert load_run(tmp_path / "interrupted.json").summary is None


def test_rows_of_microcontrollers_are_in_it_and_in_older_files_get_it(tmp_path: Path):
    run = reread(run_of(("avr", "emulated", 1.0)), tmp_path)
    rows = analyse(run)
    assert sorted(row.result.id for row in rows) == [row.id for row in run.rows] and not any(
        row.measured for row in rows
    )
    exported = json.loads(to_json([run]))
    assert exported["rows"] == [] and len(exported["runs"][0]["counts"]) == len(rows)
    assert run.summary is not None
    run.summary.rows = []
    (tmp_path / "older.json").write_bytes(msgspec.json.encode(run))
    assert analyse(load_run(tmp_path / "older.json")) == rows
