"""The machine that a run is measured on, as far as it tells."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from serbench.results.schema import Machine


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _cpuinfo(field: str) -> str:
    found = re.search(rf"^{field}\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE | re.IGNORECASE)
    return found.group(1).strip() if found else ""


def _hypervisor() -> str:
    tool = shutil.which("systemd-detect-virt")
    if tool is not None:
        try:
            name = subprocess.run(
                [tool, "--vm"], capture_output=True, text=True, timeout=10, check=False
            ).stdout.strip()
        except (OSError, subprocess.TimeoutExpired):
            name = ""
        if name:
            return "" if name == "none" else name
    return "unknown hypervisor" if " hypervisor" in _cpuinfo("flags") else ""


def _system() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.system()


def this_machine(compilers: dict[str, str]) -> Machine:
    """What this machine says of itself; `compilers` are the names and versions that built the workers."""
    bogomips = _cpuinfo("bogomips")
    return Machine(
        system=_system(),
        kernel=platform.release(),
        architecture=platform.machine(),
        cpu=_cpuinfo("model name") or _cpuinfo("hardware") or platform.processor() or "unknown",
        cores=os.cpu_count() or 1,
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        virtual=_hypervisor(),
        bogomips=float(bogomips) if re.fullmatch(r"\d+(\.\d+)?", bogomips) else None,
        governor=_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        compilers=compilers,
    )
