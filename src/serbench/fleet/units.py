"""What a client asks machines to measure, and what they say: records that are checked when they arrive.

A unit is one group of a run: a test on a dataset in a profile, in all its configurations. It is small, it is
JSON, and it names only what every checkout of the same revision has.
"""

import hashlib
from collections.abc import Sequence
from typing import Annotated, Literal, TypeVar

import msgspec

from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog
from serbench.datasets.spec import KINDS as DATASET_KINDS
from serbench.errors import UserError, readable
from serbench.measure.records import Settings
from serbench.results.schema import Machine, Revision, Run

T = TypeVar("T")
MOST_UNITS = 10_000
LARGEST_UNIT = 1 << 18
LARGEST_RESULT = 1 << 28
_KEY = r"^[0-9a-f]{16}/[0-9]{1,6}$"

Key = Annotated[str, msgspec.Meta(pattern=_KEY)]
"""Which unit of which run: the run's digest, and a number."""
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]
"""The name of a machine."""
Word = Annotated[str, msgspec.Meta(max_length=200)]


class Unit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One group, wholly measured on one machine."""

    key: Key
    revision: Word
    """The digest of the sources of the serbench that asks: no other measures it."""
    test: Word
    dataset: Word
    profile: Literal["speed", "size"]
    configurations: Annotated[list[list[Word]], msgspec.Meta(min_length=1, max_length=100)]
    rows: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=2000)]
    precision: Literal["quick", "full"]
    seed: Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] = 0
    budget: Annotated[float, msgspec.Meta(gt=0, le=365 * 86_400)] | None = None
    fragment: bool = True
    instructions: bool = False
    machine: Name | None = None
    """The only machine that may measure it; None for any of `kind`."""
    kind: Word = ""
    """The kind of machines that may take it; empty for any."""

    @property
    def run(self) -> str:
        """The digest of its run."""
        return self.key.partition("/")[0]

    @property
    def group(self) -> tuple[str, str, str]:
        """Which group of its run it is."""
        return (self.test, self.dataset, self.profile)


class Worker(msgspec.Struct, frozen=True, kw_only=True):
    """A machine that has joined, as it describes itself."""

    name: Name
    revision: Revision
    software: Word
    """A digest of the lock of what a fleet speaks with, and the version of Python."""
    machine: Machine
    pace_ns: Annotated[int, msgspec.Meta(ge=0, le=2**62)] = 0
    """The least time of a fixed piece of work."""
    noise: Annotated[list[Word], msgspec.Meta(max_length=20)] = []
    """What disturbed it when it joined."""

    @property
    def kind(self) -> str:
        """A digest of all in which machines that share a run must be equal."""
        return kind_of(self.machine)


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a unit: the run file that a machine made of it, or why there is none."""

    key: str
    machine: Annotated[str, msgspec.Meta(max_length=64, pattern=r"^[A-Za-z0-9._-]*$")]
    """Its name; empty if machines were lost with the unit."""
    worker: bytes = b""
    """The machine's description, a Worker as JSON."""
    run: bytes = b""
    error: str = ""


def offered(worker: Worker) -> dict[str, int]:
    """What a machine has one of, as Dask's resources: so it gets one unit at a time, of those for it."""
    return {"machine": 1, f"machine {worker.name}": 1, f"kind {worker.kind}": 1}


def needed(unit: Unit) -> dict[str, int]:
    """What a unit needs of a machine, as Dask's resources."""
    found = {"machine": 1}
    if unit.machine is not None:
        found[f"machine {unit.machine}"] = 1
    if unit.kind:
        found[f"kind {unit.kind}"] = 1
    return found


def kind_of(machine: Machine) -> str:
    """The kind of `machine`: its processor's model, and the versions of all that takes part in a time."""
    same = [machine.cpu, machine.architecture, machine.cores, machine.system, machine.libc, machine.kernel]
    return hashlib.sha256(msgspec.json.encode([*same, sorted(machine.compilers.items())])).hexdigest()[:16]


def kind_differences(one: Machine, other: Machine) -> list[str]:
    """In what two machines are not of one kind, with both values."""
    found = [
        f"{name}: {getattr(one, name)}, and {getattr(other, name)}"
        for name in ("cpu", "architecture", "cores", "system", "libc", "kernel")
        if getattr(one, name) != getattr(other, name)
    ]
    for language in sorted({*one.compilers, *other.compilers}):
        ours, theirs = one.compilers.get(language, "none"), other.compilers.get(language, "none")
        if ours != theirs:
            found.append(f"{language}: {ours}, and {theirs}")
    return found


def decoded(data: object, kind: type[T], most: int = LARGEST_UNIT) -> T:
    """JSON that came over the network as a `kind`. Raises UserError for anything else."""
    if not isinstance(data, bytes) or len(data) > most:
        raise UserError(f"what arrived is no {kind.__name__.lower()} of serbench")
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UserError(f"what arrived is no {kind.__name__.lower()} of serbench: {error}") from error


def run_digest(run: Run) -> str:
    """What tells the units of `run` from those of others, also when it is resumed."""
    settings = msgspec.structs.replace(run.settings, plan=None)
    return hashlib.sha256(msgspec.json.encode([run.id, run.started, settings])).hexdigest()[:16]


def units_of(
    settings: Settings, run: str, revision: str, catalog: Catalog, machine: str | None = None, kind: str = ""
) -> list[Unit]:
    """The units of the run whose digest is `run`, numbered in the order of its plan."""
    plan = settings.plan
    assert plan is not None
    roles = {row.id: row.role for row in catalog.rows(generated=True)}
    tests: dict[str, list[str]] = {}
    for row in plan.rows:
        tests.setdefault(row.split(":")[1], []).append(row)
    profiles: dict[str, list[list[str]]] = {}
    for words in plan.configurations:
        profiles.setdefault(words[0], []).append(words)
    return [
        Unit(
            key=f"{run}/{number}",
            revision=revision,
            test=test,
            dataset=dataset,
            profile=msgspec.convert(profile, Literal["speed", "size"]),
            configurations=configurations,
            rows=rows,
            precision=settings.precision,
            seed=settings.seed,
            fragment=settings.fragment,
            instructions=settings.instructions,
            machine=machine,
            kind=kind,
        )
        for number, (profile, configurations, dataset, test, rows) in enumerate(
            (profile, configurations, dataset, test, rows)
            for profile, configurations in profiles.items()
            for dataset in plan.datasets
            for test, rows in tests.items()
            if any(roles.get(row, "contender") == "contender" for row in rows)
        )
    ]


def shared_budget(units: Sequence[Unit], seconds: float, machines: int) -> list[Unit]:
    """The units with their share of `seconds` on each of `machines`, by their number of rows."""
    rows = sum(len(unit.rows) * len(unit.configurations) for unit in units)
    return [
        msgspec.structs.replace(
            unit,
            budget=min(seconds, seconds * machines * len(unit.rows) * len(unit.configurations) / rows),
        )
        for unit in units
    ]


def checked(unit: Unit, catalog: Catalog, revision: str) -> Unit:
    """The unit, if this checkout knows all that it names. Raises UserError for the first that it does not."""
    if unit.revision != revision:
        raise UserError(f"the unit is of another revision (sources {unit.revision}; here {revision})")
    known = {row.id: row for row in catalog.rows(generated=True)}
    for name in unit.rows:
        if name not in known or known[name].test != unit.test:
            raise UserError(f"there is no row '{readable(name)}' of the test '{readable(unit.test)}' here")
    if unit.dataset.partition(":")[0] not in DATASET_KINDS or "/" in unit.dataset:
        raise UserError(f"'{readable(unit.dataset)}' is no dataset that every machine has")
    fields = Configuration.__struct_fields__
    for words in unit.configurations:
        try:
            made = msgspec.convert(dict(zip(fields, words, strict=True)), Configuration)
        except (ValueError, msgspec.ValidationError) as error:
            raise UserError(f"{words} is no configuration: {error}") from error
        if made.profile != unit.profile:
            raise UserError(f"{words} is not a configuration of the profile {unit.profile}")
    return unit
