"""What a program can be built for: the levels of a processor, and which of them this machine runs."""

import hashlib
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from serbench.errors import UserError

Level = Literal["baseline", "v2", "v3", "v4", "native"]
"""`baseline` is what every processor of the architecture runs, v2 to v4 are x86-64's own levels, `native` is
all that this very processor has."""
LEVELS: tuple[Level, ...] = ("baseline", "v2", "v3", "v4", "native")
CPUINFO = Path("/proc/cpuinfo")
_ADDS: dict[Level, str] = {
    "v2": "cx16 lahf_lm pni popcnt sse4_1 sse4_2 ssse3",
    "v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
    "v4": "avx512bw avx512cd avx512dq avx512f avx512vl",
}
"""What each level has beside those below it, in Linux' words: x86-64 psABI, "Micro-Architecture Levels"."""
_OF_ONE_CORE = {
    *("processor", "physical id", "siblings", "core id", "cpu cores", "apicid", "initial apicid", "hart"),
    *("cpu mhz", "clock", "bogomips"),
}
"""Lines that differ from core to core, or from one look to the next."""


def _facts(cpuinfo: str) -> list[tuple[str, str]]:
    """The lines of /proc/cpuinfo, each a name and a text."""
    parts = (line.partition(":") for line in cpuinfo.splitlines())
    return [(name.strip().casefold(), value.strip()) for name, colon, value in parts if colon]


def runnable(architecture: str, cpuinfo: str) -> list[Level]:
    """The levels that a machine runs, by what `uname -m` and /proc/cpuinfo say of it.

    If cores differ, only what all of them have counts.
    """
    facts = _facts(cpuinfo)
    found: list[Level] = ["baseline"]
    if architecture == "x86_64":
        cores = [set(value.split()) for name, value in facts if name == "flags"]
        have = set.intersection(*cores) if cores else set()
        for level, added in _ADDS.items():
            if not have >= set(added.split()):
                break
            found.append(level)
    return [*found, "native"] if facts else found


def runnable_here() -> list[Level]:
    """The levels that this machine runs."""
    return runnable(platform.machine(), _cpuinfo())


def need_levels(levels: Iterable[Level]) -> None:
    """Raise UserError if this machine does not run one of `levels`."""
    architecture = platform.machine()
    able = runnable_here()
    absent = [level for level in LEVELS if level in levels and level not in able]
    if not absent:
        return
    its_own = "" if architecture == "x86_64" else f" ({architecture}; v2, v3 and v4 are levels of x86-64)"
    raise UserError(
        f"this processor{its_own} cannot run programs built for {', '.join(absent)}; --cpu can be "
        f"{_listed(able)}"
    )


def meaning_of_native() -> str:
    """A digest of what `native` stands for on this machine: all that Linux says of its processor's kind."""
    kinds = sorted({fact for fact in _facts(_cpuinfo()) if fact[0] not in _OF_ONE_CORE})
    return hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]


def _cpuinfo() -> str:
    try:
        return CPUINFO.read_text("utf-8", "replace")
    except OSError:
        return ""


def _listed(names: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
