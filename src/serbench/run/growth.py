"""`serbench growth`: the same rows on records of growing size, each size finished before the next."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows
from serbench.datasets.limits import without_schema
from serbench.datasets.spec import GROWING, Spec, parse_spec
from serbench.errors import UserError, unknown
from serbench.measure.calibration import MeasurementTask
from serbench.measure.launches import typical
from serbench.measure.plan import Group
from serbench.measure.precision import settings_for
from serbench.measure.records import Failure, Sample, Settings, Stop
from serbench.results.schema import Run
from serbench.run.counting import groups_of
from serbench.run.growth_plan import (
    LARGE_MB,
    LAUNCHES,
    SAMPLE_SECONDS,
    SIZES,
    Choice,
    Key,
    Known,
    choose,
    row_seconds,
    share,
    warmup_calls,
)
from serbench.run.proving import VerifiedDataset, prove
from serbench.run.session import Progress, Session
from serbench.worker.bounds import FREE_SHARE, free_memory

REFERENCE = "javascript/json"
LANGUAGE = "javascript"
TESTS = ("write", "tree")
CONTENDERS = (
    *("json", "avsc", "js-binary", "bson"),
    *("protobufjs", "pbf", "google-protobuf", "protons", "protons-1", "protons-protobufjs"),
)
"""The libraries of the 2020 comparison, for which no --contenders is needed."""
SETTINGS = (
    *("avsc-optional", "avsc-inferred", "avsc-unmapped"),
    *("js-binary-optional", "js-binary-json", "js-binary-unmapped"),
)
"""The same libraries with the comparison's settings, added where data have another shape than maps."""
OVERRUN = 1.15
"""A size that has been begun may take the budget so far beyond its end, since half a point is none."""
MOST_BIAS = 3.0

ProgressFactory = Callable[[str, int], Callable[[], None]]


def growth_settings(command: Sequence[str], budget: float, seed: int) -> Settings:
    """The settings of a growth run: few launches, and samples no longer than intervals need."""
    usual = settings_for("quick", command, budget, (), seed, fragment=True, instructions=False)
    return msgspec.structs.replace(
        usual, launches=LAUNCHES, max_launches=LAUNCHES, seconds_per_launch=SAMPLE_SECONDS, growth=True
    )


def growth_sizes(texts: Sequence[str]) -> list[float]:
    """The sizes that --sizes names, in ascending order; all of the ladder if none. Raises UserError."""
    if not texts:
        return list(SIZES)
    return sorted({parse_spec(f"{GROWING[0]}:{text}").megabytes for text in texts})


def growth_kinds(texts: Sequence[str]) -> list[str]:
    """The kinds of data that --datasets names: `records`, `records:unmapped`. Raises UserError."""
    kinds = []
    for text in texts or [GROWING[0]]:
        if text.partition(":")[0] not in GROWING:
            raise unknown("kind of growing data", text.partition(":")[0], GROWING)
        spec_of(text, SIZES[0])
        kinds.append(text)
    return list(dict.fromkeys(kinds))


def spec_of(kind: str, megabytes: float) -> Spec:
    """The dataset of a kind at a size. Raises UserError for a kind with anything but a shape."""
    base, _, shape = kind.partition(":")
    return parse_spec(":".join([base, f"{megabytes:g}", *([shape] if shape else [])]))


def growth_rows(catalog: Catalog, patterns: Sequence[str], kinds: Sequence[str] = ()) -> list[Row]:
    """The rows of the chosen contenders or those usual for `kinds` of data, of JSON and baselines.

    Raises UserError for an unknown contender.
    """
    shaped = any(spec_of(kind, SIZES[0]).shape for kind in kinds)
    usual = [*CONTENDERS, *SETTINGS] if shaped else CONTENDERS
    wanted = [*(patterns or usual), REFERENCE]
    rows = select_rows(catalog, TESTS, (LANGUAGE,), wanted)
    return [row for row in rows if not row.variant and row.contender.manifest.role != "floor"]


def _is_reference(row: Row) -> bool:
    """Whether there is nothing in the row to be held against JSON."""
    return row.contender.id == REFERENCE or row.contender.manifest.role != "contender"


class Growth:
    """A growth run in a session. `counted` makes bars for the gate, `progress` shows the time used."""

    def __init__(
        self,
        session: Session,
        rows: Sequence[Row],
        kinds: Sequence[str],
        counted: ProgressFactory,
        progress: Progress,
    ) -> None:
        """Raises UserError if no contender but JSON takes any of the `kinds`."""
        self.session = session
        self.counted = counted
        self.progress = progress
        self.begun = session.clock()
        self.budget = session.settings.budget_seconds or 0.0
        self._bias = 1.0
        """How much longer the last size took than was expected."""
        self._known: dict[Key, Known] = {}
        self._too_large = False
        """Whether it was the memory that ended it, and not the time."""
        schemas = {kind: spec_of(kind, SIZES[0]).schema for kind in kinds}
        self._rows = [
            (row, kind)
            for kind, schema in schemas.items()
            for row in rows
            if without_schema(row.contender.manifest.schemas, schema) is None
        ]
        if all(_is_reference(row) for row, _ in self._rows):
            raise UserError(f"none of these contenders takes {' or '.join(kinds)}, so nothing could grow")

    def run(self, sizes: Sequence[float]) -> Run:
        """Measure all `sizes` for which there is time, and complete the run file.

        An interruption ends it; what was measured until then is kept.
        """
        taken = list({row.id: row for row, _ in self._rows}.values())
        self.session.probe(taken, self.counted)
        self.begun = self.session.clock()
        with self.session.keeping():
            self.session.begin(self.budget)
            with self.session.watching():
                for place, megabytes in enumerate(sizes):
                    choice = self._choose(megabytes, sizes[place:])
                    if choice is None:
                        self._note_rest(sizes[place:])
                        break
                    self._size(megabytes, choice)
            self.session.run.complete = True
        return self.session.finish()

    @property
    def _left(self) -> float:
        return self.begun + self.budget - self.session.clock()

    def _choose(self, megabytes: float, sizes: Sequence[float]) -> Choice | None:
        """The rows for this size; None if there is no time for JSON and one other."""
        costs, memory_of = {}, {}
        harness = self.session.context.catalog.harnesses[LANGUAGE]
        for row, kind in self._rows:
            known = self._known.get((row.id, kind))
            costs[row.id, kind] = self._bias * row_seconds(row, known, megabytes, harness.warmup_seconds)
            memory_of[row.id, kind] = known.at(megabytes).memory if known else 0
        memory = int(FREE_SHARE * free_memory())
        chosen = choose(
            self._rows, costs, memory_of, frozenset([REFERENCE]), share(self._left, sizes), memory
        )
        alone = all(_is_reference(row) for row, _ in chosen.rows)
        if self.session.run.rows and (chosen.seconds > self._left or alone):
            self._too_large = alone and bool(chosen.too_large) and not chosen.too_slow
            return None
        for keys, reason in (
            (chosen.too_slow, "the budget has no room for them"),
            (chosen.too_large, "the memory is too small for them"),
        ):
            if keys:
                names = ", ".join(
                    f"{row_id} on {kind} (about {costs[row_id, kind]:.0f} s)" for row_id, kind in keys
                )
                self.session.note(f"From {megabytes:g} MB on {names} left out: {reason}.")
        self._rows = chosen.rows
        return chosen

    def _note_rest(self, sizes: Sequence[float]) -> None:
        names = ", ".join(f"{size:g}" for size in sizes)
        if all(_is_reference(row) for row, _ in self._rows):
            reason = "no library is left but JSON."
        elif self._too_large:
            reason = f"the memory is too small for JSON with one other library at {sizes[0]:g} MB."
        else:
            reason = (
                f"the budget of {self.budget:g} s has {max(0.0, self._left):.0f} s left, and JSON with one "
                f"other library would need more at {sizes[0]:g} MB. A larger --budget, or fewer "
                "--contenders, reach further."
            )
        self.session.note(f"{names} MB left out: {reason}")

    def _size(self, megabytes: float, choice: Choice) -> None:
        """Prove and measure all rows at one size."""
        session, before = self.session, self.session.clock()
        limits = session.limits
        with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
            proven: list[VerifiedDataset] = []
            kinds = list(dict.fromkeys(kind for _, kind in choice.rows))
            verified = self.counted(f"Verifying {megabytes:g} MB", len(choice.rows))
            for number, kind in enumerate(kinds):
                rows = [row for row, its_kind in choice.rows if its_kind == kind]
                made = session.context.datasets([spec_of(kind, megabytes)])
                first = len(session.run.rows) + sum(len(item.rows) for item in proven)
                below = Path(folder) / str(number)
                proven += prove(session.context, rows, made, below, limits, verified, session.memory, first)
            session.record(proven)
            groups = [self._prepared(group, megabytes) for group in self._merged(proven)]
            names = [item.record.name for item in proven]
            deadline = self.begun + OVERRUN * self.budget
            session.sample(groups, deadline, limits, lambda record: self._emit(record, names), self._show)
        self._learn(megabytes, kinds, proven)
        found = (session.clock() - before) / choice.seconds
        self._bias = min(MOST_BIAS, max(1 / MOST_BIAS, self._bias * found))

    def _merged(self, proven: Sequence[VerifiedDataset]) -> list[Group]:
        """One group for each test: all kinds of a size are sampled in the same launches."""
        merged: dict[str, Group] = {}
        for group in groups_of(self.session.context.catalog, proven):
            known = merged.setdefault(group.test, msgspec.structs.replace(group, rows=[]))
            known.rows.extend(group.rows)
        return list(merged.values())

    def _prepared(self, group: Group, megabytes: float) -> Group:
        """The group with JSON in every block, and with no longer a warm-up than its payload needs."""
        references = {row.id for row in self.session.run.rows if row.contender_id == REFERENCE}

        def prepared(row: MeasurementTask) -> MeasurementTask:
            return msgspec.structs.replace(
                row,
                anchor=row.id in references,
                warmup_calls=warmup_calls(row.warmup_calls, megabytes),
                warmup_seconds=0.0 if megabytes >= LARGE_MB else row.warmup_seconds,
            )

        return msgspec.structs.replace(group, rows=[prepared(row) for row in group.rows])

    def _emit(self, record: Sample | Failure | Stop, names: Sequence[str]) -> None:
        if not isinstance(record, Stop):
            self.session.recorder.emit(record)
            return
        for name in names:
            self.session.recorder.emit(msgspec.structs.replace(record, dataset=name))

    def _show(self, _share: float, what: str) -> None:
        self.progress(min(1.0, (self.session.clock() - self.begun) / self.budget), what)

    def _learn(self, megabytes: float, kinds: Sequence[str], proven: Sequence[VerifiedDataset]) -> None:
        """Keep what each row took; one that failed takes no further part."""
        run = self.session.run
        failed = {failure.row for failure in run.failures}
        samples: dict[int, list[Sample]] = {}
        for sample in run.samples:
            samples.setdefault(sample.row, []).append(sample)
        self._known = {}
        for kind, item in zip(kinds, proven, strict=True):
            for record, _, verdict in item.rows:
                if record.id in samples and record.id not in failed:
                    self._known[record.row, kind] = Known(
                        megabytes=megabytes,
                        seconds=typical(samples[record.id]) / 1e9,
                        memory=verdict.max_rss,
                    )
        self._rows = [(row, kind) for row, kind in self._rows if (row.id, kind) in self._known]
