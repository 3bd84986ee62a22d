"""A comparison on a terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from serbench.report import text
from serbench.report.compared import Compared, Comparison, Number
from serbench.report.parts import grid, plain

STYLES = {"slower": "red", "faster": "green", "no difference": "", "undecided": "yellow"}


def print_comparison(found: Comparison, console: Console) -> None:
    """Print `found` to `console`: differences first, then the rows, then what to bear in mind."""
    for part in _parts(found):
        console.print(part, highlight=False, markup=False, emoji=False)


def _parts(found: Comparison) -> Iterator[Table | Text]:
    yield plain(f"old: {found.old}", "bold")
    yield plain(f"new: {found.new}", "bold")
    for sentence in found.differences:
        yield plain(f"! {sentence}")
    if not found.rows:
        yield plain("The two have no row in common.")
        return
    yield Text()
    table = grid()
    for header in ("row", "new / old", "95 % interval", "verdict"):
        table.add_column(header, overflow="fold", no_wrap=header != "row", justify="left")
    shown = [row for row in found.rows if not (row.counted and row.ratio == 1 and not row.exact)]
    unchanged = len(found.rows) - len(shown)
    for row in shown:
        interval = f"{_ratio(row.low)} to {_ratio(row.high)}" if row.low is not None else text.NONE
        times = f" {row.basis}" if row.basis == "raw" else ""
        verdict = "same program" if row.control else row.verdict
        table.add_row(
            Text(text.visible(row.name)),
            _ratio(row.ratio) + times,
            interval,
            Text(verdict, STYLES.get(row.verdict, "") if not row.control else "dim"),
        )
    if shown:
        yield table
        yield Text()
    if unchanged:
        yield plain(f"Counted rows that are the same to the last digit: {unchanged}.")
    for reason, names in _reasons(found.rows).items():
        yield plain(f"{', '.join(names)}: {reason}")
    for row in found.rows:
        changes = [f"{what} {_number(old)}, now {_number(new)}" for what, (old, new) in row.exact.items()]
        if changes:
            yield plain(f"{row.name}: {'; '.join(changes)}")
    yield from (plain(sentence, "dim") for sentence in [*_meaning(found), *found.notes])


def _ratio(number: float | None) -> str:
    return text.NONE if number is None else f"{number:.3f}" if number < 100 else f"{number:.1f}"


def _reasons(rows: Sequence[Compared]) -> dict[str, list[str]]:
    """Return why rows have no verdict, each reason once with the names of its rows."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.reason:
            reasons.setdefault(" ".join(row.reason.split()), []).append(row.name)
    return reasons


def _number(number: Number) -> str:
    return text.NONE if number is None else f"{number:,.0f}" if float(number).is_integer() else f"{number:,}"


def _meaning(found: Comparison) -> list[str]:
    limit = text.percent(found.threshold)
    counts = (
        "Counts of emulated platforms are exact and have no interval: slower and faster are more than "
        f"{limit} more or fewer, and what differs by less is listed all the same."
    )
    times = (
        f"slower, faster: proved to be so by more than {limit}, corrected by Holm over the rows, so that "
        "at most one comparison in forty calls anything slower that is not; no difference: the whole "
        f"interval lies within {limit}; undecided: none of these, and more launches (--full) may tell. "
        "Ratios are of net times, or of raw ones where it says so."
    )
    kinds = {row.counted for row in found.rows}
    said = [*([times] if False in kinds else []), *([counts] if True in kinds else [])]
    same = sorted({what for row in found.rows for what in row.same})
    return said + ([f"Where nothing is said, these are the same in both: {', '.join(same)}."] if same else [])


def summary(found: Comparison) -> str:
    """Return one line on the outcome: how many rows got which verdict."""
    counts = {verdict: sum(r.verdict == verdict and not r.control for r in found.rows) for verdict in STYLES}
    counts["same program"] = sum(row.control for row in found.rows)
    return ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number) or "no rows"
