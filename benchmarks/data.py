"""Speed and memory of the dataset tool: generated:5 as a tape, and a 100 MB JSON file as a tape.

    PYTHONPATH=src .venv/bin/python benchmarks/data.py [MEGABYTES]

Goals: generated:5 under 2 s; 100 MB within 10 s and 2 GB.
"""

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext


def write_records(path: Path, megabytes: int) -> None:
    """Write a JSON array of mixed records of about `megabytes` MB to `path`."""
    order = random.Random(1)
    row = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while file.tell() < megabytes * 1_000_000:
            records = [
                {
                    "id": row + i,
                    "name": f"användare {order.getrandbits(32):x}",
                    "score": order.gauss(0, 1000),
                    "tags": [order.choice(["α", "beta", "a\nb", 'say "hi"']) for _ in range(3)],
                    "active": order.random() < 0.5,
                    "parent": None,
                    "big": order.getrandbits(63),
                }
                for i in range(1000)
            ]
            file.write(("," if row else "") + json.dumps(records, ensure_ascii=False)[1:-1])
            row += len(records)
        file.write("]")


def timed(command: list[str]) -> tuple[float, int]:
    """Run `command`; seconds and the most memory it had, in bytes."""
    start = time.monotonic()
    pid = os.spawnv(os.P_NOWAIT, command[0], command)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"{command[:2]} failed")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def main() -> None:
    """Make both tapes with the tool as it is built for every user, and print seconds and memory."""
    megabytes = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    tool = str(BuildContext(load_catalog(ROOT), CACHE).tool("dataset"))
    with tempfile.TemporaryDirectory() as folder:
        tape, data = Path(folder) / "t.tape", Path(folder) / "t.json"
        seconds, _ = timed([tool, "generate", "5", "12345678", "plain", str(tape)])
        print(f"generated:5: {tape.stat().st_size / 1e6:.1f} MB of tape in {seconds:.2f} s (goal: under 2)")
        write_records(data, megabytes)
        seconds, memory = timed([tool, "import", str(data), str(tape)])
        size = data.stat().st_size / 1e6
        print(f"{size:.0f} MB of JSON: a tape in {seconds:.2f} s with {memory / 1e6:.0f} MB of memory")


if __name__ == "__main__":
    main()
