"""Running a firmware under its emulator, and reading what firmware and counter report."""

import re
from pathlib import Path

import msgspec

from serbench.files import scratch
from serbench.measure.instructions import NotCountable
from serbench.platforms.counting import addresses
from serbench.platforms.records import Microcontroller
from serbench.provision.process import run
from serbench.worker.process import WorkerFailure

TIMEOUT = 300.0
MARKERS = ("fw_begin", "fw_end")
"""The functions of the firmware that counting begins and ends at."""
CALLS = ("deserialize_first", "deserialize", "serialize_first", "serialize")
"""What is counted, each less an empty region's count."""
REGIONS = 2 + len(CALLS)
"""Two empty ones come first."""
_MEMORY = {
    "deserialize_stack": "read-stack",
    "serialize_stack": "write-stack",
    "deserialize_memory": "read-heap",
    "serialize_memory": "write-heap",
}
"""Each metric and what the firmware calls it."""
REASONS = {
    "read-first": "it could not decode the document, or its memory was too small",
    "read-again": "it could not decode the document a second time",
    "read-third": "it could not decode the document a third time",
    "read-differs": "the repeated call decoded other values than the first",
    "write-first": "it could not encode the document, or its memory was too small",
    "write-again": "it could not encode the document a second time",
    "write-differs": "the repeated call encoded other bytes than the first",
}


class FirmwareFailed(WorkerFailure):
    """A firmware that does not come to its end, or decodes or encodes something else."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What a firmware said and what was counted of it."""

    version: str
    exact: str
    content: str
    numbers: list[int]
    """The bits, as 32-bit floats, of every number that was read."""
    output: bytes
    metrics: dict[str, int]
    """Counts of the calls, and bytes of stack and memory, by the names that a run file has."""


def emulate(target: Microcontroller, program: Path, counter: Path) -> Report:
    """Run `program` once. Raises FirmwareFailed when it does not come to its end."""
    try:
        begin, end = addresses(program, f"{target.tools}nm", MARKERS)
    except NotCountable as error:
        raise FirmwareFailed(str(error)) from error
    with scratch() as folder:
        report = folder / "regions"
        values = {
            "counter": counter,
            "firmware": program,
            "begin": begin,
            "end": end,
            "report": report,
        }
        words = [word.format(**values) for word in target.emulator]
        done = run(words, timeout=TIMEOUT)
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
        why = f"stopped after {TIMEOUT:g} s" if status == 124 else "did not end"
        raise FirmwareFailed(f"the firmware {why}", tail)
    regions = [int(number) for number in re.findall(r"^region (\d+)$", counted, re.M)]
    if len(regions) != REGIONS or regions[0] != regions[1]:
        raise FirmwareFailed(f"the counter saw the wrong regions: {regions}", tail)
    found = dict(line.split(" ", 1) for line in lines if " " in line and not line.startswith("number "))
    memory = {metric: int(found[name], 16) for metric, name in _MEMORY.items()}
    room = int(found["room"], 16)
    if max(memory["deserialize_stack"], memory["serialize_stack"]) >= room:
        raise FirmwareFailed(f"its stack needs more than the {room} bytes that the target has left for it")
    counts = {metric: region - regions[0] for metric, region in zip(CALLS, regions[2:], strict=True)}
    return Report(
        version=found.get("version", ""),
        exact=found["exact"],
        content=found["content"],
        numbers=[int(line.split()[1], 16) for line in lines if line.startswith("number ")],
        output=bytes.fromhex(found["output"]),
        metrics=counts | memory,
    )
