"""Running a firmware under its emulator, and reading what firmware and counter report."""

import re
import tempfile
from pathlib import Path

import msgspec

from serbench.platforms.firmware.build import FirmwareFailed, Program
from serbench.platforms.records import Microcontroller
from serbench.provision.process import run

TIMEOUT = 300.0
REGIONS = 6
"""Two empty ones, then the first and the repeated call of reading, and of writing."""
REASONS = {
    "read-first": "it could not decode the document, or its memory was too small",
    "read-again": "it could not decode the document a second time",
    "read-third": "it could not decode the document a third time",
    "read-differs": "the repeated call decoded something else than the first",
    "write-first": "it could not encode the document, or its memory was too small",
    "write-again": "it could not encode the document a second time",
    "write-differs": "the repeated call encoded something else than the first",
}


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a firmware said, and its counts with an empty region subtracted."""

    version: str
    exact: str
    content: str
    numbers: list[int]
    """The bits, as 32-bit floats, of every number that was read."""
    output: bytes
    memory: dict[str, int]
    """read-stack, read-heap, write-stack and write-heap, in bytes."""
    counts: tuple[int, int, int, int]
    """Reading, first and repeated; writing, first and repeated."""


def emulate(target: Microcontroller, program: Program, counter: Path) -> Report:
    """Run `program` once. Raises FirmwareFailed when it does not come to its end."""
    with tempfile.TemporaryDirectory(prefix="serbench-") as folder:
        report = Path(folder) / "regions"
        values = {
            "counter": counter,
            "firmware": program.path,
            "begin": program.begin,
            "end": program.end,
            "report": report,
        }
        done = run([word.format(**values) for word in target.manifest.emulator], timeout=TIMEOUT)
        counted = report.read_text("ascii") if report.exists() else ""
    return read_report(done.output, counted or done.output, done.tail(5), done.status)


def read_report(said: str, counted: str, tail: str = "", status: int = 0) -> Report:
    """What the lines of a firmware and of a counter mean. Raises FirmwareFailed when they are not whole."""
    # The AVR's counter writes into the firmware's own lines, never within one: both come from one process.
    lines = [line.strip() for line in said.splitlines()]
    failed = next((line.partition(" ")[2] for line in lines if line.startswith("failed ")), "")
    if failed:
        raise FirmwareFailed(REASONS.get(failed, failed), tail)
    if "end" not in lines:
        why = f"stopped after {TIMEOUT:g} s" if status == 124 else "did not come to its end"
        raise FirmwareFailed(f"the firmware {why}", tail)
    regions = [int(number) for number in re.findall(r"^region (\d+)$", counted, re.M)]
    if len(regions) != REGIONS or regions[0] != regions[1]:
        raise FirmwareFailed(f"the counter saw other regions than it should: {regions}", tail)
    found = dict(line.split(" ", 1) for line in lines if " " in line and not line.startswith("number "))
    memory = {name: int(found[name], 16) for name in ("read-stack", "read-heap", "write-stack", "write-heap")}
    room = int(found["room"], 16)
    if max(memory["read-stack"], memory["write-stack"]) >= room:
        raise FirmwareFailed(f"its stack needs more than the {room} bytes that the target has left for it")
    empty = regions[0]
    return Report(
        version=found.get("version", ""),
        exact=found["exact"],
        content=found["content"],
        numbers=[int(line.split()[1], 16) for line in lines if line.startswith("number ")],
        output=bytes.fromhex(found["output"]),
        memory=memory,
        counts=(regions[2] - empty, regions[3] - empty, regions[4] - empty, regions[5] - empty),
    )
