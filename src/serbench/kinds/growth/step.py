"""`serbench growth`: the same rows on records of growing size, each size finished before the next."""

from collections.abc import Sequence
from functools import partial

import msgspec

from serbench.catalog.records import Row
from serbench.datasets.limits import without_schema
from serbench.errors import UserError
from serbench.files import scratch
from serbench.kinds.growth.plan import (
    LARGE_MB,
    SIZES,
    Choice,
    Key,
    SizeCost,
    choose,
    growth_of,
    row_seconds,
    share,
    spec_of,
    warmup_calls,
)
from serbench.measure.calibration import MeasurementTask
from serbench.measure.launches import typical
from serbench.measure.plan import Group
from serbench.measure.records import Failure, Overhead, Plan, Sample, Stop
from serbench.results.schema import Run
from serbench.run.context import BuildContext
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, companions, prepared
from serbench.run.proving import VerifiedDataset, prove
from serbench.run.readers import needed_rows
from serbench.run.resume import budget_left, known_rows
from serbench.run.sampling import begin, sample, watching
from serbench.run.session import RunSession
from serbench.run.tasks import groups_of
from serbench.verify.proof_cache import ProofCache
from serbench.worker.bounds import FREE_SHARE, free_memory
from serbench.worker.process import Limits

OVERRUN = 0.15
"""A size that has been begun may take such a part of the budget more, since half a point is none."""
MOST_BIAS = 3.0


class GrowthStep:
    """Measures `rows` on `kinds` of data at one of the `sizes` in megabytes after the other."""

    def __init__(
        self,
        context: BuildContext,
        rows: Sequence[Row],
        kinds: Sequence[str],
        sizes: Sequence[float],
        limits: Limits,
    ) -> None:
        """Raises UserError if no contender but the references takes any of the `kinds`."""
        self.context = context
        self.sizes = sizes
        self.limits = limits
        self.references = frozenset(growth.reference for growth in growth_of(context.catalog).values())
        schemas = {kind: spec_of(kind, SIZES[0]).schema for kind in kinds}
        self.rows = [
            (row, kind)
            for kind, schema in schemas.items()
            for row in rows
            if not row.contender.generated and without_schema(row.contender.manifest.schemas, schema) is None
        ]
        if all(self.is_reference(row) for row, _ in self.rows):
            raise UserError(f"none of these contenders accepts {' or '.join(kinds)}")

    def is_reference(self, row: Row) -> bool:
        """Whether the row is none that is compared with a reference."""
        return row.contender.id in self.references or row.contender.manifest.role != "contender"

    def run(self, session: RunSession) -> None:
        """Measure all sizes for which there is time; of a run that is resumed, those that it has not."""
        begun = begun_sizes(session.run, self.sizes, list(dict.fromkeys(kind for _, kind in self.rows)))
        rows = list({row.id: row for row, _ in self.rows}.values())
        beside = list(companions("growth"))
        wanted = needed_rows(self.context, rows)
        wanted += [row for companion in beside for row in companion.rows(self.context, rows)]
        session.progress.build(self.context, list({row.id: row for row in wanted}.values()))
        for companion in beside:
            companion.keep(session, self.context, rows)
        left = budget_left(session.run)
        end = begin(session, session.run.settings.budget_seconds or 0.0 if left is None else left)
        with watching(session):
            GrowingSizes(self, session, end).run(begun)


def prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    """What a plan means here. Raises UserError."""
    context = inputs.context()
    step = GrowthStep(context, inputs.rows(plan.rows), plan.datasets, plan.sizes, inputs.limits)
    return prepared(context, step)


def begun_sizes(run: Run, sizes: Sequence[float], kinds: Sequence[str]) -> list[float]:
    """The sizes with samples, of which the last may lack some; drops what `run` recorded of others."""
    sampled = {record.row for record in run.samples}
    datasets = {row.dataset for row in run.rows if row.id in sampled}
    begun = [mb for mb in sizes if any(spec_of(kind, mb).name in datasets for kind in kinds)]
    names = {spec_of(kind, megabytes).name for kind in kinds for megabytes in begun}
    run.rows = [row for row in run.rows if row.dataset in names]
    run.datasets = [dataset for dataset in run.datasets if dataset.name in names]
    ids = {row.id for row in run.rows}  # the others' are given again, to other rows
    run.overheads = [overhead for overhead in run.overheads if overhead.row in ids]
    run.failures = [failure for failure in run.failures if failure.row in ids]
    run.stops = [stop for stop in run.stops if stop.dataset in names]
    return begun


class GrowingSizes:
    """The sizes of a step, one after the other, as long as there is time and memory."""

    def __init__(self, step: GrowthStep, session: RunSession, end: float) -> None:
        """Measures until `end` on the session's clock."""
        self.context, self.sizes, self.limits = step.context, step.sizes, step.limits
        self.references, self._is_reference = step.references, step.is_reference
        self.session = session
        self.budget = session.run.settings.budget_seconds or 0.0
        self.end = end
        self.progress = session.progress.measuring()
        self.proofs = ProofCache(step.context.cache / "proofs")
        self._rows = step.rows
        self._bias = 1.0
        """How much longer the last size took than was expected."""
        self._known: dict[Key, SizeCost] = {}
        self._too_large = False
        """Whether it was the memory that ended it, and not the time."""

    def run(self, begun: Sequence[float]) -> None:
        """Measure the sizes; those of an interrupted run that were `begun` are done but for the last."""
        for place, megabytes in enumerate(self.sizes):
            if megabytes in begun[:-1]:
                continue
            resumed = megabytes in begun
            choice = self._recorded(megabytes) if resumed else self._choose(megabytes, place)
            if choice is None:
                self._note_rest(self.sizes[place:])
                break
            self._size(megabytes, choice, resumed)

    def _recorded(self, megabytes: float) -> Choice:
        """The rows that an interrupted run chose for a size."""
        chosen = {(row.row, row.dataset) for row in self.session.run.rows}
        rows = [(row, kind) for row, kind in self._rows if (row.id, spec_of(kind, megabytes).name) in chosen]
        return Choice(rows=rows, seconds=0.0, too_slow=[], too_large=[])

    @property
    def _reference(self) -> str:
        """The references' names as shown."""
        names = {row.contender.manifest.name for row, _ in self._rows if row.contender.id in self.references}
        return " and ".join(sorted(names))

    @property
    def _left(self) -> float:
        return self.end - self.session.clock()

    def _choose(self, megabytes: float, place: int) -> Choice | None:
        """The rows for this size; None if there is no time for a reference and one other."""
        costs, memory_of = {}, {}
        for row, kind in self._rows:
            known = self._known.get((row.id, kind))
            warmup = self.context.catalog.harness(row.contender.manifest.language).warmup_seconds
            costs[row.id, kind] = self._bias * row_seconds(row, known, megabytes, warmup)
            memory_of[row.id, kind] = known.at(megabytes).memory if known else 0
        memory = int(FREE_SHARE * free_memory())
        seconds = share(self._left, self.sizes[place:])
        chosen = choose(self._rows, costs, memory_of, self.references, seconds, memory)
        alone = all(self._is_reference(row) for row, _ in chosen.rows)
        if self.session.run.rows and (chosen.seconds > self._left or alone):
            self._too_large = alone and bool(chosen.too_large) and not chosen.too_slow
            return None
        for keys, reason in (
            (chosen.too_slow, "the budget has no room for them"),
            (chosen.too_large, "there is too little memory for them"),
        ):
            if keys:
                names = ", ".join(
                    f"{row_id} on {kind} (about {costs[row_id, kind]:.0f} s)" for row_id, kind in keys
                )
                self.session.note(f"From {megabytes:g} MB on {names} left out: {reason}.")
        self._rows = chosen.rows
        return chosen

    def _note_rest(self, sizes: Sequence[float]) -> None:
        reference = self._reference
        names = ", ".join(f"{size:g}" for size in sizes)
        if all(self._is_reference(row) for row, _ in self._rows):
            reason = f"no library is left but {reference}."
        elif self._too_large:
            reason = f"there is too little memory for {reference} with one other library at {sizes[0]:g} MB."
        else:
            reason = (
                f"the budget of {self.budget:g} s has {max(0.0, self._left):.0f} s left, and {reference} "
                f"with one other library would need more at {sizes[0]:g} MB. A larger --budget, or fewer "
                "--contenders, reach further."
            )
        self.session.note(f"{names} MB left out: {reason}")

    def _size(self, megabytes: float, choice: Choice, resumed: bool) -> None:
        """Prove and measure all rows at one size; of one that is `resumed`, what is missing."""
        session, before = self.session, self.session.clock()
        kinds = list(dict.fromkeys(kind for _, kind in choice.rows))
        specs = [spec_of(kind, megabytes) for kind in kinds]
        names = [spec.name for spec in specs]
        first = sum(row.dataset not in names for row in session.run.rows)
        with scratch() as folder:
            proven: list[VerifiedDataset] = []
            verified = session.progress.counter(f"Verifying {megabytes:g} MB", len(choice.rows))
            for spec, kind in zip(specs, kinds, strict=True):
                rows = [row for row, its_kind in choice.rows if its_kind == kind]
                below = folder / str(len(proven))
                start = first + sum(len(item.rows) for item in proven)
                made = self.context.datasets([spec])
                proven += prove(self.context, rows, made, below, self.limits, verified, self.proofs, start)
            if resumed:
                known_rows(session.run, proven)
            for item in proven:
                session.keep(item.record)
                for record, _, _ in item.rows:
                    session.keep(record)
            groups = [self._prepared(group, megabytes) for group in self._merged(proven)]
            deadline = self.end + OVERRUN * self.budget
            emit = partial(self._emit, names)
            sample(session, groups, deadline, self.limits, emit, self._show)
        self._learn(megabytes, kinds, proven)
        if not resumed:
            found = (session.clock() - before) / choice.seconds
            self._bias = min(MOST_BIAS, max(1 / MOST_BIAS, self._bias * found))

    def _merged(self, proven: Sequence[VerifiedDataset]) -> list[Group]:
        """One group for each test: all kinds of a size are sampled in the same launches."""
        merged: dict[str, Group] = {}
        for group in groups_of(self.context.catalog, proven):
            known = merged.setdefault(group.test, msgspec.structs.replace(group, rows=[]))
            known.rows.extend(group.rows)
        return list(merged.values())

    def _prepared(self, group: Group, megabytes: float) -> Group:
        """The group with references in every block, and with no longer a warm-up than its payload needs."""
        references = {row.id for row in self.session.run.rows if row.contender_id in self.references}

        def prepared(row: MeasurementTask) -> MeasurementTask:
            return msgspec.structs.replace(
                row,
                anchor=row.id in references,
                warmup_calls=warmup_calls(row.warmup_calls, megabytes),
                warmup_seconds=0.0 if megabytes >= LARGE_MB else row.warmup_seconds,
            )

        return msgspec.structs.replace(group, rows=[prepared(row) for row in group.rows])

    def _emit(self, names: Sequence[str], record: Sample | Overhead | Failure | Stop) -> None:
        if not isinstance(record, Stop):
            self.session.keep(record)
            return
        for name in names:
            self.session.keep(msgspec.structs.replace(record, dataset=name))

    def _show(self, _share: float, what: str) -> None:
        self.progress(max(0.0, min(1.0, 1 - self._left / self.budget)), what)

    def _learn(self, megabytes: float, kinds: Sequence[str], proven: Sequence[VerifiedDataset]) -> None:
        """Keep what each row took; one that failed takes no further part."""
        run = self.session.run
        failed = {failure.row for failure in run.failures}
        samples: dict[int, list[Sample]] = {}
        for taken in run.samples:
            samples.setdefault(taken.row, []).append(taken)
        self._known = {}
        for kind, item in zip(kinds, proven, strict=True):
            for record, _, verdict in item.rows:
                if record.id in samples and record.id not in failed:
                    self._known[record.row, kind] = SizeCost(
                        megabytes=megabytes,
                        seconds=typical(samples[record.id]) / 1e9,
                        memory=verdict.max_rss,
                    )
        self._rows = [(row, kind) for row, kind in self._rows if (row.id, kind) in self._known]
