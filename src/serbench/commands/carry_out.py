"""A run of any kind is carried out: prepared from its plan, measured, and reported."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from rich.console import Console

from serbench.build.configuration import Configuration
from serbench.catalog.records import Row
from serbench.commands import platform
from serbench.commands.bootstrap import look
from serbench.commands.outcome import INTERRUPTED, MISSING, conclude
from serbench.commands.progress import stages
from serbench.measure.records import Plan, RunKind, Settings
from serbench.results.machine import this_machine
from serbench.results.schema import Machine, Run
from serbench.run.context import BuildContext
from serbench.run.growth import GrowthStep
from serbench.run.inputs import Inputs
from serbench.run.payloads import LimitsStep
from serbench.run.probing import FidelityStep, engines
from serbench.run.resume import Interrupted
from serbench.run.session import RunSession, Step
from serbench.run.strictness import StrictStep
from serbench.run.timed import Timed


class Prepared(msgspec.Struct, frozen=True):
    """What a plan means on this machine."""

    machine: Machine
    steps: list[Step]


class KindOfRun(msgspec.Struct, frozen=True, kw_only=True):
    """How a kind of run is made from its plan."""

    prepare: Callable[[Plan, Inputs, Run | None], Prepared]
    """Takes the run that is repeated, too, if one is. Raises UserError."""
    results: str
    """The list of Run without which nothing has been measured."""
    counting: bool = False
    """Whether it takes no times on this machine, which other programs could disturb."""
    locking: bool = True
    """Whether it needs this machine for itself."""


def _prepared(context: BuildContext, step: Step, probed: Sequence[Row] = ()) -> Prepared:
    compilers = context.compilers() | engines(context.catalog, context.cache, probed)
    return Prepared(this_machine(compilers, context.allocators()), [step])


def _times(plan: Plan, inputs: Inputs, earlier: Run | None) -> Prepared:
    rows, specs = inputs.rows(plan.rows), inputs.specs(plan.datasets)
    names = Configuration.__struct_fields__
    context = inputs.context(
        [
            msgspec.convert(dict(zip(names, words, strict=False)), Configuration)
            for words in plan.configurations
        ]
    )
    return _prepared(context, Timed(context, rows, specs, inputs.limits, earlier, inputs.generated))


def _growth(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    context = inputs.context()
    rows = inputs.rows(plan.rows)
    return _prepared(context, GrowthStep(context, rows, plan.datasets, plan.sizes, inputs.limits))


def _fidelity(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return _prepared(context, FidelityStep(context, rows), rows)


def _limits(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return _prepared(context, LimitsStep(context, rows, plan.heap_mb), rows)


def _strict(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return _prepared(context, StrictStep(context, rows, plan.damaged or 0), rows)


def _platforms(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    return Prepared(*platform.prepare(plan, inputs))


KINDS: Mapping[RunKind, KindOfRun] = {
    "times": KindOfRun(prepare=_times, results="samples"),
    "growth": KindOfRun(prepare=_growth, results="samples"),
    "fidelity": KindOfRun(prepare=_fidelity, results="fidelity"),
    "limits": KindOfRun(prepare=_limits, results="payloads"),
    "strict": KindOfRun(prepare=_strict, results="strict"),
    "platforms": KindOfRun(prepare=_platforms, results="rows", counting=True),
    "board": KindOfRun(prepare=_platforms, results="rows", counting=True, locking=False),
}


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


def carry_out(request: RunRequest) -> None:
    """Carry out a run: run file and reports, tables, exit status.

    Nothing stays of a run that measured nothing. Raises UserError, and typer.Exit with a status other than 0.
    """
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
    kind = KINDS[settings.plan.kind]
    prepared = kind.prepare(settings.plan, inputs, request.earlier)
    settings = msgspec.structs.replace(settings, references=inputs.catalog.references)
    with stages(err) as progress:
        session = RunSession(
            settings, prepared.machine, request.target, kind.results, progress, request.interrupted
        )
        with session.running(inputs.ignore_lock, kind.counting, kind.locking, waiting):
            for sentence in [*request.notes, *([] if kind.counting else look(err))]:
                session.note(sentence)
            for step in prepared.steps:
                step.run(session)
    return session


class Fleet(msgspec.Struct, frozen=True):
    """The machines behind --on."""

    on: str
    certificates: Path | None
    force: bool = False

    def carry_out(self, request: RunRequest) -> None:
        """Do there what `carry_out` does here."""
        from serbench.commands.on import carry_out_on  # which loads what nothing else needs

        carry_out_on(self.on, self.certificates, request, self.force)
