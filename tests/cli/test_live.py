"""The table on a terminal while a run measures: when it is drawn, what it shows, what it leaves."""

import io
import re
import threading

import pytest
from rich.console import Console

from serbench.commands.live import LiveTable, Remaining
from serbench.commands.progress import shown_progress
from serbench.measure import turns
from serbench.measure.plan import Group
from serbench.measure.records import Overhead, Sample
from serbench.measure.schedule import Schedule
from serbench.results.schema import Run
from tests.measure.fakes import FakeClock, conditions, measured, settings
from tests.results.builder import row, synthetic_run

SHOW_CURSOR = "\x1b[?25h"
NAMES = ("baseline", "Quick", "Slow")


def terminal(width: int = 80) -> Console:
    return Console(file=io.StringIO(), width=width, height=30, force_terminal=True, color_system=None)


def written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def drawing() -> list[threading.Thread]:
    """The threads that draw something on a terminal."""
    return [thread for thread in threading.enumerate() if type(thread).__module__.startswith("rich")]


def ended(threads: list[threading.Thread]) -> bool:
    """Whether `threads` have been told to end."""
    for thread in threads:
        thread.join()
    return not any(thread.is_alive() for thread in threads)


def run_of_fakes() -> Run:
    run = synthetic_run()
    run.rows, run.samples, run.failures, run.stops, run.summary = [], [], [], [], None
    for number, name in enumerate(NAMES):
        role = "contender" if number else "baseline"
        run.rows.append(row(number, name, role=role, hash="0075ff81"))
    run.complete = False
    return run


def schedule(run: Run, show) -> Schedule:
    """Two groups of workers with made-up times, whose samples go into `run`."""
    clock = FakeClock()
    rows = [
        measured(number, role="contender" if number else "baseline", ns=1000.0 * (number + 1))
        for number in range(len(NAMES))
    ]

    def emit(record) -> None:
        clock.pass_sample(record)
        if isinstance(record, Overhead):
            run.overheads.append(record)
        elif isinstance(record, Sample):
            run.samples.append(record)

    group = Group(test="tree", dataset="generated:2", profile="speed", rows=rows)
    return Schedule([group], settings(), conditions(clock), 1 << 30, emit, show)


@pytest.mark.usefixtures("no_leaks")
def test_nothing_is_drawn_while_a_worker_is_timed(monkeypatch):
    console, run = terminal(), run_of_fakes()
    timed, drawn = [], []
    asked = turns.sample

    def watched(*arguments, **named):
        before = written(console)
        found = asked(*arguments, **named)
        timed.append(written(console) == before)
        assert ended(drawing()), "a thread draws by itself"
        return found

    monkeypatch.setattr(turns, "sample", watched)
    with shown_progress(console) as progress:
        progress.counter("Building", 1)()
        assert drawing()
        show = progress.measuring(run)

        def between(share: float, what: str) -> None:
            before = written(console)
            show(share, what)
            drawn.append(written(console) != before)

        schedule(run, between).run()
    assert len(timed) > 10 and all(timed)
    launches = len({sample.launch for sample in run.samples})
    assert launches > 2 and len(drawn) == launches + 1 and all(drawn)


@pytest.mark.usefixtures("no_leaks")
def test_the_table_so_far_is_shown_and_then_taken_away():
    console, run = terminal(), run_of_fakes()
    shown = []
    with shown_progress(console) as progress:
        show = progress.measuring(run)

        def between(share: float, what: str) -> None:
            start = len(written(console))
            show(share, what)
            shown.append(written(console)[start:])

        schedule(run, between).run()
    assert "Quick" not in shown[0] and "Measuring 0%" in shown[0]
    assert "tree · generated:2 · 1 launch of 5 wanted" in shown[1]
    assert re.search(r"Quick .* \?", shown[1]) and re.search(r"Quick .*\d%", shown[-1])
    end = written(console)[written(console).rindex(shown[-1]) + len(shown[-1]) :]
    assert SHOW_CURSOR in end and "Quick" not in end
    assert end.count("\x1b[2K") >= shown[-1].count("\n"), "each line of the table is cleared"


def test_an_interruption_leaves_the_terminal_clean():
    console, run = terminal(), run_of_fakes()
    with pytest.raises(KeyboardInterrupt), shown_progress(console) as progress:
        progress.counter("Building", 3)()
        progress.measuring(run)(0.5, "tree generated:2")
        raise KeyboardInterrupt
    assert written(console).rindex(SHOW_CURSOR) > written(console).rindex("Measuring 50%")
    assert ended(drawing())


def test_bars_and_tables_take_turns():
    console = terminal()
    with shown_progress(console) as progress:
        show = progress.measuring()
        for megabytes in (1, 2):
            progress.counter(f"Verifying {megabytes} MB", 1)()
            show(megabytes / 3, "write")
    last = written(console)[written(console).rindex("Measuring") :]
    assert "Verifying" not in last and "Measuring 67%" in last


def test_without_a_terminal_there_are_few_lines():
    console = Console(file=io.StringIO(), width=80)
    with shown_progress(console) as progress:
        show = progress.measuring(run_of_fakes())
        for number in range(101):
            show(number / 100, "tree generated:2")
    lines = written(console).splitlines()
    assert [line.partition(",")[0] for line in lines] == [f"Measured {n}%" for n in range(20, 100, 20)]


def test_how_long_a_resumed_run_takes_is_not_known_from_what_it_had():
    console = Console(file=io.StringIO(), width=80)
    with shown_progress(console) as progress:
        progress.measuring()(0.5, "tree generated:2")
    assert written(console) == "Measured 50%\n"


def test_the_table_has_as_many_rows_as_the_terminal_has_room_for():
    run = synthetic_run()
    run.samples.sort(key=lambda sample: run.rows[sample.row].test == "tree" if sample.row < 10 else False)
    console = Console(file=io.StringIO(), width=80, height=14, force_terminal=True, color_system=None)
    table = LiveTable(console, run)
    table.show(0.5, "tree", "")
    lines = written(console).splitlines()
    table.close()
    assert "… " in lines[-1] and len(lines) <= 14


@pytest.mark.parametrize(
    ("first", "share", "elapsed", "said"),
    [
        (0.0, 0.0, 0.0, ""),
        (0.0, 0.001, 9.0, ""),
        (0.0, 0.5, 61.0, "about 1:01 left"),
        (0.0, 0.25, 100.0, "about 5:00 left"),
        (0.5, 0.505, 5.0, ""),
        (0.5, 0.75, 61.0, "about 1:01 left"),
        (0.0, 1.0, 9.0, "about 0:00 left"),
        (1.0, 1.0, 0.0, "about 0:00 left"),
    ],
)
def test_the_remaining_time_is_told_once_it_is_known(first, share, elapsed, said):
    times = iter((100.0, 100.0 + elapsed))
    remaining = Remaining(lambda: next(times))
    remaining.after(first)
    assert remaining.after(share) == said
