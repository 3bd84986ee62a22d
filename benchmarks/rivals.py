"""The orders that benchmarks of one language published, against those of a run on data of like shape.

    PYTHONPATH=src .venv/bin/python -m benchmarks.rivals NAME [options of `serbench run`]

go: go_serialization_benchmarks, revision 833ed64 of July 2025 (report/data.js): nanoseconds for a struct of
six fields. java: java-json-benchmark, its run of 28 February 2026 (archive/raw-results-2026-02-28.md):
operations a second with its document "users" of 10 KB. rust-log, rust-mesh, rust-minecraft and rust-mk48:
rust_serialization_benchmark; benchmarks/rust_published.py says what is not alike.

The program makes data of such fields and runs serbench on them with the libraries that both have. It prints,
for writing and for reading, both times as multiples of the fastest published row's, Kendall's tau of the two
orders, and the pairs that disagree: `other` if both sides have them 10 % apart, `near` if one has not. Times
are net.
"""

import itertools
import json
import random
import string
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks import rust_published
from benchmarks.orjson_published import verdict

from serbench.project import ROOT
from serbench.results.analysis import analyse
from serbench.results.load import load_run
from serbench.results.schema import Run

LETTERS = string.ascii_letters + string.digits


class Published(NamedTuple):
    """A row that was published: its times, and the rows of serbench that do most nearly the same, or none."""

    name: str
    write: float
    """In any unit; more is slower."""
    read: float
    our_write: str
    our_read: str


class Rival(NamedTuple):
    """What a benchmark published, and how data like its own are made."""

    rows: tuple[Published, ...]
    documents: Callable[[random.Random], list[object]]


def _text(order: random.Random, length: int, of: str = LETTERS) -> str:
    return "".join(order.choices(of, k=length))


def people(order: random.Random) -> list[object]:
    """A hundred small objects of six fields, each of which is a message."""
    return [
        {
            "name": _text(order, 16, string.hexdigits),
            "birthday": f"2026-11-25T10:20:30.{order.randrange(10**9):09}Z",
            "phone": _text(order, 10, string.digits),
            "siblings": order.randrange(5),
            "spouse": order.random() < 0.5,
            "money": order.random(),
        }
        for _ in range(100)
    ]


def _user(order: random.Random) -> dict[str, object]:
    texts = {f"text{number}": _text(order, 20) for number in range(15)}
    numbers = {"index": order.randrange(2**31), "age": order.randrange(100), "active": order.random() < 0.5}
    places = {"latitude": order.uniform(0, 90), "longitude": order.uniform(0, 180)}
    tags = [_text(order, 10) for _ in range(order.randrange(50))]
    friends = [
        {"id": str(order.randrange(10_000)), "name": _text(order, 30, string.ascii_letters)}
        for _ in range(order.randrange(50))
    ]
    return {**texts, "picture": _text(order, 100), **numbers, **places, "tags": tags, "friends": friends}


def users(order: random.Random) -> list[object]:
    """One document of about 10 KB."""
    made: list[object] = []
    while len(json.dumps(made, separators=(",", ":"))) < 10_000:
        made.append(_user(order))
    return [{"users": made}]


def _per_second(name: str, write: float, read: float, our_write: str, our_read: str) -> Published:
    return Published(name, 1e9 / write, 1e9 / read, our_write, our_read)


def _of_rust(name: str) -> Rival:
    rows = []
    for library, (write, read) in rust_published.PUBLISHED[name].items():
        ours = rust_published.contender(library)
        rows.append(Published(library, write, read or 0, f"{ours}:write", f"{ours}:tree" if read else ""))
    return Rival(tuple(rows), lambda order: [rust_published.DOCUMENTS[name](order)])


RIVALS: Mapping[str, Rival] = {
    "go": Rival(
        (
            Published("msgp", 134, 200, "go/tinylib-msgp-struct:write", "go/tinylib-msgp-struct:tree"),
            Published(
                "shamaton/msgpack/map",
                671,
                635,
                "go/shamaton-msgpack-struct:write",
                "go/shamaton-msgpack-struct:tree",
            ),
            Published("jsoniter", 837, 1214, "go/json-iterator-struct:write", "go/json-iterator-struct:tree"),
            Published(
                "msgpack",
                921,
                1216,
                "go/vmihailenco-msgpack-struct:write",
                "go/vmihailenco-msgpack-struct:tree",
            ),
            Published(
                "ugorji/msgpack",
                973,
                1216,
                "go/ugorji-msgpack-struct:write",
                "go/ugorji-msgpack-struct:tree",
            ),
            Published("ugorji/binc", 1103, 1096, "go/ugorji-binc-struct:write", "go/ugorji-binc-struct:tree"),
            Published("json", 1407, 3366, "go/encoding-json-struct:write", "go/encoding-json-struct:tree"),
            Published("mongobson", 1515, 1780, "go/mongo-bson-struct:write", "go/mongo-bson-struct:tree"),
            Published("fastjson", 2000, 2056, "", "go/fastjson:tree"),
            Published("gob", 5097, 23870, "go/gob:write", "go/gob:tree"),
        ),
        people,
    ),
    "java": Rival(
        (
            _per_second(
                "fastjson/databind",
                473139.666,
                301880.363,
                "java/fastjson2-struct:write",
                "java/fastjson2-struct:tree",
            ),
            _per_second(
                "avajejsonb/databind",
                195972.854,
                119964.421,
                "java/avaje-jsonb:write",
                "java/avaje-jsonb:tree",
            ),
            _per_second(
                "jackson/databind",
                181759.705,
                109397.32,
                "java/jackson-struct:write",
                "java/jackson-struct:tree",
            ),
            _per_second(
                "dsljson_reflection/databind",
                168895.569,
                113333.803,
                "java/dsl-json:write",
                "java/dsl-json:tree",
            ),
            _per_second(
                "jackson/stream",
                160983.213,
                128762.864,
                "java/jackson:write:streaming",
                "java/jackson:incremental",
            ),
            _per_second(
                "jakartajson/stream", 113290.12, 25523.935, "java/parsson:write", "java/parsson:tree"
            ),
            _per_second(
                "gson/databind", 96897.073, 89326.945, "java/gson-struct:write", "java/gson-struct:tree"
            ),
            _per_second(
                "moshi/stream", 80371.619, 70741.342, "java/moshi:write:streaming", "java/moshi:incremental"
            ),
            _per_second(
                "moshi/databind", 76056.648, 78527.894, "java/moshi-struct:write", "java/moshi-struct:tree"
            ),
            _per_second(
                "gson/stream", 28416.605, 83723.116, "java/gson:write:streaming", "java/gson:incremental"
            ),
            _per_second("orgjson/stream", 12861.162, 12927.864, "java/org-json:write", "java/org-json:tree"),
        ),
        users,
    ),
    **{f"rust-{name}": _of_rust(name) for name in rust_published.PUBLISHED},
}


def times(run: Run) -> dict[str, float]:
    """The net time of each row that has one."""
    return {row.record.row: row.result.net_ns for row in analyse(run) if row.result.net_ns}


def tau(published: Mapping[str, float], found: Mapping[str, float]) -> float:
    """Kendall's: pairs in the same order less those in the other, over all pairs."""
    signs = [
        1 if (published[a] < published[b]) == (found[a] < found[b]) else -1
        for a, b in itertools.combinations(published, 2)
    ]
    return sum(signs) / len(signs)


def compared(published: Mapping[str, float], found: Mapping[str, float]) -> list[str]:
    """The lines of one table: each row's multiples, tau, and the pairs that disagree."""
    names = sorted(published, key=lambda name: published[name])
    lines = [
        f"    {name}: {published[name] / published[names[0]]:.2f} / {found[name] / found[names[0]]:.2f}"
        for name in names
    ]
    lines.append(f"    Kendall's tau: {tau(published, found):.2f} of {len(names)} rows")
    for a, b in itertools.combinations(names, 2):
        said, own = published[b] / published[a], found[b] / found[a]
        if (said > 1) != (own > 1):
            lines.append(f"    {verdict(said, own)}: {b} over {a}: {said:.2f} / {own:.2f}")
    return lines


def measure(rival: Rival, options: list[str], folder: Path) -> Run:
    """A run of the rows that both have, on data like the rival's."""
    documents = rival.documents(random.Random(1))
    data = folder / ("data.json" if len(documents) == 1 else "data.jsonl")
    data.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in documents), "utf-8")
    rows = [name.split(":") for row in rival.rows for name in (row.our_write, row.our_read) if name]
    output = folder / "run.json"
    words = [sys.executable, "-m", "serbench", "run", "--data", str(data), "--output", str(output), *options]
    words += ["--contenders", ",".join(sorted({name[0] for name in rows}))]
    words += ["--tests", ",".join(sorted({name[1] for name in rows}))]
    subprocess.run(words, check=True, cwd=ROOT, stdout=subprocess.DEVNULL)
    return load_run(output)


def main() -> None:
    """Measure, and compare."""
    if len(sys.argv) < 2 or sys.argv[1] not in RIVALS:
        print(__doc__)
        sys.exit(2)
    rival = RIVALS[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        own = times(measure(rival, sys.argv[2:], Path(folder)))
    for test in ("write", "read"):
        published, found = {}, {}
        print(f"{test}, published / found:")
        for row in rival.rows:
            name = getattr(row, f"our_{test}")
            if name in own:
                published[row.name], found[row.name] = getattr(row, test), own[name]
            elif name:
                print(f"    {row.name}: no time of {name}")
        print("\n".join(compared(published, found)) if len(found) > 1 else "    no two rows to compare")


if __name__ == "__main__":
    main()
