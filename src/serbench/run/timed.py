"""The step of `serbench run` and `compare`: prove rows, count what is deterministic, and take times."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.build.configuration import Configuration
from serbench.catalog.records import Row
from serbench.datasets.spec import Spec
from serbench.datasets.store import ORDERED
from serbench.files import scratch
from serbench.measure.calibration import expected_seconds
from serbench.measure.plan import Group, Pair, sampling_seconds
from serbench.measure.precision import budget_sentence, usual_budget
from serbench.measure.records import Plan
from serbench.results.schema import RowRecord, Run
from serbench.results.summary import family_of
from serbench.run.context import BuildContext
from serbench.run.counting import Counter
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, RunKind, companions, prepared
from serbench.run.proving import VerifiedDataset, builds_of, prove
from serbench.run.readers import needed_rows
from serbench.run.resume import budget_left, data_differences, known_rows, refuse_other_data
from serbench.run.sampling import begin, sample, watching
from serbench.run.session import RunSession
from serbench.run.tasks import groups_of
from serbench.run.typed import REORDERED, keep_generated, rows_on, with_schemas
from serbench.schemas import text
from serbench.schemas.model import Schema
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import Limits


class Timed:
    """Measures `rows` on the datasets of `specs`; `earlier` is the run that it repeats, if it does.

    The code that is generated for the data is copied to `generated`.
    """

    def __init__(
        self,
        context: BuildContext,
        rows: Sequence[Row],
        specs: Sequence[Spec],
        limits: Limits,
        earlier: Run | None = None,
        generated: Path | None = None,
    ) -> None:
        self.context = context
        self.rows = rows
        self.specs = specs
        self.limits = limits
        self.earlier = earlier
        self.generated = generated
        self.proofs = ProofCache(context.cache / "proofs")

    def run(self, session: RunSession) -> None:
        """Raises UserError for bad data, and where a run to be resumed measured other rows than these."""
        progress = session.progress
        datasets = self.context.datasets(self.specs)
        datasets = with_schemas(self.context, self.rows, datasets, self._given(session))
        for dataset in datasets:
            if dataset.name.endswith(ORDERED):
                session.note(f"{dataset.name}: {REORDERED}")
        for sentence in data_differences(self.earlier, datasets) if self.earlier else ():
            session.note(sentence)
        refuse_other_data(session.run, datasets)
        wanted = {row.id: row for row in needed_rows(self.context, self.rows)}
        for companion in [] if session.run.periods else companions("times"):
            wanted |= {row.id: row for row in companion.rows(self.context, self.rows)}
        progress.build(self.context, list(wanted.values()))
        generated = [row for row in wanted.values() if row.contender.generated]
        for dataset in datasets:
            if dataset.inferred:
                progress.build(self.context, rows_on(generated, dataset))
        began = session.clock()
        with scratch() as folder:
            verified = progress.counter("Verifying", self.context.count(self.rows) * len(datasets))
            proven = prove(self.context, self.rows, datasets, folder, self.limits, verified, self.proofs)
            spent = session.clock() - began
            if self.generated is not None:
                keep_generated(builds_of(proven), self.generated)
            known_rows(session.run, proven)
            if not session.run.periods:
                self._keep(session, proven)
                self._count(session, proven, folder)
                self._keep(session, proven)
            self._measure(session, proven, spent)

    @staticmethod
    def _given(session: RunSession) -> Schema | None:
        """The user's schema."""
        plan = session.run.settings.plan
        return text.read(plan.schema, "the schema") if plan and plan.schema else None

    def _keep(self, session: RunSession, proven: Sequence[VerifiedDataset]) -> None:
        for item in proven:
            session.keep(item.record)
            for record, _, _ in item.rows:
                session.keep(record)

    def _count(self, session: RunSession, proven: Sequence[VerifiedDataset], folder: Path) -> None:
        """Put everything that is counted and not timed into the rows' records."""
        counted = session.progress.counter
        counter = Counter(self.context, proven, self.limits, self.proofs)
        counter.heaps(folder, counted)
        counter.code_sizes(counted)
        counter.loads(counted)
        counter.compressed(counted)
        for row in session.run.rows:
            row.labels = list(dict.fromkeys(row.labels))  # of a resumed run it may be the second time
        if session.run.settings.instructions:
            counter.instructions(counted, session.keep)
        measured = [ready.row for item in proven[:1] for _, ready, _ in item.rows]
        for companion in companions("times"):
            companion.keep(session, self.context, measured)

    def _measure(self, session: RunSession, proven: Sequence[VerifiedDataset], spent: float) -> None:
        run, settings, known = session.run, session.run.settings, self.context.catalog.harnesses
        groups = [
            msgspec.structs.replace(group, pairs=_pairs(run, group))
            for group in groups_of(self.context.catalog, proven)
        ]
        rows = [row for group in groups for row in group.rows]
        harnesses = [known[name] for name in {row.harness for row in run.rows}]
        launch = sum(expected_seconds(row, sampling_seconds(row, settings)) for row in rows)
        usual = usual_budget(settings, len(rows), harnesses, spent, launch)
        left = budget_left(run)
        budget = left if left is not None else settings.budget_seconds or usual
        minutes = max(1, round(min(budget, settings.max_launches * launch) / 60))
        session.progress.say(f"Measuring takes about {minutes} minute{'s' if minutes > 1 else ''}.")
        deadline = begin(session, budget)
        with watching(session):
            measuring = session.progress.measuring(run)
            enough = sample(session, groups, deadline, self.limits, session.keep, measuring)
        if enough is not None:
            session.note(budget_sentence(enough, settings.launches, run.periods[0].budget_seconds))


def _pairs(run: Run, group: Group) -> list[Pair]:
    """The rows of `group` whose ratio a comparison asks for."""
    comparing = run.settings.comparing
    if comparing is None:
        return []
    measured = {row.id for row in group.rows}
    rows = [row for row in run.rows if row.id in measured]
    sides: dict[tuple[str, ...], dict[str, RowRecord]] = {}
    for row in rows:
        sides.setdefault((row.variant, *family_of(row)), {})[row.contender_id] = row
    return [
        Pair(side[comparing.new].id, side[comparing.old].id)
        for side in sides.values()
        if comparing.new in side and comparing.old in side
    ]


def _prepare(plan: Plan, inputs: Inputs, earlier: Run | None) -> Prepared:
    rows, specs = inputs.rows(plan.rows), inputs.specs(plan.datasets)
    names = Configuration.__struct_fields__
    chosen = [dict(zip(names, words, strict=False)) for words in plan.configurations]
    context = inputs.context([msgspec.convert(each, Configuration) for each in chosen])
    return prepared(context, Timed(context, rows, specs, inputs.limits, earlier, inputs.generated))


TIMES = RunKind(name="times", prepare=_prepare, results="samples")
"""The kind of run of `run` and `compare`."""
