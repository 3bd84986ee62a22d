"""What `fidelity` and `limits` start: probe.py WRITER READER, or probe.py PROGRAM SHAPE."""

import base64
import json
import sys
from pathlib import Path

VALUES = {"2^53+1": 2**53 + 1, "lone surrogate": "\ud800"}
LARGEST_STEP = 90
toy = {}
for program in filter(Path.is_file, map(Path, sys.argv[1:])):
    exec(program.read_text(), toy)  # noqa: S102 - this is what an interpreter does


def fate(name, data):
    """What becomes of a value, or what another library's `data` with it yield."""
    try:
        data = data or toy["write"](VALUES[name], b"")
        mark = "same" if toy["read"](data, None) == VALUES[name] else "changed"
    except ValueError as error:
        return {"mark": "refused", "at": "write", "found": str(error)}
    return {"mark": mark, "bytes": base64.b64encode(data).decode()}


def attempt(asked):
    """A document of so many rows, written to `output` or read from `input`."""
    rows = [{"x": number} for number in range(asked["step"])]
    if len(rows) > LARGEST_STEP:
        raise ValueError("Toy takes no more rows")
    data = Path(asked["input"]).read_bytes() if asked["do"] == "decode" else toy["write"](rows, b"")
    if asked["do"] == "decode":
        assert toy["read"](data, None) == rows
    elif asked["output"]:
        Path(asked["output"]).write_bytes(data)
    return {"rows": len(rows), "megabytes": len(data) / 1e6, "bytes": len(data)}


for line in sys.stdin:
    asked = json.loads(line)
    answer = {"ok": True}
    match asked["do"]:
        case "probes":
            answer["probes"] = list(VALUES)
        case "value" | "read":
            answer |= fate(asked["probe"], base64.b64decode(asked.get("bytes", "")))
        case "carried":
            answer["carried"] = []
        case "encode" | "decode":
            try:
                answer |= attempt(asked)
            except ValueError as error:
                answer = {"ok": False, "error": str(error)}
        case "quit":
            break
    print(json.dumps(answer), flush=True)
