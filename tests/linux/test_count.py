"""Counting under an emulator keeps the limits that the run has for its workers."""

from pathlib import Path
from typing import NoReturn

import msgspec
import pytest

from serbench.linux import count
from serbench.measure.instructions import SLOWDOWN, NotCountable
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
