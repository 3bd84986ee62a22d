"""`serbench run --platform linux-...`: the ordinary rows on an emulated Linux, counted and never timed."""

import shlex
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from serbench import __version__
from serbench.catalog.records import Catalog, Profile, Row
from serbench.commands.bootstrap import new_run_file, open_context, worker_limits
from serbench.commands.outcome import conclude
from serbench.commands.progress import stages
from serbench.datasets.spec import Spec
from serbench.errors import UserError, readable, unknown
from serbench.measure.precision import settings_for
from serbench.platforms.cross import describe_platform
from serbench.platforms.linux import CrossBuildContext, Emulation, buildable, needed, own_rows
from serbench.platforms.load import load_platforms
from serbench.platforms.records import LinuxPlatform
from serbench.project import ROOT
from serbench.results.journal import complete
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import Run
from serbench.run.proving import VerifiedDataset


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be counted."""

    catalog: Catalog
    rows: list[Row]
    profiles: list[Profile]
    specs: list[Spec]
    prefix: list[str]
    timeout: float


def linux_platforms(names: Sequence[str]) -> list[LinuxPlatform]:
    """The Linux platforms among `names`, none if they are microcontrollers.

    Raises UserError for an unknown name, and for both kinds at once.
    """
    known = load_platforms(ROOT)
    linux = {name: found for name, found in known.items() if isinstance(found, LinuxPlatform)}
    for name in names:
        if name not in known:
            raise unknown("platform", name, known)
    found = [linux[name] for name in dict.fromkeys(names) if name in linux]
    if found and len(found) < len(set(names)):
        raise UserError(
            "microcontrollers and an emulated Linux have rows of different kinds: "
            "measure each in a run of its own"
        )
    return found


def run_linux(
    platforms: Sequence[LinuxPlatform],
    plan: Plan,
    output: Path | None,
    notes: Sequence[str],
    out: Console,
    err: Console,
    earlier: Run | None = None,
) -> None:
    """Prove and count on `platforms`; writes run file, with `notes`, and report, and prints tables.

    What had been counted when it is interrupted is kept; exit status 130. Of a run that repeats an `earlier`
    one it is said what else differs. Raises UserError.
    """
    began = time.monotonic()
    target = new_run_file(output)
    host = open_context(plan.catalog, prefixes=plan.prefix)
    rows = buildable(plan.catalog, plan.rows)
    if not any(row.contender.manifest.role == "contender" for row in rows):
        able = [h for h in plan.catalog.harnesses.values() if h.capabilities.cross]
        names = " and ".join(name for harness in able for name in harness.languages.values())
        raise UserError(f"an emulated Linux has contenders in {names} only, and none was chosen")
    datasets = host.datasets(plan.specs)
    contexts = [CrossBuildContext(host, platform, plan.profiles) for platform in platforms]
    run = Run(
        serbench=__version__,
        revision=own_revision(ROOT),
        id=readable(target.stem),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=this_machine(contexts[0].compilers()),
        settings=settings_for("quick", sys.argv[1:], None, plan.profiles, 0, True, True),
        platforms=[describe_platform(platform) for platform in platforms],
        notes=list(notes),
    )
    try:
        with stages(err) as progress:
            for context in contexts:
                own = own_rows(context, rows)
                progress.build(context, needed(context, own))
                verified = progress.counter("Verifying", context.count(own) * len(datasets))
                emulation = Emulation(context, worker_limits(plan.timeout))
                _keep(run, emulation.execute(ROOT, own, datasets, verified, progress.counter))
                if emulation.interrupted:
                    raise KeyboardInterrupt
        run.complete = True
    except KeyboardInterrupt:
        if not run.rows:
            raise
    run.finished = datetime.now(UTC).isoformat(timespec="seconds")
    run.seconds = round(time.monotonic() - began, 3)
    complete(run, target)
    if "size" in plan.profiles:
        words = shlex.join(["./serbench", "report", str(target), "--layout", "published"])
        out.print(Text(f"As the 2016 suite's size table: {words}"), soft_wrap=True)
    conclude(run, target, out, earlier)


def _keep(run: Run, proven: Sequence[VerifiedDataset]) -> None:
    """Put what one platform yielded into `run`; the datasets are the same on all."""
    first = not run.datasets
    for item in proven:
        if first:
            run.datasets.append(item.record)
        for record, _, _ in item.rows:
            record.id = len(run.rows)
            run.rows.append(record)
