"""Counting under an emulator keeps the limits that the run has for its workers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from serbench.errors import UserError
from serbench.kinds.linux import counting as count
from serbench.measure.instructions import SLOWDOWN, NotCountable
from serbench.platforms.load import load_platforms, need_tools
from serbench.platforms.records import LinuxPlatform
from serbench.project import ROOT
from serbench.run.context import BuildContext
from serbench.worker.process import Limits, WorkerFailure
from tests.measure.fakes import measured

NM = f"""#!/bin/sh
echo "0000000000001000 T {count.REGION}"
echo "0000000000002000 T {count.END}"
"""


def test_a_counted_worker_has_the_memory_limit_of_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nm = tmp_path / "nm"
    nm.write_text(NM)
    nm.chmod(0o755)
    given: list[tuple[list[str], Limits]] = []

    def worker(command: list[str], *, limits: Limits) -> NoReturn:
        given.append((command, limits))
        raise WorkerFailure("it is none")

    monkeypatch.setattr(count, "Worker", worker)
    row = msgspec.structs.replace(measured(1), command=("qemu-arm", "program"))
    limits = Limits(memory_bytes=123_456_789, timeout=3.0)
    with pytest.raises(NotCountable, match="it is none"):
        count.count_emulated(row, tmp_path / "libcount.so", str(nm), limits)
    ((command, limited),) = given
    assert command[:2] == ["qemu-arm", "-plugin"] and command[-1] == "program"
    assert limited.memory_bytes == 123_456_789
    assert limited.timeout == limits.on(row.data_bytes).timeout * SLOWDOWN


HELP = '#!/bin/sh\n[ "$1" = -help ] && echo "{}"\n'


@pytest.mark.parametrize(("says", "usable"), [("-plugin  [file=]<file>", True), ("-strace  log them", False)])
def test_an_emulator_without_plugins_is_found_out(
    says: str, usable: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in (("toy-gcc", ""), ("toy-qemu", HELP.format(says))):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    known = load_platforms(ROOT)["linux-arm64"]
    assert isinstance(known, LinuxPlatform)
    toy = msgspec.structs.replace(known, packages=[], tools="toy-", emulator=["toy-qemu"])
    if usable:
        need_tools(toy)
    else:
        with pytest.raises(UserError, match=r"toy-qemu here takes no plugin.*linked statically"):
            need_tools(toy)


QEMU = """
#include <stddef.h>
void qemu_plugin_register_vcpu_tb_trans_cb(void) {}
void qemu_plugin_register_vcpu_insn_exec_cb(void) {}
void qemu_plugin_register_atexit_cb(void) {}
void qemu_plugin_tb_n_insns(void) {}
void qemu_plugin_tb_get_insn(void) {}
void qemu_plugin_insn_vaddr(void) {}
"""
OF_SECOND_VERSION = "int qemu_plugin_num_vcpus(void) { return 1; }\n"
LOAD = """
import ctypes, sys
ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
print(ctypes.c_int.in_dll(ctypes.CDLL(sys.argv[2]), "qemu_plugin_version").value)
"""


@pytest.mark.parametrize(("functions", "version"), [(QEMU, "1"), (QEMU + OF_SECOND_VERSION, "2")])
def test_the_plugins_version_is_one_that_the_emulator_takes(
    context: BuildContext, tmp_path: Path, functions: str, version: str
) -> None:
    (tmp_path / "qemu.c").write_text(functions)
    emulator = tmp_path / "libqemu.so"
    subprocess.run(["gcc", "-shared", "-fPIC", tmp_path / "qemu.c", "-o", emulator], check=True)
    words = [sys.executable, "-c", LOAD, emulator, context.tool("qemu-counter")]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip() == version
