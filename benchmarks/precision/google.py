"""Part f: the same iterations, timed by Google Benchmark."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
from benchmarks.precision.ground import BASELINE, Ground, Stored, catalog_with, deviation
from benchmarks.precision.records import Finding, Outcome, percent
from harness.c.build.compilers import Compilers, common_flags, find_compilers

from serbench.catalog.records import Row
from serbench.errors import UserError
from serbench.measure.calibration import Calibration, MeasurementTask
from serbench.measure.launches import typical
from serbench.measure.precision import CHUNK_NS
from serbench.measure.statistics import Interval
from serbench.project import CACHE, ROOT
from serbench.provision import provide
from serbench.provision.debian import missing_packages

TITLE = "the same iterations timed by Google Benchmark"
CONTENDERS = ["c/mpack", "c/json-parser", "c/cjson"]
"""Such as are built from a few files of Debian's source package."""
DATA = "generated:2"
PACKAGE = "libbenchmark-dev"
HARNESS = ROOT / "harness" / "c"
SOURCES = ["clock", "workspace", "message_file", "fragment", "tape_read", "hash", "contender"]
SOURCES += ["calls", "task_read"]
LEAST_LAUNCHES, ENOUGH_LAUNCHES, MOST_LAUNCHES = 10, 200, 240
"""Rather many than long ones, since the machine's speed may change between ours and theirs.

A worker and another program are of different moments: of fewer than enough launches their ratio is too vague.
"""
START_SECONDS, LEAST_SECONDS = 0.15, 0.08
"""For a row in a launch: until it is sampled, and sampling it."""
GOAL = 0.02
HERE = Path(__file__).resolve().parent


class _Entry(msgspec.Struct):
    run_type: str
    real_time: float
    time_unit: str
    hash: float = -1.0
    error_occurred: bool = False
    error_message: str = ""


class _Printed(msgspec.Struct):
    benchmarks: list[_Entry]


def repetitions_ns(printed: bytes, expected: str) -> list[float]:
    """Return the nanoseconds an iteration of every repetition in Google Benchmark's JSON.

    Raises UserError for what it reports as an error, without a repetition, and where the last iteration did
    not end with the hash `expected`.
    """
    entries = [e for e in msgspec.json.decode(printed, type=_Printed).benchmarks if e.run_type == "iteration"]
    failed = next((e for e in entries if e.error_occurred), None)
    if failed is not None or not entries:
        raise UserError(f"Google Benchmark: {failed.error_message if failed else 'it timed nothing'}")
    if any(entry.hash != int(expected, 16) for entry in entries):
        raise UserError(f"Google Benchmark's iterations do not give the hash {expected}")
    units = {"ns": 1.0, "us": 1e3, "ms": 1e6, "s": 1e9}
    return [entry.real_time * units[entry.time_unit] for entry in entries]


def _compile(commands: Sequence[Sequence[str]]) -> None:
    for command in commands:
        done = subprocess.run(list(command), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(f"the Google Benchmark program cannot be compiled: {done.stderr.strip()[-500:]}")


def build(row: Row, folder: Path, compilers: Compilers) -> Path:
    """Link the row's own source, its library and the harness's iteration with Google Benchmark.

    The options are those of the harness's builds. Raises UserError if that fails.
    """
    folder.mkdir()
    library = provide(row.contender, CACHE, {})
    source, root = library.source, library.root
    words = [*common_flags("speed"), f"-I{HARNESS / 'include'}", f"-I{HARNESS / 'src'}"]
    own = [*words, f"-I{row.source.parent}"]
    files: list[tuple[Path, list[str]]] = [(HARNESS / "src" / f"{name}.c", words) for name in SOURCES]
    files.append((HARNESS / "src" / "heap.c", words))
    if root is not None:
        includes = [word for name in source.include for word in ("-isystem", str(root / name))]
        own += [*includes, *(f"-D{define}" for define in [*source.defines, *row.defines])]
        macros = [f"-D{define}" for define in [*source.defines, *row.defines]]
        library_words = [*common_flags("speed"), "-w", *includes, *macros]
        files += [(root / name, library_words) for name in source.files]
    files.append((row.source, own))
    objects, commands = [], []
    for number, (path, options) in enumerate(files):
        objects.append(str(folder / f"{number}.o"))
        commands.append([compilers.c, "-std=gnu11", *options, "-c", str(path), "-o", objects[-1]])
    program = folder / "google"
    main = [
        compilers.cxx,
        "-std=gnu++17",
        *words,
        "-c",
        str(HERE / "google.cpp"),
        "-o",
        str(folder / "main.o"),
    ]
    link = [
        compilers.cxx,
        *common_flags("speed"),
        "-Wl,--gc-sections",
        str(folder / "main.o"),
        *objects,
    ]
    link += [*(f"-l{name}" for name in source.libraries), "-lbenchmark", "-lpthread", "-o", str(program)]
    _compile([*commands, main, link])
    return program


def chunks_ns(printed: bytes, iterations: int, expected: str) -> list[float]:
    """Return the nanoseconds an iteration of each chunk that the program timed by itself.

    Raises UserError where the last iteration did not end with the hash `expected`. Google Benchmark may warn
    of something on other lines.
    """
    lines = [line.split() for line in printed.decode("ascii", "replace").splitlines()]
    if ["hash", expected] not in lines:
        raise UserError(f"the harness's own loop does not give the hash {expected}")
    return [int(line[1]) / iterations for line in lines if line[:1] == ["chunk"]]


def _timed(
    ground: Ground, program: Path, row: MeasurementTask, iterations: int, seconds: float, before: bool
) -> tuple[list[float], list[float]]:
    """Every chunk and every repetition of one start of the program, on the processor that is measured on."""
    chunks = max(1, round(seconds / (CHUNK_NS / 1e9)))
    command = [str(program), str(row.tape), str(row.input), str(row.padding)]
    command += [str(iterations), str(chunks), "before" if before else "after"]
    # A repetition is as long as a chunk: what interrupts a processor is in a longer one more often.
    command += [f"--benchmark_min_time={CHUNK_NS / 1e9}"]
    command += [f"--benchmark_repetitions={chunks}", "--benchmark_format=json"]
    with ground.pinned():
        done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise UserError(f"Google Benchmark failed: {done.stderr.decode('utf-8', 'replace').strip()[-300:]}")
    return chunks_ns(done.stderr, iterations, row.expected), repetitions_ns(done.stdout, row.expected)


def _finding(name: str, what: str, found: Interval, judged: bool) -> Finding:
    return Finding(
        what=f"{name}: {what}, less 1",
        found=f"{percent(found.value)} [{percent(found.low)}, {percent(found.high)}]",
        goal=f"within {percent(GOAL, 0)}" if judged else "",
        met=abs(found.value) <= GOAL if judged else None,
    )


def findings(
    name: str, worker: Sequence[float], own: Sequence[float], theirs: Sequence[float]
) -> list[Finding]:
    """Compare a row's medians, one a launch: in the worker, and both in the program."""
    enough = len(worker) >= ENOUGH_LAUNCHES
    theirs_too = "over Google Benchmark's median repetition"
    return [
        _finding(name, f"our median chunk {theirs_too}, in one process", deviation(own, theirs), True),
        _finding(name, f"ours in the worker {theirs_too}", deviation(worker, theirs), enough),
        _finding(name, "ours in the worker over ours in that process", deviation(worker, own), False),
    ]


def run(ground: Ground, within: float) -> Outcome:
    """Launch ours and Google Benchmark's programs in turn.

    Judged are both clocks and loops in one process, and, where there was time for enough launches, the worker
    against Google Benchmark's program. These have code and data at different places, which alone may move
    times by a few per cent: how far, is shown with our clock and loop in both.
    """
    outcome = Outcome(part="f", title=TITLE)
    if missing_packages([PACKAGE]):
        outcome.not_run = f"it needs the Debian package {PACKAGE}: sudo apt-get install {PACKAGE}"
        return outcome
    catalog = catalog_with()
    rows = [ground.row(catalog, name, "tree") for name in (BASELINE, *CONTENDERS)]
    proven = ground.prove(catalog, rows, DATA)
    compilers = find_compilers()
    programs = [build(row, ground.folder / f"google-{n}", compilers) for n, row in enumerate(rows)]
    launches = round(within / len(rows) / (2 * START_SECONDS + 3 * LEAST_SECONDS))
    launches = max(LEAST_LAUNCHES, min(MOST_LAUNCHES, launches))
    seconds = max(LEAST_SECONDS / 4, min(0.5, (within / launches / len(rows) - 2 * START_SECONDS) / 3))
    stored, calibration = Stored(proven), Calibration()
    inside: list[list[list[float]]] = [[] for _ in rows]
    theirs: list[list[list[float]]] = [[] for _ in rows]
    for launch in range(launches):
        ground.launch(stored, calibration, seconds)
        for index, (program, timed) in enumerate(zip(programs, proven, strict=True)):
            iterations = calibration.iterations(timed.id, CHUNK_NS)
            chunks, repeated = _timed(ground, program, timed, iterations, seconds, before=launch % 2 == 0)
            inside[index].append(chunks)
            theirs[index].append(repeated)
    outcome.settings = {"data": DATA, "launches": launches, "seconds_per_row_and_launch": seconds}
    for row, measured, chunked, repetitions in zip(rows, proven, inside, theirs, strict=True):
        middle = [
            typical(s for s in stored.samples if s.row == measured.id and s.launch == launch)
            for launch in range(launches)
        ]
        name = row.contender.id
        own, medians = ([float(np.median(each)) for each in of_row] for of_row in (chunked, repetitions))
        outcome.figures[name] = {"typical_ns": middle, "chunks_ns": chunked, "google_ns": repetitions}
        outcome.findings += findings(name, middle, own, medians)
    return outcome
