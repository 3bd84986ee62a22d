"""Run files from anywhere: figures that cannot be, endless texts, and cells that a spreadsheet would run."""

import copy
import json

import pytest

from serbench.errors import UserError
from serbench.report.page.make import page
from serbench.report.render import FORMATS, render
from serbench.results.journal import Journal, complete
from serbench.results.load import LONGEST_TEXT, load_run
from tests.results.builder import synthetic_run


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """What a run file holds."""
    path = tmp_path_factory.mktemp("run") / "run.json"
    complete(synthetic_run(), path)
    return json.loads(path.read_bytes())


HUGE = ["9" * 400, "-" + "9" * 400, "1e300", "-1e300", "18446744073709551616"]
PLACES = [
    *(("seconds",), ("machine", "cores"), ("machine", "memory_bytes"), ("settings", "chunk_ns")),
    *(("settings", "target"), ("settings", "threshold"), ("settings", "seed"), ("datasets", 0, "nodes")),
    *(
        ("datasets", 0, "messages"),
        ("rows", 1, "bytes"),
        ("rows", 1, "code_size"),
        ("rows", 1, "instructions"),
    ),
    *(
        ("samples", 0, "started"),
        ("samples", 0, "launch"),
        ("samples", 0, "cpu", 0),
        ("samples", 0, "wall", 0),
    ),
    *(("samples", 0, "iterations"), ("summary", "rows", 0, "net_ns"), ("summary", "rows", 0, "messages")),
    *(("summary", "rows", 0, "rank"), ("rows", 1, "metrics", "flash")),
]


def changed(written, place, value: str, path):
    """A run file with another number, as text, at a place."""
    run = copy.deepcopy(written)
    inner = run
    for step in place[:-1]:
        inner = inner[step] if isinstance(inner, list) else inner.setdefault(step, {})
    inner[place[-1]] = "HERE"
    path.write_text(json.dumps(run).replace('"HERE"', value), "utf-8")
    return path


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
@pytest.mark.parametrize("value", HUGE, ids=lambda value: f"{value[:6]} of {len(value)}")
def test_a_number_that_cannot_be_is_refused(place, value, written, tmp_path):
    with pytest.raises(UserError, match="damaged run file"):
        load_run(changed(written, place, value, tmp_path / "run.json"))


@pytest.mark.parametrize("value", ["0", "-1"])
@pytest.mark.parametrize("place", [("datasets", 0, "messages"), ("summary", "rows", 0, "messages")])
def test_an_iteration_handles_a_message_at_least(place, value, written, tmp_path):
    with pytest.raises(UserError, match="damaged run file"):
        load_run(changed(written, place, value, tmp_path / "run.json"))


def test_a_summary_has_no_launch_that_was_not_sampled(written, tmp_path):
    (row,) = [n for n, row in enumerate(written["summary"]["rows"]) if row.get("launch_ns")][:1]
    with pytest.raises(UserError, match="has times and no samples"):
        load_run(changed(written, ("summary", "rows", row, "launch_ns", 0, 0), "999", tmp_path / "run.json"))


def numbers(value, place=()):
    """The places of all numbers."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else list(enumerate(value))[-1:]:
            yield from numbers(inner, (*place, key))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place


@pytest.mark.parametrize("value", ["0", "-1", "9223372036854775807", "5e-324", "-0.5"])
def test_every_number_is_refused_or_every_report_takes_it(value, written, tmp_path):
    found = []
    for place in numbers(written):
        path = changed(written, place, value, tmp_path / "run.json")
        try:
            run = load_run(path)
        except UserError:
            continue
        try:
            for name in FORMATS:
                render([run], name)
            page([run])
        except UserError:
            continue
        except Exception as error:  # a traceback, whatever it is
            found.append((place, repr(error)))
    assert not found


@pytest.mark.parametrize("place", [("rows", 1, "contender"), ("datasets", 0, "name"), ("notes", 0), ("id",)])
def test_a_text_without_end_is_refused(place, written, tmp_path):
    run = copy.deepcopy(written)
    run["notes"] = ["a note"]
    inner = run
    for step in place[:-1]:
        inner = inner[step]
    for length in (LONGEST_TEXT, LONGEST_TEXT + 1):
        inner[place[-1]] = "x" * length
        (tmp_path / "run.json").write_text(json.dumps(run), "utf-8")
        if length <= LONGEST_TEXT:
            assert len(load_run(tmp_path / "run.json").rows) == len(written["rows"])
    with pytest.raises(UserError, match="damaged run file: a text in it has 65,537 characters"):
        load_run(tmp_path / "run.json")


def test_the_lines_of_a_journal_have_the_same_bounds(tmp_path):
    run = synthetic_run()
    run.summary = None
    run.rows[1].contender = "x" * 100_000
    Journal.of(run, tmp_path / "run.json.journal").close()
    with pytest.raises(UserError, match="a text in it has 100,000 characters"):
        load_run(tmp_path / "run.json.journal")
