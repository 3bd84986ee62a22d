"""The probe of fidelity: writes and reads odd values with one library, and looks at what it decodes.

    python fidelity.py WRITE READ

WRITE and READ are the contender's modules for the tests write and tree. The interpreter's option
`-X packages=FOLDER` says where the library is.
"""

import base64
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

# Behind the standard library, as in a worker.
sys.path += [*filter(None, [sys._xoptions.get("packages")]), str(Path(__file__).parents[3])]

from harness.python.probe.values import PROBES, carried_by, judge
from harness.python.src.lines import Refusal, reason_of, serve
from harness.python.src.loading import Work, function_of, load

RECORDS = {"items": [{"x": 1, "y": 4.5, "z": 0.25}, {"x": 0, "y": 0.0, "z": 0.0}]}

writing: ModuleType
reading: ModuleType


def load_both() -> None:
    """Load the modules. Raises whatever they raise."""
    global writing, reading
    writing, reading = map(load, sys.argv[1:])


def _reads() -> bool:
    """Whether the contender reads; one that only writes has no module of that test."""
    return hasattr(reading, "read") or hasattr(reading, "reader")


def _written(root: Any) -> bytes:
    output = function_of(writing, "write", Work(root, b"", b"", False))(root)
    return output.encode() if isinstance(output, str) else bytes(memoryview(output))


def _read(data: bytes) -> Any:
    return function_of(reading, "read", Work(None, data, b"", False))(data)


def _judged(probe: str, data: bytes) -> dict[str, Any]:
    try:
        return judge(probe, _read(data))
    except Exception as error:
        return {"mark": "refused", "at": "read", "found": reason_of(error)}


def _probe_of(message: dict[str, Any]) -> str:
    probe = message.get("probe")
    if probe not in PROBES:
        raise Refusal("unknown probe")
    return str(probe)


def probes(_message: dict[str, Any]) -> dict[str, Any]:
    """The names of the values."""
    return {"probes": list(PROBES)}


def carried(_message: dict[str, Any]) -> dict[str, Any]:
    """What decoded records carry."""
    return {"carried": carried_by(RECORDS, _read(_written(RECORDS))) if _reads() else []}


def value(message: dict[str, Any]) -> dict[str, Any]:
    """What becomes of a value, and the bytes that were written."""
    probe = _probe_of(message)
    if not _reads():
        return {"mark": "none"}
    try:
        data = _written({"value": PROBES[probe]})
    except Exception as error:
        return {"mark": "refused", "at": "write", "found": reason_of(error)}
    return _judged(probe, data) | {"bytes": base64.b64encode(data).decode()}


def read(message: dict[str, Any]) -> dict[str, Any]:
    """What another library's bytes with a value yield."""
    probe = _probe_of(message)
    return _judged(probe, base64.b64decode(message["bytes"])) if _reads() else {"mark": "none"}


serve({each.__name__: each for each in (probes, carried, value, read)}, load_both)
