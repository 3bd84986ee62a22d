"""What a table says about a group, before it is known how it is drawn.

A view holds plain strings, already in their order and units. Names in it are as the run file has
them: whoever draws a view escapes them for its own medium.
"""

from dataclasses import dataclass, field

from serbench.measure.records import Stop
from serbench.report import text
from serbench.results.analysis import Group, RowSummary, analyse, stop_of
from serbench.results.schema import Run

TESTS = {
    "write": "writing the value tree as bytes into a growing buffer, and hashing them",
    "tree": "copying the bytes, reading them into a tree, walking and hashing it, freeing it",
    "incremental": "copying the bytes, reading them element by element and hashing these, without a tree",
}
STATISTICS = {
    "shortest-chunk": "the median over its rounds of the round's shortest chunk, less what slowed all rows "
    "of a round alike",
    "mean": "the mean of all its chunks",
}
STOPS = {
    "precise enough": "the intervals were narrow enough",
    "most launches": "the most launches were reached",
    "time used up": "the time was used up",
    "interrupted": "it was interrupted",
    "no rows": "there was no row to measure",
}


@dataclass
class Entry:
    """One row as strings. Numbers are padded: those of a column have one width."""

    row: RowSummary
    rank: str
    name: str
    """The contender and its variant; compiler and allocator where the group has several."""
    net: str
    raw: str
    typical: str
    overhead: str
    notes: list[int] = field(default_factory=list)
    """Numbers of its footnotes, from 1."""


@dataclass
class View:
    """A group as a table shows it."""

    group: Group
    title: str
    unit: str
    measured: list[Entry]
    unmeasured: list[Entry]
    footnotes: list[str]
    caption: list[str]
    """Sentences on this group: what was timed, how often, why it ended."""


def views(run: Run) -> list[View]:
    """Return the tables of a run, one a group, in the order of `analyse`."""
    groups: dict[Group, list[RowSummary]] = {}
    for row in analyse(run):
        groups.setdefault(row.group, []).append(row)
    return [_view(run, group, rows) for group, rows in groups.items()]


def _view(run: Run, group: Group, rows: list[RowSummary]) -> View:
    measured = [row for row in rows if row.measured]
    contenders = [row for row in measured if row.role == "contender"] or measured
    unit, scale = text.unit_for(r.raw_ns if r.net_ns is None or r.at_floor else r.net_ns for r in contenders)
    names = {row.id: row.name for row in rows}
    entries = [
        Entry(row, rank, names[row.id], net, raw, typical, overhead)
        for row, rank, net, raw, typical, overhead in zip(
            measured,
            _ranks(measured),
            _nets(measured, scale),
            _raws(measured, scale),
            text.aligned([text.significant(_scaled(r.typical_ns, scale)) for r in measured]),
            text.aligned([text.significant(r.overhead, 3) for r in measured]),
            strict=True,
        )
    ]
    others = [Entry(r, "", names[r.id], "", "", "", "") for r in rows if not r.measured]
    footnotes: list[str] = []
    for entry in entries:
        for note in notes_of(entry.row, run.settings.launches):
            if note not in footnotes:
                footnotes.append(note)
            entry.notes.append(footnotes.index(note) + 1)
        entry.notes.sort()
    test, dataset, profile, _ = group
    return View(
        group=group,
        title=f"{test} · {dataset} · {profile}{per_message(rows[0].messages)}",
        unit=unit,
        measured=entries,
        unmeasured=others,
        footnotes=footnotes,
        caption=_caption(run, group, rows),
    )


def notes_on_times(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row's times: its labels, and what its samples lack."""
    notes = list(row.labels)
    if row.few_samples:
        notes.append(f"few samples: {row.launches} of {asked} launches")
    return notes


def notes_of(row: RowSummary, asked: int) -> list[str]:
    """Return what must be known about a measured row, its counts included."""
    notes = notes_on_times(row, asked)
    if row.role == "floor":
        notes.append("a lower bound, not a contender")
    if row.role == "baseline" and row.variant:
        notes.append("a further baseline, which is not subtracted here")
    if row.code_size is None and row.bundle_size is None and row.code_size_reason:
        notes.append(f"no code size: {row.code_size_reason}")
    if row.instructions is None and row.instructions_reason:
        notes.append(f"instructions were not counted: {row.instructions_reason}")
    return notes


def why(row: RowSummary) -> str:
    """Return why a row has no figures: its status, the reason, the last line of its error output."""
    status = "" if row.status == "ok" else row.status
    reason = " ".join(row.reason.split())
    said = ": ".join(part for part in (status, reason) if part) or "no reason is recorded"
    output = text.last_line(row.output)
    counted = [f"{text.significant(row.instructions)} instructions"] if row.instructions is not None else []
    counted += [f"code size {text.count(row.code_size)}"] if row.code_size is not None else []
    counted += [f"bundle {text.count(row.bundle_size)}"] if row.bundle_size is not None else []
    said += f" (counted: {', '.join(counted)})" if counted else ""
    return f"{said} (it wrote: {output})" if output else said


def per_message(messages: int) -> str:
    """Return the end of a title over figures that are shared among so many messages."""
    return f" · per message, {text.count(messages)} messages" if messages > 1 else ""


def _ranks(rows: list[RowSummary]) -> list[str]:
    """Return the ranks, with `=` behind one that several rows share; padded to one width."""
    shared = [row.rank for row in rows if row.rank is not None]
    ranks = [
        text.NONE + " " if r.rank is None else f"{r.rank}=" if shared.count(r.rank) > 1 else f"{r.rank} "
        for r in rows
    ]
    width = max((len(rank) for rank in ranks), default=0)
    return [rank.rjust(width) for rank in ranks]


def _scaled(time_ns: float | None, scale: float) -> float | None:
    return None if time_ns is None else time_ns / scale


def _half(row_low: float | None, row_high: float | None, value: float | None) -> str:
    if row_low is None or row_high is None or value is None:
        return "?"
    return text.relative((row_high - row_low) / 2, value)


def _joined(values: list[float | None], halves: list[str], scale: float) -> list[str]:
    """Return figures with their intervals, `12.34 ±0.5%`, of one width."""
    numbers = text.aligned([text.significant(_scaled(value, scale)) for value in values])
    width = max((len(half) for half in halves), default=0)
    return [
        f"{number} {('±' + half).rjust(width + 1)}" if value is not None else " " * (len(number) + 2 + width)
        for number, half, value in zip(numbers, halves, values, strict=True)
    ]


def _raws(rows: list[RowSummary], scale: float) -> list[str]:
    halves = [_half(r.raw_low_ns, r.raw_high_ns, r.raw_ns) for r in rows]
    return _joined([r.raw_ns for r in rows], halves, scale)


def _nets(rows: list[RowSummary], scale: float) -> list[str]:
    """Return the net column: a net time, `at the floor`, or for rows without either their raw time."""
    plain = [r.role == "contender" and not r.at_floor and r.net_ns is not None for r in rows]
    values = [r.net_ns if p else r.raw_ns for r, p in zip(rows, plain, strict=True)]
    halves = [
        _half(r.net_low_ns, r.net_high_ns, r.net_ns) if p else _half(r.raw_low_ns, r.raw_high_ns, r.raw_ns)
        for r, p in zip(rows, plain, strict=True)
    ]
    cells = [
        "at the floor " if r.role == "contender" and r.at_floor else f"{cell} " if p else f"({cell.lstrip()})"
        for r, p, cell in zip(rows, plain, _joined(values, halves, scale), strict=True)
    ]
    width = max((len(cell) for cell in cells), default=0)
    return [cell.rjust(width) for cell in cells]


def _counted(run: Run) -> list[tuple[str, str]]:
    """Return what is to be said of columns that not every run has."""
    said = []
    per = "message" if any(dataset.messages > 1 for dataset in run.datasets) else "iteration"
    kinds = {row.code_size_kind for row in run.rows if row.code_size is not None}
    if "linked" in kinds:
        said.append(
            (
                "code size",
                "bytes of text and data that the executable has more than the baseline's of its language "
                "and test.",
            )
        )
    if "bundle" in kinds:
        said.append(
            (
                "bundle",
                "bytes of the minified, gzipped bundle of the library and the row's own module, less the "
                "baseline's, as Node.js resolves the packages: never to be compared with a code size.",
            )
        )
    if any(row.instructions is not None for row in run.rows):
        said.append(
            (
                "instructions",
                f"how many one {per} takes, as Callgrind counts them, with nothing subtracted: a count, "
                "which says nothing of caches or of how long an instruction takes.",
            )
        )
    if any(row.heap is not None for row in run.rows):
        said.append(
            (
                "allocs, peak",
                f"how often one {per} asks for memory, and the most bytes at one time, counted in a launch "
                "of its own.",
            )
        )
    return said


def _caption(run: Run, group: Group, rows: list[RowSummary]) -> list[str]:
    if not any(row.measured for row in rows):
        return ["No row was measured."]
    contenders = [row for row in rows if row.role == "contender" and row.measured]
    sentences = [
        f"Timed: {TESTS.get(group[0], group[0])}. {_stopped(stop_of(run, group), rows, run)} "
        "± is half the 95 % interval over launches."
    ]
    if any(row.at_floor for row in contenders):
        sentences.append(
            "At the floor: less than twice the baseline's time, with a net interval that reaches 0, so the "
            "library's own time is not known."
        )
    if rows[0].messages > 1:
        sentences.append(
            f"An iteration handles {text.count(rows[0].messages)} messages one by one: times and bytes are "
            "those of one message, the mean of all."
        )
    if any(row.net_ns is None for row in contenders):
        sentences.append("There is no baseline to subtract for some rows: their times are raw.")
    return sentences


def legend(run: Run) -> list[tuple[str, str]]:
    """Return the names and meanings of the columns that all tables of a run have, as far as it has them."""
    found = {row.statistic for row in run.rows if row.role == "contender" and row.status == "ok"}
    figures = [STATISTICS[name] for name in STATISTICS if name in found]
    launch = " In garbage-collected languages it is ".join(f"{figure}." for figure in figures)
    return [
        (
            "net",
            "the time per iteration less the baseline's, averaged over launches (of five or more over those "
            "inside the interval); times in brackets are raw, with nothing subtracted."
            + (f" A launch's figure is {launch}" if launch else ""),
        ),
        (
            "rank",
            f"1 + the number of rows proved faster by more than {text.percent(run.settings.threshold)}; rows "
            "with '=' share theirs, and a row without an interval (±?) has none.",
        ),
        ("× base", "the raw time over the baseline's."),
        *_counted(run),
    ]


def _stopped(stop: Stop | None, rows: list[RowSummary], run: Run) -> str:
    launches = stop.launches if stop else max(row.launches for row in rows)
    plural = "launch" if launches == 1 else "launches"
    if stop:
        reason = STOPS[stop.reason]
    else:
        reason = "it is not recorded why" if run.complete else STOPS["interrupted"]
    return f"{launches} {plural}, ended as {reason}."
