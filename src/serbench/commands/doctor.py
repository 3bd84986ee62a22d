"""`serbench doctor`: what on this machine would disturb a measurement, and what is missing."""

import os
import shutil
import time
from collections.abc import Sequence
from typing import Literal

import msgspec

from serbench.build import Builder, BuildFailed
from serbench.catalog.records import Catalog
from serbench.measure.machine_lock import other_run
from serbench.measure.noise import (
    activity,
    disturbances,
    governor_warning,
    load_warning,
    processors,
    turbo,
    turbo_warning,
)
from serbench.measure.watch import times_throttled
from serbench.project import CACHE
from serbench.provision import Unavailable, missing_packages, provide
from serbench.results.machine import this_machine
from serbench.worker.bounds import free_memory

LOOK = 1.0
"""Seconds for which the machine is observed."""


class Finding(msgspec.Struct, frozen=True):
    """One thing that was checked."""

    what: str
    state: Literal["good", "note", "bad"]
    says: str
    """What was found, and what to do."""


def _check(what: str, problem: str | None, good: str) -> Finding:
    return Finding(what, "bad", problem) if problem else Finding(what, "good", good)


def _machine() -> list[Finding]:
    machine = this_machine({})
    findings = [Finding("machine", "good", f"{machine.cpu}, {machine.cores} processors, {machine.system}")]
    if machine.virtual:
        says = f"a virtual machine ({machine.virtual}): expect wider intervals"
        findings.append(Finding("virtual", "note", says))
    before = activity()
    time.sleep(LOOK)
    findings += _noise(disturbances(before, activity()))
    load, cpu, free = os.getloadavg()[0], processors()[0], free_memory() / 2**30
    alone = "one processor only: the orchestrator disturbs what it measures" if cpu is None else None
    return [
        *findings,
        _check("load", load_warning(load), f"{load:.2f} in the last minute"),
        _check("frequency", governor_warning(), machine.governor or "the system shows no governor"),
        _check("pinning", alone, f"workers will run on processor {cpu}, the orchestrator on the others"),
        Finding("memory", "good" if free > 2 else "bad", f"{free:.1f} GiB are free"),
    ]


def _noise(sentences: Sequence[str]) -> list[Finding]:
    """Return what disturbs a measurement now, and what would."""
    quiet = Finding("noise", "good", "no other program, hypervisor, swapping or heat was seen")
    findings = [Finding("noise", "bad", sentence) for sentence in sentences] or [quiet]
    other = other_run()
    if other is not None:
        findings.append(Finding("other runs", "bad", f"a run of serbench is going on{other}: wait for it"))
    boosted = turbo_warning()
    if boosted is not None:
        findings.append(Finding("turbo", "note", boosted))
    elif turbo() is not None:
        findings.append(Finding("turbo", "good", "off"))
    times = times_throttled(processors()[0])
    if times:
        says = f"the processor was slowed down for its heat {times} times since boot"
        findings.append(Finding("heat", "note", says))
    return findings


def _tools(catalog: Catalog) -> list[Finding]:
    needed = [name for h in catalog.harnesses.values() if h.capabilities.compilers for name in h.packages]
    absent = f"there is none: sudo apt-get install {' '.join(needed)}"
    try:
        findings = [
            _check(f"{language.upper()} compiler", None if version else absent, version)
            for language, version in Builder(catalog, CACHE).compilers().items()
        ]
    except BuildFailed as error:
        findings = [Finding("compilers", "bad", error.reason)]
    stated = (h.packages + h.library_packages for h in catalog.harnesses.values())
    packages = sorted({package for packages in stated for package in packages})
    missing = missing_packages(packages) if shutil.which("dpkg-query") else []
    remedy = f"missing: sudo apt-get install {' '.join(missing)}" if missing else None
    return [*findings, _check("packages", remedy, "all that the harnesses need are there")]


def _libraries(catalog: Catalog) -> list[Finding]:
    findings = []
    for contender in catalog.contenders.values():
        if not contender.manifest.source:
            continue
        try:
            library = provide(contender, CACHE, catalog=catalog)
            findings.append(Finding(contender.id, "good", library.origin))
        except Unavailable as error:
            findings.append(Finding(contender.id, "bad", error.reason))
    return findings


def examine(catalog: Catalog) -> list[Finding]:
    """Everything that was checked, the machine first, then the tools, then every library."""
    return [*_machine(), *_tools(catalog), *_libraries(catalog)]
