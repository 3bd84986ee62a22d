"""What a kind of run says of itself: how it is made from its plan, and what is found out beside another."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from serbench.catalog.records import Row
from serbench.kinds import found
from serbench.measure.records import Plan
from serbench.results.machine import this_machine
from serbench.results.schema import Machine, Run
from serbench.run.context import BuildContext
from serbench.run.inputs import Inputs
from serbench.run.probing import engines
from serbench.run.session import RunSession, Step


class Prepared(msgspec.Struct, frozen=True):
    """What a plan means on this machine."""

    machine: Machine
    steps: Sequence[Step]


def prepared(context: BuildContext, step: Step, probed: Sequence[Row] = ()) -> Prepared:
    """A `step` on this machine; toolchains of the `probed` rows are in its record."""
    compilers = context.compilers() | engines(context.catalog, context.cache, probed)
    return Prepared(this_machine(compilers, context.allocators()), [step])


class RunKind(msgspec.Struct, frozen=True, kw_only=True):
    """How a kind of run is carried out."""

    name: str
    """The `kind` of its Plan."""
    prepare: Callable[[Plan, Inputs, Run | None], Prepared]
    """Takes the run that is repeated, too, if one is. Raises UserError."""
    results: str
    """The list of Run without which nothing has been measured."""
    counting: bool = False
    """Whether it takes no times on this machine, which other programs could disturb."""
    locking: bool = True
    """Whether it needs this machine for itself."""


class Companion(msgspec.Struct, frozen=True, kw_only=True):
    """What is found out of libraries beside another kind of run."""

    beside: tuple[str, ...]
    """The kinds of run."""
    keep: Callable[[RunSession, BuildContext, Sequence[Row]], None]
    """Puts what is found out of these rows into the session."""
    rows: Callable[[BuildContext, Sequence[Row]], list[Row]] = lambda _context, _rows: []
    """What must be built for it, of these rows."""


def companions(name: str) -> Iterator[Companion]:
    """Yield what is found out beside a kind of run."""
    return (each for each in found(Companion) if name in each.beside)
