"""What `serbench growth` is asked for, what it expects to cost what, and what time and memory allow."""

import math
from collections.abc import Mapping, Sequence

import msgspec

from serbench.catalog.harness import Growth
from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import select_rows
from serbench.datasets.spec import GROWING, Spec, parse_spec
from serbench.errors import unknown
from serbench.measure import plan as measuring
from serbench.measure.precision import settings_for
from serbench.measure.records import Plan, Settings

TESTS = ("write", "tree")
SIZES = (0.1, 0.53, 1.99, 10.4, 39.8, 97.0, 190.0, 371.0)
"""Megabytes: each the name of a step of the 2020 comparison's program, up to its largest."""
LAUNCHES = 3
START_SECONDS = 0.2
TAPE_SECONDS = 0.025
"""Reading a megabyte of the tape."""
PROOFS, JOBS = 4.0, 2.0
"""Iterations that the gate takes for a row, and how many rows it proves at a time."""
LARGE_MB = 30.0
"""From here on a single iteration is longer than any warm-up need be."""
SHARE_CONSTANT = 8.0
DEAR = 2.0
"""A row may be left out for its time only if that is this many times a small payload's."""

Key = tuple[str, str]
"""A row's id, and the kind of the data."""


def growth_settings(budget: float, seed: int, plan: Plan) -> Settings:
    """The settings of a growth run: few launches, and samples no longer than intervals need."""
    usual = settings_for("quick", (), budget, (), seed, fragment=True, instructions=False)
    return msgspec.structs.replace(
        usual,
        launches=LAUNCHES,
        max_launches=LAUNCHES,
        seconds_per_launch=measuring.MEAN_SECONDS,
        growth=True,
        plan=plan,
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


def growth_of(catalog: Catalog) -> dict[str, Growth]:
    """What harnesses state of growth, by language."""
    return {
        language: harness.growth
        for harness in catalog.harnesses.values()
        if harness.growth
        for language in harness.languages
    }


def growth_rows(catalog: Catalog, patterns: Sequence[str], kinds: Sequence[str] = ()) -> list[Row]:
    """The rows of the chosen contenders or those usual for `kinds` of data, of references and baselines.

    Raises UserError for an unknown contender.
    """
    stated = growth_of(catalog)
    shaped = any(spec_of(kind, SIZES[0]).shape for kind in kinds)
    usual = [
        name
        for growth in stated.values()
        for name in (*growth.contenders, *(growth.settings if shaped else ()))
    ]
    chosen = [
        row
        for row in select_rows(catalog, TESTS, list(stated), patterns or usual)
        if row.contender.manifest.role == "contender"
    ]
    languages = {row.contender.manifest.language for row in chosen}
    references = [stated[language].reference for language in sorted(languages)]
    rows = select_rows(catalog, TESTS, sorted(languages), [*(patterns or usual), *references])
    return [row for row in rows if not row.variant and row.contender.manifest.role != "floor"]


class SizeCost(msgspec.Struct, frozen=True, kw_only=True):
    """What a row took at a size."""

    megabytes: float
    seconds: float
    """The time of one iteration."""
    memory: int
    """Bytes that its worker had."""

    def at(self, megabytes: float) -> "SizeCost":
        """The same row at another size, if everything grows in proportion."""
        factor = megabytes / self.megabytes
        return SizeCost(
            megabytes=megabytes, seconds=self.seconds * factor, memory=math.ceil(self.memory * factor)
        )


def warmup_calls(usual: int, megabytes: float) -> int:
    """Untimed calls of a new worker: they pass over as many values as the usual ones do at the least size."""
    return 0 if megabytes >= LARGE_MB else max(1, math.ceil(usual * SIZES[0] / megabytes))


def row_seconds(row: Row, known: SizeCost | None, megabytes: float, warmup: float) -> float:
    """What proving and measuring a row at a size takes; one of which nothing is known yet counts as quick."""
    once = known.at(megabytes).seconds if known else 0.0
    reads_tape = row.test == "write" or row.contender.manifest.role == "baseline"
    start = START_SECONDS + (TAPE_SECONDS * megabytes if reads_tape else 0.0)
    warm = once if megabytes >= LARGE_MB else max(warmup, once)
    launches = LAUNCHES * (start + warm + max(measuring.MEAN_SECONDS, once)) + 2 * once
    proof = START_SECONDS + TAPE_SECONDS * megabytes + PROOFS * once
    return launches + proof / JOBS


def share(left: float, sizes: Sequence[float]) -> float:
    """What the first of `sizes` may use of the seconds that are `left` for all of them.

    A large payload costs more than a small one, but not so much more that it must have all.
    """
    weights = [SHARE_CONSTANT + math.sqrt(size) for size in sizes]
    return left * weights[0] / sum(weights)


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The rows that are measured at a size, and why others are not."""

    rows: list[tuple[Row, str]]
    seconds: float
    too_slow: list[Key]
    too_large: list[Key]


def choose(
    rows: Sequence[tuple[Row, str]],
    costs: Mapping[Key, float],
    memory_of: Mapping[Key, int],
    kept: frozenset[str],
    seconds: float,
    memory: int,
) -> Choice:
    """Choose of `rows` (each with its kind of data) those that fit into `seconds` and `memory` bytes.

    The dearest are left out first; never the contenders `kept`, nor a row that is no dearer than it would
    be with a small payload.
    """

    def stays(row: Row) -> bool:
        return row.contender.id in kept or row.contender.manifest.role != "contender"

    live = [(row, kind) for row, kind in rows]
    must = max([0, *(memory_of.get((row.id, kind), 0) for row, kind in live if stays(row))])
    large = [
        (row, kind)
        for row, kind in live
        if not stays(row) and memory_of.get((row.id, kind), 0) + must > memory
    ]
    live = [item for item in live if item not in large]
    cheap = LAUNCHES * (START_SECONDS + measuring.MEAN_SECONDS + 1.0) * DEAR
    slow: list[Key] = []
    for row, kind in sorted(live, key=lambda item: costs[item[0].id, item[1]], reverse=True):
        need = sum(costs[each.id, its_kind] for each, its_kind in live)
        if need <= seconds or costs[row.id, kind] <= cheap:
            break
        if not stays(row):
            live.remove((row, kind))
            slow.append((row.id, kind))
    return Choice(
        rows=live,
        seconds=sum(costs[row.id, kind] for row, kind in live),
        too_slow=slow,
        too_large=[(row.id, kind) for row, kind in large],
    )
