"""Run files of one machine over months, whose true times and changes are chosen here."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from serbench.results.schema import RowResult, Run
from serbench.results.summary import summarise
from tests.page.runs import many_rows
from tests.results.builder import row, samples, synthetic_run

START = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TRUE_NS = {"baseline": 3000.0, "MPack": 8000.0, "YAJL": 20_000.0}


def dated(run: Run, number: int, days: float = 1.0) -> Run:
    """The run as the one of a later day."""
    began = START + timedelta(days=days * number)
    started, name = began.strftime("%Y-%m-%dT%H:%M:%SZ"), began.strftime("%Y-%m-%dT%H-%M-%S")
    return msgspec.structs.replace(run, id=name, started=started, finished=started)


def small_run(number: int, days: float = 1.0, **net: float) -> Run:
    """A run of MPack and YAJL; those whose net time is given are another program, of another version."""
    source = random.Random(number)
    run = dated(synthetic_run(), number, days)
    run.rows, run.samples, run.failures, run.stops, run.notes = [], [], [], [], []
    for place, (name, ns) in enumerate(TRUE_NS.items()):
        times = net.get(name, 1.0)
        more = {"program": f"{name} {times}", "role": "baseline" if name == "baseline" else "contender"}
        if name == "MPack":
            more |= {"format": "messagepack", "format_name": "MessagePack", "bytes": 2367}
        record = row(place, name, library_version="1.2" if times == 1 else f"1.3-{times}", **more)
        run.rows.append(record)
        true = TRUE_NS["baseline"] + (ns - TRUE_NS["baseline"]) * times if name != "baseline" else ns
        run.samples += samples(record, true, source, range(6), spread=0.002)
    run.summary = summarise(run)
    return run


def write(folder: Path, *runs: Run) -> Path:
    """The folder with these run files."""
    folder.mkdir(exist_ok=True)
    for number, run in enumerate(runs):
        (folder / f"{number:03}.json").write_bytes(msgspec.json.encode(run))
    return folder


def many_runs(number: int, rows: int) -> Iterator[Run]:
    """A run a day of so many rows, in which every tenth day another library becomes a fifth slower or faster.

    Only the first is summarised; of the others times are multiplied, as summaries of 300 runs take minutes.
    """
    source = random.Random(1)
    base = many_rows(rows, launches=5, groups=5)
    base.summary = summarise(base)
    names = ("write", "tree")
    for record in base.rows:
        record.test = names[record.id % 2] if record.role == "contender" else "tree"
    factors = {record.id: 1.0 for record in base.rows}
    versions = {record.id: 0 for record in base.rows}
    for day in range(number):
        if day % 10 == 9:
            changed = source.randrange(1, rows + 1)
            factors[changed] *= source.choice((0.8, 1.25))
            versions[changed] += 1
        own = {key: factor * source.gauss(1, 0.002) for key, factor in factors.items()}
        run = dated(base, day)
        run.rows = [
            msgspec.structs.replace(
                each, library_version=f"1.{versions[each.id]}", program=f"{each.id} {versions[each.id]}"
            )
            for each in base.rows
        ]
        assert base.summary is not None
        scaled = [_scaled(each, own[each.id]) for each in base.summary.rows]
        run.summary = msgspec.structs.replace(base.summary, rows=scaled)
        yield run


def _scaled(result: RowResult, factor: float) -> RowResult:
    times = ("net_ns", "net_low_ns", "net_high_ns", "raw_ns", "raw_low_ns", "raw_high_ns")
    known = {name: value * factor for name in times if (value := getattr(result, name)) is not None}
    return msgspec.structs.replace(
        result, launch_ns=[(launch, ns * factor) for launch, ns in result.launch_ns], **known
    )
