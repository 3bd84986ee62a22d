"""A synthetic run with everything that a report can meet, made anew from a seed.

The true times are chosen here, the samples scatter around them, so tests can say what must come out.
"""

import random
from collections.abc import Iterable

from serbench.datasets.records import Compressed, DatasetRecord, Encoding
from serbench.measure.records import Failure, Sample, Settings, Stop
from serbench.results.schema import Machine, RowRecord, Run
from serbench.worker.records import Doubles, Heap

HOSTILE = 'Evil[bold red]|`<b>"\x1b[31m\u202e\n=1+1'
CHUNKS = 5
ROUNDS = 4

MACHINE = Machine(
    system="Debian GNU/Linux 12 (bookworm)",
    kernel="6.1.0",
    architecture="x86_64",
    cpu="Example CPU 3000",
    cores=2,
    memory_bytes=8 * 2**30,
    virtual="kvm",
    compilers={"gcc": "12.2.0"},
)


def settings(**changes: object) -> Settings:
    values: dict[str, object] = {
        "command": ["serbench", "run"],
        "precision": "quick",
        "launches": 5,
        "max_launches": 8,
        "seconds_per_launch": 0.1,
        "chunk_ns": 1_000_000,
        "target": 0.02,
        "threshold": 0.02,
    }
    return Settings(**(values | changes))  # type: ignore[arg-type]


def row(number: int, name: str, test: str = "tree", **more: object) -> RowRecord:
    """A row record that is ok and whose missing fields are filled in plausibly."""
    folder = name.lower().replace(" ", "-")
    variant = str(more.get("variant", ""))
    values: dict[str, object] = {
        "id": number,
        "row": ":".join(filter(None, (f"c/{folder}", test, variant))),
        "contender": name,
        "contender_id": f"c/{folder}",
        "language": "c",
        "language_name": "C",
        "harness": "c",
        "format": "json",
        "format_name": "JSON",
        "test": test,
        "dataset": "generated:2",
        "profile": "speed",
        "status": "ok",
        "library_version": "1.2.3",
        "bytes": 3183,
        "hash": "0075ff81",
    }
    return RowRecord(**(values | more))  # type: ignore[arg-type]


def samples(
    record: RowRecord, ns: float, source: random.Random, launches: Iterable[int], spread: float = 0.004
) -> list[Sample]:
    """Samples around a true time of `ns`: each launch a little off as a whole, chunks only ever slower."""
    made = []
    iterations = max(1, round(1_000_000 / ns))
    for launch in launches:
        own = ns * (1 + source.gauss(0, spread))
        for number in range(ROUNDS):
            wall = [round(iterations * own * (1 + source.expovariate(200))) for _ in range(CHUNKS)]
            made.append(
                Sample(
                    row=record.id,
                    launch=launch,
                    round=number,
                    position=record.id,
                    started=launch * 10 + number + record.id / 100,
                    iterations=iterations,
                    wall=wall,
                    cpu=wall,
                )
            )
    return made


def synthetic_run(seed: int = 7) -> Run:
    """Two groups: tree with every kind of row, write with a few."""
    source = random.Random(seed)
    msgpack = {"format": "messagepack", "format_name": "MessagePack", "bytes": 2367}
    cpp = {"language": "cpp", "language_name": "C++"}
    nothing = {"format": "", "format_name": "", "bytes": 2367}
    timed: list[tuple[RowRecord, float, int]] = [
        (row(0, "baseline", role="baseline", library_version="", **nothing), 3610, 5),
        (row(1, "memcpy", role="floor", library_version="", **nothing), 46, 5),
        (row(2, "MPack", heap=Heap(allocations=3, bytes=18_432, peak=16_400), **msgpack), 3610 + 2130, 5),
        (row(3, "MPack", variant="tracking", labels=["not its default"], **msgpack), 3610 + 5210, 5),
        (row(4, "msgpack", **msgpack), 3610 + 5205, 5),
        (row(5, "msgpack", contender_id="cpp/msgpack", **(msgpack | cpp)), 3610 + 7800, 5),
        (
            row(
                6,
                "RapidJSON",
                variant="in-situ",
                doubles=Doubles(changed=4, total=25, max_relative=2.1e-16),
                heap=Heap(allocations=12, bytes=70_000, peak=66_000),
                **cpp,
            ),
            3610 + 11_400,
            5,
        ),
        (
            row(
                7,
                "RapidJSON",
                variant="full-precision",
                labels=["modifies its input", "reuses its buffer"],
                **cpp,
            ),
            3610 + 19_700,
            5,
        ),
        (row(8, "YAJL", labels=["distribution build"]), 3610 + 36_100, 3),
        (row(9, "Jansson", labels=["distribution build"]), 3610 + 84_000, 1),
        (row(10, "FreeLunch", library_version="0.0.1-beta", **msgpack), 3610, 5),
        (row(11, HOSTILE, library_version="@1", labels=["-label|\x07"]), 3610 + 150_000, 5),
        (row(12, "Crasher"), 3610 + 9000, 2),
        (row(20, "baseline", "write", role="baseline", library_version="", **nothing), 2260, 5),
        (row(21, "MPack", "write", **msgpack), 2260 + 2100, 5),
        (row(22, "YAJL", "write", bytes=3203), 2260 + 31_000, 5),
    ]
    wrong = (
        "the content hash is 07d6c601, where 0075ff81 is right: the library decodes negative numbers wrongly"
    )
    idle = [
        row(13, "zigpak", status="failed", reason=wrong, output="first line\nassertion failed: n >= 0\n\n"),
        row(14, "libbson", status="unsupported", reason="BSON has no integers above 63 bits", format="bson"),
        row(
            15,
            "CWPack",
            status="unavailable",
            reason="no installed copy found: put one below /usr/local, from its project's page",
            **msgpack,
        ),
        row(16, "NeverMeasured"),
        row(17, HOSTILE + " too", status="failed", reason="+\x1b[2Jgone\nby", output="\x1b]0;title\x07bad"),
    ]
    made = [s for record, ns, launches in timed for s in samples(record, ns, source, range(launches))]
    return Run(
        serbench="0.1.0",
        id="2026-01-02T03-04-05",
        started="2026-01-02T03:04:05Z",
        finished="2026-01-02T03:06:05Z",
        complete=True,
        seconds=120.5,
        machine=MACHINE,
        settings=settings(),
        datasets=[
            DatasetRecord(
                name="generated:2",
                tape_sha256="ab" * 32,
                content_hash="0075ff81",
                exact_hash="3852a135",
                nodes=321,
                depth=4,
                encodings={
                    "json": Encoding(bytes=3183, hash="03ef5ccf"),
                    "messagepack": Encoding(bytes=2367, hash="1a9c6681"),
                    "bson": Encoding(reason="an integer above 63 bits"),
                },
            )
        ],
        rows=[record for record, _, _ in timed] + idle,
        samples=sorted(made, key=lambda s: s.started),
        failures=[
            Failure(row=12, launch=2, reason="it was killed by signal 11", output="Segmentation fault")
        ],
        stops=[
            Stop(test="tree", dataset="generated:2", profile="speed", launches=5, reason="time used up"),
            Stop(test="write", dataset="generated:2", profile="speed", launches=5, reason="precise enough"),
        ],
        notes=["The machine is virtual (kvm): others may use its processor at the same time."],
    )


def configured_run() -> Run:
    """A dataset of 40 messages under two compilers and two allocators, with everything that is counted."""
    source = random.Random(11)
    run = synthetic_run()
    run.datasets = [
        DatasetRecord(
            name="tweets.jsonl",
            tape_sha256="cd" * 32,
            content_hash="01234567",
            exact_hash="89abcdef",
            nodes=5200,
            depth=6,
            messages=40,
            encodings={
                "json": Encoding(
                    bytes=40_210,
                    hash="03ef5ccf",
                    compressed={
                        "gzip -6": Compressed(bytes=11_003, nanoseconds=912_000.0),
                        "zstd -3": Compressed(bytes=10_480, nanoseconds=101_000.5),
                    },
                ),
                "messagepack": Encoding(
                    bytes=33_333,
                    hash="1a9c6681",
                    compressed={"gzip -6": Compressed(bytes=12_500, nanoseconds=1_004_000.0)},
                ),
                "bson": Encoding(reason="an integer above 63 bits"),
            },
        )
    ]
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    true_ns = {"baseline": 100_000, "MPack": 180_000, "YAJL": 410_000}
    for compiler, slower in (("gcc", 1.0), ("clang", 1.1)):
        for allocator, cheaper in (("system", 0), ("jemalloc", 9_000)):
            for name, ns in true_ns.items():
                is_baseline = name == "baseline"
                record = row(
                    len(run.rows),
                    name,
                    dataset="tweets.jsonl",
                    role="baseline" if is_baseline else "contender",
                    toolchain=compiler,
                    allocator=allocator,
                    bytes=33_333,
                    heap=None if is_baseline else Heap(allocations=130, bytes=81_000, peak=4_096),
                    code_size=None if is_baseline or allocator == "jemalloc" else 4_088,
                    code_size_reason="" if allocator == "system" else "the allocator is preloaded",
                    instructions=None if is_baseline else ns * 2.5,
                )
                run.rows.append(record)
                true = ns * slower - (0 if is_baseline else cheaper)
                run.samples += samples(record, true, source, range(5))
    return run


def published_run() -> Run:
    """Rows of the 2016 suite in both profiles on small data, with its fixed blocks as baselines for speed."""
    source = random.Random(12)
    run = synthetic_run()
    run.machine = Machine(
        system="Debian GNU/Linux 12 (bookworm)",
        kernel="6.1.0",
        architecture="x86_64",
        cpu="Example CPU 3000",
        cores=2,
        memory_bytes=8 * 2**30,
        bogomips=6402.44,
        compilers={"gcc": "12.2.0"},
    )
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    msgpack = {"format": "messagepack", "format_name": "MessagePack"}
    cpp = {"language": "cpp", "language_name": "C++"}
    own = {"role": "baseline", "library_version": "", "format": "", "format_name": "-", "whole_size": 19_336}
    timed: list[tuple[str, str, int, dict[str, object]]] = [
        ("baseline", "write", 900, own),
        ("baseline", "tree", 1400, own),
        ("baseline", "incremental", 1400, own),
        ("MPack", "write", 4390, msgpack | {"hash": "1a9c6681", "code_size": 4088}),
        ("YAJL", "write", 40_120, {"hash": "4694ca58", "code_size": 2012}),
        ("MPack", "tree", 8600, msgpack | {"code_size": 5624}),
        ("MPack", "tree", 12_050, msgpack | {"code_size": 6200, "variant": "utf8"}),
        ("RapidJSON", "tree", 14_190, cpp | {"code_size": 14_600, "variant": "in-situ"}),
        ("RapidJSON", "tree", 18_790, cpp | {"code_size": 15_800}),
        ("MPack", "incremental", 6810, msgpack),
    ]
    fixed = [
        ("baseline", "write", 2260, own | {"variant": "published"}),
        ("baseline", "tree", 3610, own | {"variant": "published"}),
    ]
    for profile, flags in (("speed", "-Wall -O3 -flto -DNDEBUG"), ("size", "-Wall -Os -flto -DNDEBUG")):
        for name, test, ns, more in timed + (fixed if profile == "speed" else []):
            build = {"profile": profile, "flags": flags, "compiler": "gcc 12.2.0", "toolchain": "gcc"}
            record = row(len(run.rows), name, test, **(build | more))
            run.rows.append(record)
            slower = ns if profile == "speed" else round(ns * 1.2)
            run.samples += samples(record, slower, source, range(5))
    run.rows.append(
        row(
            len(run.rows),
            "CWPack",
            "write",
            status="unavailable",
            reason="no installed copy found",
            **msgpack,
        )
    )
    run.rows.append(row(len(run.rows), "MPack", dataset="tweets.json", **msgpack))
    return run
