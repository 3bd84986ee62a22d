"""The proof of the measurement: python -m benchmarks.precision [PART...] [--minutes N] [-o FILE].

Parts: a known loop, b one program under two names, c slowed contenders, d two runs, e the 2016 procedure,
f Google Benchmark, g coverage. All of them without a name; each can be run alone. To be run from the clone,
with its own Python and PYTHONPATH=src, on a machine that does nothing else.
"""

import os
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from benchmarks.precision import coverage, google, known, old, same, slowed, twice
from benchmarks.precision.ground import Ground
from benchmarks.precision.records import Outcome, Report, table
from harness.c.build.compilers import find_compilers

from serbench import __version__
from serbench.errors import UserError
from serbench.measure.machine_lock import machine_lock
from serbench.measure.noise import activity, disturbances, governor_warning
from serbench.results.machine import this_machine

SHARES = {"a": 0.05, "b": 0.23, "c": 0.27, "d": 0.1, "e": 0.1, "f": 0.19, "g": 0.06}
"""The parts' shares of the time when all are run. The share of part g includes building and proving."""
MOST_SECONDS_OF_E = 300.0
"""Seven whole runs of its rows take no longer; what its share has beyond that goes to part b."""
TITLES = {
    "a": known.TITLE,
    "b": same.TITLE,
    "c": slowed.TITLE,
    "d": twice.TITLE,
    "e": old.TITLE,
    "f": google.TITLE,
    "g": coverage.TITLE,
}


def chosen_parts(names: list[str]) -> list[str]:
    """The parts to run, in their order. Raises UserError for an unknown one."""
    for name in names:
        if name not in TITLES:
            raise UserError(f"there is no part '{name}'; there are {', '.join(TITLES)}")
    return [name for name in TITLES if not names or name in names]


def seconds_of(parts: Sequence[str], minutes: float) -> dict[str, float]:
    """The seconds of each of `parts`: of so many minutes, shared among these alone."""
    whole = sum(SHARES[part] for part in parts)
    seconds = {part: SHARES[part] / whole * minutes * 60 for part in parts}
    over = max(0.0, seconds.get("e", 0.0) - MOST_SECONDS_OF_E)
    if over:
        seconds["e"] = MOST_SECONDS_OF_E
        if "b" in seconds:
            seconds["b"] += over
    return seconds


def _alone(part: str, action: Callable[[], Outcome]) -> Outcome:
    """Run a part while no serbench measures on this machine. Raises UserError if one does.

    Part d's own processes take the lock, and part g measures nothing.
    """
    if part in ("d", "g"):
        return action()
    with machine_lock(force=True) as notes:
        if notes:
            raise UserError("another run of serbench is active on this machine: wait for its end")
        return action()


def _attempt(part: str, action: Callable[[], Outcome]) -> Outcome:
    """What a part found; a part that cannot be run costs itself only."""
    start = time.monotonic()
    try:
        outcome = _alone(part, action)
    except UserError as error:
        outcome = Outcome(part=part, title=TITLES[part], not_run=str(error))
    outcome.seconds = round(time.monotonic() - start, 1)
    return outcome


def _write(report: Report, target: Path | None) -> None:
    if target is not None:
        target.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")


def carry_out(parts: list[str], minutes: float, seed: int, report: Report, target: Path | None) -> None:
    """Run `parts` within about so many minutes, and write the report after each of them."""
    with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        ground = Ground(seed, Path(folder))
        stored: Outcome | None = None
        shares = seconds_of(parts, minutes)
        for part in parts:
            seconds = shares[part]
            actions: dict[str, Callable[[], Outcome]] = {
                "a": partial(known.run, ground, seconds),
                "b": partial(same.run, ground, seconds),
                "c": partial(slowed.run, ground, seconds),
                "d": partial(twice.run, seconds),
                "e": partial(old.run, ground, seconds),
                "f": partial(google.run, ground, seconds),
                "g": partial(coverage.run, ground, stored),
            }
            before = activity()
            outcome = _attempt(part, actions[part])
            if part == "b" and not outcome.not_run:
                stored = outcome
            report.notes += [f"part {part}: {said}" for said in disturbances(before, activity())]
            report.parts.append(outcome)
            typer.echo(f"{part}: {outcome.title}, {outcome.seconds:.0f} s", err=True)
            _write(report, target)


def main(
    parts: Annotated[
        list[str] | None, typer.Argument(metavar="[PART...]", help="Some of a to g; all without a name.")
    ] = None,
    minutes: Annotated[
        float, typer.Option("--minutes", min=0.1, help="About how long the whole takes; less shortens it.")
    ] = 50.0,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the results go, as JSON.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the order of samples, and of simulations.")] = 0,
) -> None:
    """Run the experiments, and print what they found as a Markdown table."""
    try:
        chosen = chosen_parts(parts or [])
        if output is not None and (output.is_dir() or not output.absolute().parent.is_dir()):
            raise UserError(f"{output} cannot be written: name a file in a folder that exists")
        report = Report(
            serbench=__version__,
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            machine=msgspec.to_builtins(this_machine(_compilers())),
        )
        warning = governor_warning()
        report.notes += [warning] if warning else []
        carry_out(chosen, minutes, seed, report, output)
    except UserError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from error
    machine = report.machine
    typer.echo(
        f"{machine['cpu']}, {machine['cores']} processors, {machine['virtual'] or 'bare metal'}; "
        f"{machine['system']}, {', '.join(report.machine['compilers'].values())}; "
        f"load {os.getloadavg()[0]:.1f} at the end\n"
    )
    typer.echo(table(report.parts))
    for note in report.notes:
        typer.echo(f"\nNote: {note}")


def _compilers() -> dict[str, str]:
    found = find_compilers()
    return {"c": found.c_version, "c++": found.cxx_version}


if __name__ == "__main__":
    typer.run(main)
