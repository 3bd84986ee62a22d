"""Every kind of run: what its plan means, and how it is carried out, fresh, repeated or resumed."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import msgspec
from rich.console import Console

from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import split
from serbench.commands import platform
from serbench.commands.bootstrap import look, open_catalog, open_context, worker_limits
from serbench.commands.options import chosen_datasets
from serbench.commands.outcome import INTERRUPTED, MISSING, conclude
from serbench.commands.progress import stages
from serbench.datasets.spec import KINDS as DATASET_KINDS
from serbench.datasets.spec import Spec, parse_spec
from serbench.errors import UserError
from serbench.measure.records import Plan, RunKind, Settings
from serbench.platforms.board import SerialLine
from serbench.results.journal import complete, journal_path
from serbench.results.machine import this_machine
from serbench.results.schema import Machine, Run
from serbench.run.context import BuildContext
from serbench.run.growth import GrowthStep
from serbench.run.payloads import LimitsStep
from serbench.run.probing import FidelityStep, engines
from serbench.run.resume import Interrupted, command_for
from serbench.run.session import RunSession, Step
from serbench.run.strictness import StrictStep
from serbench.run.timed import Timed


class Places:
    """Where things are, as the command line says: no run file holds that."""

    def __init__(
        self,
        folders: Sequence[Path] = (),
        uses: Sequence[str] = (),
        data: Sequence[Path] = (),
        prefixes: Sequence[str] = (),
        timeout: float = 60.0,
        ignore_lock: bool = False,
        line: SerialLine | None = None,
        datasets: Sequence[str] = (),
        generated: Path | None = None,
    ) -> None:
        self.folders, self.uses, self.data, self.prefixes = folders, uses, data, prefixes
        self.limits = worker_limits(timeout)
        self.ignore_lock, self.line, self.datasets = ignore_lock, line, datasets
        self.generated = generated
        self.read: list[Path | str] = [*data, *split(datasets)]

    @cached_property
    def catalog(self) -> Catalog:
        """All manifests. Raises UserError."""
        return open_catalog(self.folders, self.uses)

    def context(self, configurations: Sequence[Configuration] = (Configuration(),)) -> BuildContext:
        """What builds in `configurations`. Raises UserError."""
        return open_context(self.catalog, configurations, self.prefixes)

    def rows(self, names: Sequence[str], catalog: Catalog | None = None) -> list[Row]:
        """The rows of these ids. Raises UserError for contenders that are not here."""
        known = {row.id: row for row in (catalog or self.catalog).rows(generated=True)}
        absent = list(dict.fromkeys(name.partition(":")[0] for name in names if name not in known))
        if absent:
            raise UserError(
                f"the run has rows of {', '.join(absent)} that are not here: name their folders with "
                "--contender, or their checkouts with --use"
            )
        if not names:
            raise UserError("the run has no rows to measure")
        return [known[name] for name in names]

    def specs(self, names: Sequence[str]) -> list[Spec]:
        """The datasets of these names. Raises UserError for a file that only one of them and --data names."""
        own = {spec.name: spec for spec in chosen_datasets(self.datasets, self.data, [])}
        specs: list[Spec] = []
        for name in names:
            if name in own:
                specs.append(own.pop(name))
            elif name.partition(":")[0] in DATASET_KINDS:
                specs.append(parse_spec(name))
            else:
                raise UserError(f"the run measured the file {name}: name it with --data FILE")
        if own:
            raise UserError(f"the run did not measure {', '.join(own)}")
        return specs


class Prepared(msgspec.Struct, frozen=True):
    """What a plan means on this machine."""

    machine: Machine
    steps: list[Step]


class KindOfRun(msgspec.Struct, frozen=True, kw_only=True):
    """How a kind of run is made from its plan."""

    prepare: Callable[[Plan, Places, Run | None], Prepared]
    """Takes the run that is repeated, too, if one is. Raises UserError."""
    results: str
    """The list of Run without which nothing has been measured."""
    counting: bool = False
    """Whether it takes no times on this machine, which other programs could disturb."""


def _prepared(context: BuildContext, step: Step, probed: Sequence[Row] = ()) -> Prepared:
    compilers = context.compilers() | engines(context.catalog, context.cache, probed)
    return Prepared(this_machine(compilers, context.allocators()), [step])


def _times(plan: Plan, places: Places, earlier: Run | None) -> Prepared:
    rows, specs = places.rows(plan.rows), places.specs(plan.datasets)
    names = Configuration.__struct_fields__
    context = places.context(
        [
            msgspec.convert(dict(zip(names, words, strict=False)), Configuration)
            for words in plan.configurations
        ]
    )
    return _prepared(context, Timed(context, rows, specs, places.limits, earlier, places.generated))


def _growth(plan: Plan, places: Places, _earlier: Run | None) -> Prepared:
    context = places.context()
    rows = places.rows(plan.rows)
    return _prepared(context, GrowthStep(context, rows, plan.datasets, plan.sizes, places.limits))


def _fidelity(plan: Plan, places: Places, _earlier: Run | None) -> Prepared:
    context, rows = places.context(), places.rows(plan.rows)
    return _prepared(context, FidelityStep(context, rows), rows)


def _limits(plan: Plan, places: Places, _earlier: Run | None) -> Prepared:
    context, rows = places.context(), places.rows(plan.rows)
    return _prepared(context, LimitsStep(context, rows, plan.heap_mb), rows)


def _strict(plan: Plan, places: Places, _earlier: Run | None) -> Prepared:
    context, rows = places.context(), places.rows(plan.rows)
    return _prepared(context, StrictStep(context, rows, plan.damaged or 0), rows)


def _platforms(plan: Plan, places: Places, _earlier: Run | None) -> Prepared:
    return Prepared(*platform.prepare(plan, places))


KINDS: Mapping[RunKind, KindOfRun] = {
    "times": KindOfRun(prepare=_times, results="samples"),
    "growth": KindOfRun(prepare=_growth, results="samples"),
    "fidelity": KindOfRun(prepare=_fidelity, results="fidelity"),
    "limits": KindOfRun(prepare=_limits, results="payloads"),
    "strict": KindOfRun(prepare=_strict, results="strict"),
    "platforms": KindOfRun(prepare=_platforms, results="rows", counting=True),
    "board": KindOfRun(prepare=_platforms, results="rows", counting=True),
}


def carry_out(
    settings: Settings,
    places: Places,
    target: Path,
    notes: Sequence[str] = (),
    earlier: Run | None = None,
    interrupted: Interrupted | None = None,
) -> None:
    """Carry out the plan of `settings`: run file, with `notes`, and reports at `target`, tables, exit status.

    `earlier` is the run that it repeats; of one that was `interrupted` what is missing is measured. Nothing
    stays of a run that measured nothing. Raises UserError, and typer.Exit with a status other than 0.
    """
    out = Console(highlight=False)
    session = measure(settings, places, target, notes, earlier, interrupted)
    try:
        conclude(session.run, target, out, earlier, INTERRUPTED if session.whole else MISSING)
    except KeyboardInterrupt as error:
        error.args = (f"the run file {target} is written, and ./serbench report shows it",)
        raise


def measure(
    settings: Settings,
    places: Places,
    target: Path,
    notes: Sequence[str] = (),
    earlier: Run | None = None,
    interrupted: Interrupted | None = None,
    waiting: bool = False,
) -> RunSession:
    """Do what carry_out does, but report nothing; when `waiting`, after another run of this machine."""
    err = Console(stderr=True, highlight=False)
    assert settings.plan is not None
    kind = KINDS[settings.plan.kind]
    prepared = kind.prepare(settings.plan, places, earlier)
    references = sorted({harness.reference for harness in places.catalog.harnesses.values()} - {""})
    settings = msgspec.structs.replace(settings, references=references)
    with stages(err) as progress:
        session = RunSession(settings, prepared.machine, target, kind.results, progress, interrupted)
        with session.running(places.ignore_lock, kind.counting, places.line is None, waiting):
            for sentence in [*notes, *([] if kind.counting else look(err))]:
                session.note(sentence)
            for step in prepared.steps:
                step.run(session)
    return session


class Fleet(msgspec.Struct, frozen=True):
    """The machines behind --on."""

    on: str
    certificates: Path | None
    force: bool = False

    def carry_out(
        self,
        settings: Settings,
        places: Places,
        target: Path,
        notes: Sequence[str] = (),
        interrupted: Interrupted | None = None,
    ) -> None:
        """Do there what `carry_out` does here."""
        from serbench.commands.on import carry_out_on  # which loads what nothing else needs

        carry_out_on(
            self.on,
            self.certificates,
            settings,
            places.catalog,
            target,
            notes,
            interrupted,
            ignore_lock=places.ignore_lock,
            force=self.force,
        )


def resume(interrupted: Interrupted, places: Places, fleet: Fleet | None = None) -> None:
    """Measure what is missing of an interrupted run. Raises UserError where it can no longer be the same."""
    run, target = interrupted.run, interrupted.target
    if bool(run.hosts) != (fleet is not None) and not run.complete:
        how = "was measured on many machines: add --on ADDRESS" if run.hosts else "has no --on: leave it out"
        raise UserError(f"the run {how}")
    if (run.settings.plan is not None and run.settings.plan.kind == "board") != (places.line is not None):
        raise UserError(f"that run is finished with {command_for(run, target)}")
    if run.complete:
        with interrupted.held():
            complete(run, target)
            journal_path(target).unlink(missing_ok=True)
        conclude(run, target, Console(highlight=False))
        return
    try:
        if fleet is not None:
            fleet.carry_out(run.settings, places, target, interrupted=interrupted)
        else:
            carry_out(run.settings, places, target, interrupted=interrupted)
    except KeyboardInterrupt as error:
        error.args = (f"nothing more was measured; {command_for(run, target)} goes on",)
        raise
