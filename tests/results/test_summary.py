"""A run file carries its summary, which is what a new analysis gives, and is read in place of one."""

import copy
import json
import statistics
from pathlib import Path

import msgspec
import pytest

from serbench.errors import UserError
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


def test_the_share_of_walk_and_hash_is_the_baseline_s_part_of_raw(tmp_path: Path):
    run = synthetic_run()
    rows = {row.record.id: row for row in analyse(run)}
    figures = figures_of(analyse(run))
    baseline, mpack = figures[0].raw, figures[2].raw
    assert rows[2].result.walk_share == pytest.approx(
        statistics.geometric_mean(baseline[n] / mpack[n] for n in mpack)
    )
    assert rows[0].result.walk_share is None
    told = json.loads((write(run, tmp_path)).read_text())
    for row in told["summary"]["rows"]:  # as an older version wrote it
        row.pop("walk_share", None)
    (tmp_path / "older.json").write_text(json.dumps(told))
    assert analyse(load_run(tmp_path / "older.json")) == analyse(load_run(tmp_path / "run.json"))


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
