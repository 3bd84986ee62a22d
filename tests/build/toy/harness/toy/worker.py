"""The interpreter of Toy: worker.py PROGRAM TEST. It answers the lines of docs/protocol.md."""

import json
import sys
import time
from pathlib import Path

from pyhash import Hasher, TapeReader, hashes

program, test = sys.argv[1:]
toy = {}
exec(Path(program).read_text(), toy)  # noqa: S102 - this is what an interpreter does
work = {}


def once():
    """The hash of one iteration."""
    hasher = Hasher(exact=True, unordered=toy.get("unordered", False))
    if test == "write":
        hasher.text(toy["write"](work["root"], work["input"]))
    else:
        hasher.value(toy["read"](bytes(work["input"]), work["root"]))
    return f"{hasher.state:08x}"


def verify(output):
    if test == "write":
        data = toy["write"](work["root"], work["input"])
        Path(output).write_bytes(data)
        return {"bytes": len(data), "hash": once()}
    seen = bytearray()
    hasher = Hasher(exact=True, unordered=toy.get("unordered", False), seen=seen)
    tree = toy["read"](bytes(work["input"]), work["root"])
    hasher.value(tree)
    if output:
        Path(output).write_bytes(seen)
    return {"content_hash": hashes(tree)[0], "exact_hash": f"{hasher.state:08x}"}


def own():
    """What the harness itself does in one: hashing as many bytes, or copying and hashing what was read."""
    if test == "write":
        size = len(toy["write"](work["root"], work["input"]))
        return lambda: Hasher(exact=True).text(b"x" * size)
    tree = toy["read"](bytes(work["input"]), work["root"])
    unordered = toy.get("unordered", False)

    def copied_and_hashed():
        bytes(work["input"])
        Hasher(exact=True, unordered=unordered).value(tree)

    return copied_and_hashed


def sample(what, iterations, chunks, warmup):
    found, wall, cpu = "", [], []
    for _ in range(warmup):
        what()
    for _ in range(chunks):
        wall_start, cpu_start = time.perf_counter_ns(), time.process_time_ns()
        for _ in range(iterations):
            found = what() or ""
        cpu.append(time.process_time_ns() - cpu_start)
        wall.append(time.perf_counter_ns() - wall_start)
    return {"wall": wall, "cpu": cpu, "hash": found}


for line in sys.stdin:
    asked = json.loads(line)
    answer = {}
    match asked["do"]:
        case "describe":
            answer = {"protocol": 1, "language": "toy", "test": test, "compiler": "toy 1.0", "flags": ""}
            answer["library_version"] = toy.get("version", "")
        case "prepare":
            work["root"] = TapeReader(Path(asked["tape"]).read_bytes()).root
            work["input"] = Path(asked["input"]).read_bytes() if asked.get("input") else b""
        case "verify":
            answer = verify(asked["output"])
        case "sample":
            answer = sample(once, asked["iterations"], asked["chunks"], asked["warmup"])
        case "overhead":
            answer = sample(own(), asked["iterations"], asked["chunks"], asked["warmup"])
        case "heap":
            answer = {"allocations": None, "bytes": None, "peak": None}
        case "quit":
            break
    print(json.dumps({"ok": True, **answer}), flush=True)
