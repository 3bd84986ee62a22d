"""A run of any kind is carried out: prepared from its plan, measured, and reported."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from serbench.commands.bootstrap import new_run_file, print_disturbances
from serbench.commands.outcome import INTERRUPTED, MISSING, conclude
from serbench.commands.progress import shown_progress
from serbench.errors import UserError
from serbench.kinds import found
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan, Settings
from serbench.platforms.counts import COUNTS
from serbench.results.schema import Run
from serbench.run.inputs import Inputs
from serbench.run.kind import RunKind
from serbench.run.resume import Interrupted
from serbench.run.session import RunSession
from serbench.run.timed import TIMES


def kind_of(plan: Plan) -> RunKind:
    """The kind of run that a plan is for. Raises UserError for one that is not here."""
    for kind in (TIMES, COUNTS, *found(RunKind)):
        if kind.name == plan.kind:
            return kind
    raise UserError(f"the run is of the kind '{plan.kind}', which this serbench does not have")


class RunRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A run that a command asks for."""

    settings: Settings
    """Its plan is in them."""
    inputs: Inputs
    target: Path
    """Its run file; the reports stand beside it."""
    notes: Sequence[str] = ()
    earlier: Run | None = None
    """The run that it repeats."""
    interrupted: Interrupted | None = None
    """The run of which it measures what is missing."""


def carry_out(
    request: RunRequest, on: str | None = None, certificates: Path | None = None, force: bool = False
) -> None:
    """Carry out a run: run file and reports, tables, exit status. With `on`, other machines measure.

    Nothing stays of a run that measured nothing. Raises UserError, and typer.Exit with a status other than 0.
    """
    if on is not None:
        from serbench.commands.on import carry_out_on  # which loads what nothing else needs

        carry_out_on(on, certificates, request, force)
        return
    session = measure(request)
    incomplete = INTERRUPTED if session.whole else MISSING
    try:
        conclude(session.run, request.target, Console(highlight=False), request.earlier, incomplete)
    except KeyboardInterrupt as error:
        error.args = (f"the run file {request.target} is written, and ./serbench report shows it",)
        raise


def measure(request: RunRequest, waiting: bool = False) -> RunSession:
    """Do what carry_out does, but report nothing; when `waiting`, after another run of this machine."""
    err = Console(stderr=True, highlight=False)
    settings, inputs = request.settings, request.inputs
    assert settings.plan is not None
    kind = kind_of(settings.plan)
    prepared = kind.prepare(settings.plan, inputs, request.earlier)
    settings = msgspec.structs.replace(settings, references=inputs.catalog.references)
    with shown_progress(err) as progress:
        session = RunSession(
            settings, prepared.machine, request.target, kind.results, progress, request.interrupted
        )
        with session.running(inputs.ignore_lock, kind.counting, kind.locking, waiting):
            for sentence in [*request.notes, *([] if kind.counting else print_disturbances(err))]:
                session.note(sentence)
            for step in prepared.steps:
                step.run(session)
    return session


def carry_out_probe(plan: Plan, inputs: Inputs, output: Path | None, force: bool) -> None:
    """Carry out the `plan` of a run that probes libraries and takes no times."""
    settings = settings_for("quick", (), None, [], 0, fragment=True, instructions=False)
    settings.plan = plan
    carry_out(RunRequest(settings=settings, inputs=inputs, target=new_run_file(output, force)))
