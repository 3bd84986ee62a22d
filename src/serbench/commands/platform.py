"""`serbench count` and `collect`: what they ask for, and their steps (see carry_out.py)."""

from collections.abc import Sequence
from pathlib import Path

from serbench.catalog.load import load_catalog
from serbench.catalog.records import PROFILES
from serbench.catalog.selection import select_rows
from serbench.datasets.store import Store
from serbench.errors import UserError, unknown
from serbench.measure.records import Plan
from serbench.platforms.board import BoardInputs, BoardOnly, BoardRun
from serbench.platforms.firmware.documents import (
    Document,
    load_document,
    load_documents,
    stated_documents,
)
from serbench.platforms.linux import CrossBuildContext, LinuxRun, buildable
from serbench.platforms.load import load_platforms
from serbench.platforms.microcontroller import MicrocontrollerRun
from serbench.platforms.records import Board, LinuxPlatform, Microcontroller, PlatformManifest
from serbench.project import ROOT
from serbench.results.machine import this_machine
from serbench.results.schema import Machine, Run
from serbench.run.context import BuildContext
from serbench.run.inputs import Inputs, open_context
from serbench.run.session import Step


def firmware_context(prefix: Sequence[str] = ()) -> BuildContext:
    """What provides the libraries of firmware contenders and reads documents. Raises UserError."""
    return open_context(load_catalog(ROOT, place="microcontroller"), prefixes=prefix)


def documents_of(data: Sequence[Path], store: Store) -> list[Document]:
    """The user's documents, or the project's own if there is none. Raises UserError."""
    for path in data:
        if not path.exists():
            raise UserError(f"there is no file '{path}'")
    if not data:
        return load_documents(ROOT, store)
    documents = [load_document(path, store) for path in data]
    names = [document.name for document in documents]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two files are named {name}: on a platform each document's name is its own")
    return documents


def found_platforms(names: Sequence[str]) -> list[PlatformManifest]:
    """The platforms of these names. Raises UserError for an unknown one, and for kinds of different rows."""
    known = load_platforms(ROOT)
    for name in names:
        if name not in known:
            raise unknown("platform", name, known)
    found = [known[name] for name in dict.fromkeys(names)]
    if not found:
        raise UserError("--platform names no platform")
    boards = [board for board in found if isinstance(board, Board)]
    if len(boards) == len(found):
        raise UserError("; ".join(f"{board.name} is board-only: {board.reason}" for board in boards))
    if 0 < sum(isinstance(one, LinuxPlatform) for one in found) < len(found):
        raise UserError(
            "microcontrollers and an emulated Linux have rows of different kinds: "
            "let each have a run of its own"
        )
    return found


def is_linux(found: Sequence[PlatformManifest]) -> bool:
    """Whether these platforms are emulated Linux, which has the ordinary rows."""
    return isinstance(found[0], LinuxPlatform)


def firmware_plan(found: Sequence[PlatformManifest], contenders: Sequence[str], data: Sequence[Path]) -> Plan:
    """What --contenders and --data ask for on microcontrollers. Raises UserError."""
    context = firmware_context()
    rows = select_rows(context.catalog, contenders=contenders)
    return Plan(
        kind="platforms",
        rows=[row.id for row in rows if row.role == "contender"],
        datasets=[document.name for document in documents_of(data, context.store)],
        platforms=[one.name for one in found],
    )


def plan_of_counts(earlier: Run) -> Plan:
    """The plan of a run on emulated platforms. Raises UserError for a run of a real board."""
    if any(known.kind == "board" for known in earlier.platforms):
        raise UserError(
            "that run is of a real board, which cannot be repeated: start ./serbench collect again"
        )
    profiles = {row.profile for row in earlier.rows}
    return earlier.settings.plan or Plan(
        kind="platforms",
        rows=list(dict.fromkeys(row.row for row in earlier.rows)),
        datasets=list(dict.fromkeys(row.dataset for row in earlier.rows)),
        configurations=[[profile, "", "system"] for profile in PROFILES if profile in profiles],
        platforms=[known.name for known in earlier.platforms],
    )


def prepare(plan: Plan, inputs: Inputs) -> tuple[Machine, list[Step]]:
    """The steps of a run on platforms, or of a board. Raises UserError for what is not here or not set up."""
    if isinstance(inputs, BoardInputs):
        context = firmware_context()
        documents = _documents_named(plan.datasets, inputs.data, context.store)
        return this_machine({}), [BoardRun(context.catalog, documents, inputs.line)]
    found = found_platforms(plan.platforms)
    return _linux(plan, inputs, found) if is_linux(found) else _firmware(plan, inputs, found)


def _linux(plan: Plan, inputs: Inputs, found: Sequence[PlatformManifest]) -> tuple[Machine, list[Step]]:
    host = inputs.context()
    rows = buildable(inputs.catalog, inputs.rows(plan.rows))
    if not any(row.role == "contender" for row in rows):
        raise UserError("none of the chosen contenders can be built for another processor")
    chosen = {words[0] for words in plan.configurations}
    profiles = [profile for profile in PROFILES if profile in chosen]
    if not profiles:
        raise UserError("the run's plan names no profile to build in")
    contexts = [CrossBuildContext(host, one, profiles) for one in found if isinstance(one, LinuxPlatform)]
    specs = inputs.specs(plan.datasets)
    each = len(rows) * len(profiles) * len(specs)
    steps: list[Step] = [
        LinuxRun(context, rows, specs, inputs.limits, first=number * each)
        for number, context in enumerate(contexts)
    ]
    return this_machine(host.compilers()), steps


def _firmware(plan: Plan, inputs: Inputs, found: Sequence[PlatformManifest]) -> tuple[Machine, list[Step]]:
    context = firmware_context(inputs.prefixes)
    documents = _documents_named(plan.datasets, inputs.data, context.store)
    rows = inputs.rows(plan.rows, context.catalog)
    steps: list[Step] = []
    for one in found:
        if isinstance(one, Microcontroller):
            first = len(steps) * len(rows) * len(documents)
            steps.append(MicrocontrollerRun(context, one, rows, documents, first))
    return this_machine({}), [*steps, BoardOnly([one for one in found if isinstance(one, Board)])]


def _documents_named(names: Sequence[str], data: Sequence[Path], store: Store) -> list[Document]:
    """The documents of a plan: the project's own, and the user's files. Raises UserError."""
    known = {document.name: document for document in load_documents(ROOT, store)}
    own = {stated.name for stated in stated_documents(ROOT)}
    given = {document.name: document for document in (documents_of(data, store) if data else [])}
    missing = [name for name in names if name not in own and name not in given]
    if missing:
        raise UserError(f"the run has rows on the file {missing[0]}: name it with --data FILE")
    foreign = [name for name in given if name not in names]
    if foreign:
        raise UserError(f"the run has no rows on {', '.join(foreign)}")
    return [(known | given)[name] for name in names]
