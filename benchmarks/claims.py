"""What the 2016 suite claimed of its own figures, compared with run files of today.

    PYTHONPATH=src .venv/bin/python benchmarks/claims.py RUN.json ...

Prints a Markdown table. A ratio of times is of net times within the same launches (of raw ones where a net
time is below resolution, and their number is said); every line gives the geometric mean of its ratios and the
smallest and the largest with their rows. The rows of one launch are not independent of each other, so there
is no interval. docs/results/2026-11-22-claims-of-2016.md has the commands that make the runs.
"""

import math
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / "src")]

from serbench.errors import UserError  # noqa: E402
from serbench.measure.comparison import time_ratio  # noqa: E402
from serbench.results.analysis import RowSummary, analyse, figures_of  # noqa: E402
from serbench.results.load import load_run  # noqa: E402
from serbench.results.schema import Run  # noqa: E402

IN_SITU = {"in-situ": "", "in-situ-full-precision": "full-precision"}
"""The variants that overwrite their input, and the variants that are like them otherwise."""


class Pair(NamedTuple):
    """A row over another one."""

    row: str
    ratio: float
    raw: bool
    """Whether it is of raw times, since a net one was below resolution."""


class Line(NamedTuple):
    """A claim and what the runs say of it."""

    claim: str
    ratio: str
    """What is divided by what."""
    pairs: list[Pair]


Alike = Callable[[RowSummary], tuple[str, ...] | None]
"""What a row must share with the one that it is divided by; None for a row that has no part in it."""


def _key(row: RowSummary, **other: str) -> tuple[str, ...]:
    fields = ("contender_id", "test", "dataset", "profile", "variant", "toolchain", "allocator", "cpu")
    return tuple(other.get(name, str(getattr(row.record, name))) for name in fields)


def _name(row: RowSummary) -> str:
    return f"{row.record.row} ({row.record.dataset})"


def times(runs: Iterable[Run], over: Alike, under: Alike) -> list[Pair]:
    """The times of the rows that `over` names, each over that of its run for which `under` says the same."""
    found = []
    for run in runs:
        analysed = analyse(run)
        figures = figures_of(analysed)
        rows = [row for row in analysed if row.record.role == "contender" and row.measured]
        base = {key: row for row in rows if (key := under(row)) is not None}
        for row in rows:
            key = over(row)
            ratio = time_ratio(figures[row.result.id], figures[base[key].result.id]) if key in base else None
            if ratio is not None:
                found.append(Pair(_name(row), math.exp(ratio.log.mean), ratio.basis == "raw"))
    return found


def sizes(runs: Iterable[Run], over: Alike, under: Alike) -> list[Pair]:
    """The code sizes of the rows that `over` names, over each of their run for which `under` says the same.

    What several datasets, allocators or runs repeat counts once.
    """
    found = []
    for run in runs:
        builds = {}  # a build is the same on all data and with all allocators
        for row in analyse(run):
            if row.record.role == "contender" and row.result.code_size:
                build = row._replace(record=msgspec.structs.replace(row.record, dataset="", allocator=""))
                builds[_key(build)] = build
        for row in builds.values():
            for base in builds.values():
                size, other = row.result.code_size, base.result.code_size
                if size and other and over(row) is not None and over(row) == under(base):
                    names = dict.fromkeys((row.record.row, base.record.row))
                    found.append(Pair(" over ".join(names), size / other, False))
    return list(dict.fromkeys(found))


def growths(runs: Iterable[Run], profile: str) -> list[Pair]:
    """The code sizes of rows with what they grow by, over those without it, each build once."""
    found = [
        Pair(row.row, 1 + row.code_growth / row.code_size, False)
        for run in runs
        for row in run.rows
        if row.profile == profile and row.code_size and row.code_growth is not None
    ]
    return list(dict.fromkeys(found))


def with_value(field: str, value: str, profile: str = "") -> Alike:
    """Rows of one value of `field`, and of one profile if named; they share everything else."""

    def alike(row: RowSummary) -> tuple[str, ...] | None:
        wanted = getattr(row.record, field) == value and profile in ("", row.record.profile)
        return _key(row, **{field: ""}) if wanted else None

    return alike


def in_language(language: str, profile: str) -> Alike:
    """Plain rows of a language built by gcc; they share test and format."""

    def alike(row: RowSummary) -> tuple[str, ...] | None:
        of = row.record
        wanted = (of.language, of.profile, of.variant, of.toolchain) == (language, profile, "", "gcc")
        return (of.test, of.format) if wanted else None

    return alike


def plain(row: RowSummary) -> tuple[str, ...] | None:
    """A row built for speed, by itself."""
    return _key(row) if row.record.profile == "speed" else None


def in_situ(row: RowSummary) -> tuple[str, ...] | None:
    """A row built for speed that overwrites its input, by its like that does not."""
    wanted = row.record.profile == "speed" and row.record.variant in IN_SITU
    return _key(row, variant=IN_SITU[row.record.variant]) if wanted else None


def lines(runs: list[Run]) -> list[Line]:
    """All claims that figures of `runs` speak to, and those that none does."""
    found = [
        Line("RapidJSON not in-situ is about 50 % slower", "plain / in-situ", times(runs, plain, in_situ)),
        Line(
            "UTF-8 checks cost MPack 40 to 100 %",
            "checked / plain",
            times(runs, with_value("variant", "utf8", "speed"), with_value("variant", "", "speed")),
        ),
    ]
    for profile in ("speed", "size"):
        cxx, c = in_language("cpp", profile), in_language("c", profile)
        found.append(
            Line(
                "C++ code is more than twice the size of C",
                f"code size, C++ / C, {profile}",
                sizes(runs, cxx, c),
            )
        )
    for allocator in ("jemalloc", "mimalloc"):
        over, under = with_value("allocator", allocator), with_value("allocator", "system")
        claim = "jemalloc is up to 15 % faster" if allocator == "jemalloc" else "(not tried in 2016)"
        found.append(Line(claim, f"{allocator} / system", times(runs, over, under)))
    for measure, profile, claim in (
        (times, "speed", "gcc is faster than clang at -O3"),
        (times, "size", "(no claim)"),
        (sizes, "speed", "(no claim)"),
        (sizes, "size", "gcc is smaller than clang at -Os"),
    ):
        pairs = measure(
            runs, with_value("toolchain", "clang", profile), with_value("toolchain", "gcc", profile)
        )
        what = "time" if measure is times else "code size"
        found.append(Line(claim, f"{what}, clang / gcc, {profile}", pairs))
    for profile in ("speed", "size"):
        what = f"code size, two output streams / one, {profile}"
        found.append(Line("(named, not measured)", what, growths(runs, profile)))
    return found


def table(found: Iterable[Line]) -> str:
    """The lines as a table in Markdown."""
    rows = ["| claim | ratio | mean | smallest | largest | ratios |", "|---|---|--:|---|---|--:|"]
    for line in found:
        if not line.pairs:
            rows.append(f"| {line.claim} | {line.ratio} | - | not in these runs | | 0 |")
            continue
        mean = math.exp(math.fsum(math.log(pair.ratio) for pair in line.pairs) / len(line.pairs))
        low, high = (
            f"{pair.ratio:.2f} {pair.row}" for pair in (min(line.pairs, key=_by), max(line.pairs, key=_by))
        )
        raw = sum(pair.raw for pair in line.pairs)
        count = f"{len(line.pairs)}" + (f", {raw} raw" if raw else "")
        rows.append(f"| {line.claim} | {line.ratio} | {mean:.2f} | {low} | {high} | {count} |")
    return "\n".join(rows)


def _by(pair: Pair) -> float:
    return pair.ratio


def main() -> None:
    """Load the runs and print the table. Exit status 2 for a file that is no run."""
    if not sys.argv[1:]:
        sys.exit("benchmarks/claims.py RUN.json ...")
    try:
        runs = [load_run(Path(name)) for name in sys.argv[1:]]
    except UserError as error:
        print(f"claims: {error}", file=sys.stderr)
        sys.exit(2)
    for run in runs:
        print(f"{run.id}: {run.machine.cpu}, {run.started}" + ("" if run.complete else ", interrupted"))
    print()
    print(table(lines(runs)))


if __name__ == "__main__":
    main()
