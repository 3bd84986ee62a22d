"""The machine that a run is measured on, as far as it tells."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from serbench.measure.noise import turbo
from serbench.results.schema import Machine


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def _field(cpuinfo: str, field: str) -> str:
    found = re.search(rf"^{field}[ \t]*:[ \t]*(.+)$", cpuinfo, re.MULTILINE | re.IGNORECASE)
    return found.group(1).strip() if found else ""


def _cpuinfo(field: str) -> str:
    return _field(_read("/proc/cpuinfo"), field)


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


def _libc() -> str:
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (OSError, ValueError):  # another C library than GNU's
        return ""


def processor_name(cpuinfo: str, device_tree: str, processor: str) -> str:
    """The processor's name by the text of /proc/cpuinfo, the device tree's model and what Python knows.

    On ARM the kernel names the board rather than the processor, which is as good.
    """
    for field in ("model name", "hardware", "model"):
        found = _field(cpuinfo, field)
        if found and not found.isdecimal():  # x86 has a number under `model`
            return found
    return device_tree.strip("\0 \n") or processor or "unknown"


def this_machine(compilers: dict[str, str], allocators: dict[str, str] | None = None) -> Machine:
    """What this machine says of itself.

    `compilers` are the names and versions that built the workers, `allocators` those that are preloaded.
    """
    bogomips = _cpuinfo("bogomips")
    return Machine(
        system=_system(),
        kernel=platform.release(),
        architecture=platform.machine(),
        cpu=processor_name(_read("/proc/cpuinfo"), _read("/proc/device-tree/model"), platform.processor()),
        cores=os.cpu_count() or 1,
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        virtual=_hypervisor(),
        bogomips=float(bogomips) if re.fullmatch(r"\d+(\.\d+)?", bogomips) else None,
        governor=_read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        compilers=compilers,
        allocators=allocators or {},
        libc=_libc(),
        turbo=turbo(),
    )
