"""Counting under an emulator keeps the limits that the run has for its workers."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, cast

import msgspec
import pytest

from serbench.errors import UserError
from serbench.measure.instructions import SLOWDOWN, NotCountable
from serbench.platforms import counting as count
from serbench.platforms import linux as emulation
from serbench.platforms.load import load_platforms
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


COMPILER = """#!/bin/sh
for word; do [ "$before" != -o ] || : >"$word"; before=$word; done
"""
STATIC = """#!/bin/sh
[ "$1" != -plugin ] || { echo "qemu: unknown option 'plugin'" >&2; exit 1; }
"""
ALWAYS_WELL = """#!/bin/sh
exit 0
"""
LOADS = """#!/bin/sh
[ "$1" = -plugin ] && [ -e "$3" ] && : >"${2##*to=}"
"""


@pytest.mark.parametrize(
    ("emulator", "says"),
    [(STATIC, "qemu: unknown option 'plugin'"), (ALWAYS_WELL, "it ended with status 0"), (LOADS, "")],
)
def test_an_emulator_without_plugins_is_found_out(tmp_path: Path, emulator: str, says: str) -> None:
    for name, text in (("gcc", COMPILER), ("qemu", emulator)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    words = [str(tmp_path / "qemu")], [str(tmp_path / "gcc"), "-marm"]
    assert count.why_not_countable(*words, tmp_path / "libcount.so", tmp_path) == says


def test_an_emulator_without_plugins_is_refused_before_anything_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emulation, "why_not_countable", lambda *_: "qemu: unknown option 'plugin'")
    (tmp_path / "libcount.so").touch()
    monkeypatch.setattr(emulation, "prove", None)  # calling it would fail
    monkeypatch.setattr(emulation, "needed", lambda *_: [])
    work = SimpleNamespace(
        cache=tmp_path,
        platform=load_platforms(ROOT)["linux-arm64"],
        catalog=SimpleNamespace(root=ROOT, contenders={}),
        host=SimpleNamespace(datasets=lambda _specs: []),
        tool=lambda _name: tmp_path / "libcount.so",
    )
    counting = emulation.LinuxRun(cast(Any, work), [], [], Limits())
    run = SimpleNamespace(datasets=[])
    session = SimpleNamespace(run=run, progress=SimpleNamespace(build=lambda *_: {}))
    with pytest.raises(UserError, match=r"linked statically.*Debian 13.*unknown option 'plugin'"):
        counting.run(cast(Any, session))


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
