"""Runs for the page: one of nothing but attacks, and one with as many rows as one likes."""

import random

import msgspec

from serbench.measure.records import Failure
from serbench.results.probes import (
    Carried,
    Damage,
    Fate,
    Fidelity,
    Judged,
    Mark,
    Payload,
    ProcessEnd,
    Strict,
)
from serbench.results.schema import Run
from serbench.results.summary import summarise
from tests.linux.runs import counted_run
from tests.results.builder import row, samples, synthetic_run

ATTACK = (
    "</script><script>hacked=1</script><img src=x onerror='hacked=1'>\"'`${hacked=1}\x1b[31m\u202e\x00\n|=1+1"
)


def written(run: Run) -> bytes:
    """The run file of a run, as it is when it was completed."""
    return msgspec.json.encode(msgspec.structs.replace(run, summary=summarise(run)))


def hostile_run() -> Run:
    """A run in which every text that comes from elsewhere is an attack."""
    run = synthetic_run()
    run.id = ATTACK
    run.notes = [ATTACK]
    run.machine = msgspec.structs.replace(run.machine, cpu=ATTACK, system=ATTACK)
    run.settings.command = [ATTACK, ATTACK]
    run.datasets[0].name = ATTACK
    run.datasets[0].encodings = {f"{name} {ATTACK}": e for name, e in run.datasets[0].encodings.items()}
    for record in run.rows:
        for name in ("contender", "contender_id", "language", "language_name", "format", "format_name"):
            setattr(record, name, f"{getattr(record, name)} {ATTACK}")
        for name in ("variant", "library_version", "origin", "compiler", "flags", "api", "toolchain", "hash"):
            setattr(record, name, f"{record.id % 3} {ATTACK}")
        record.variant = "" if record.role == "baseline" else record.variant
        record.toolchain, record.cpu = "gcc", ATTACK
        record.dataset, record.profile, record.labels = ATTACK, ATTACK, [ATTACK]
        record.reason = record.output = ATTACK if record.status != "ok" else ""
    for stop in run.stops:
        stop.dataset, stop.profile = ATTACK, ATTACK
    run.failures = [Failure(row=12, launch=0, reason=ATTACK, output=ATTACK)]
    run.fidelity = [
        Fidelity(
            contender=ATTACK,
            contender_id=ATTACK,
            variant=ATTACK,
            format=ATTACK,
            carries=[Carried(kind="own", where=ATTACK, what=ATTACK)],
            values=[
                Fate(
                    probe=ATTACK,
                    mark="changed",
                    found=ATTACK,
                    peer=ATTACK,
                    peer_mark="changed",
                    peer_found=ATTACK,
                )
            ],
        )
    ]
    run.payloads = [
        Payload(contender=ATTACK, contender_id=ATTACK, format=ATTACK, direction="encode", reason=ATTACK)
    ]
    judged = Judged(case=ATTACK, kind="numbers", expected="refuse", outcome="taken", said=ATTACK)
    run.strict = [
        Strict(contender=ATTACK, contender_id=ATTACK, format=ATTACK, row=ATTACK, test=ATTACK, judged=[judged])
    ]
    return run


def probed_run() -> Run:
    """A run without rows: three libraries' fidelity, with every mark, payload limits, and strictness."""
    run = synthetic_run()
    run.id, run.rows, run.samples, run.failures, run.stops = "probed", [], [], [], []
    marks: list[tuple[str, Mark, str]] = [
        ("1.0", "same", ""),
        ("2^60", "form", "a Long"),
        ("1e300", "changed", "0"),
        ("Date", "refused", "Error: no dates"),
        ("key __proto__", "polluted", "the data set the object's prototype"),
    ]
    reads = Fate(
        probe="2^53+1n", mark="refused", at="write", peer="Other", peer_mark="changed", peer_found="7"
    )
    run.fidelity = [
        Fidelity(
            contender="Notes",
            contender_id="javascript/notes",
            format="messagepack",
            format_name="MessagePack",
            carries=[Carried(kind="own", where=where, what="extra") for where in ("items[]", "")],
            values=[*(Fate(probe=name, mark=mark, found=found) for name, mark, found in marks), reads],
        ),
        Fidelity(
            contender="Gone",
            contender_id="javascript/gone",
            format="json",
            status="unavailable",
            reason="not here",
        ),
        Fidelity(
            contender="Other",
            contender_id="python/other",
            format="json",
            format_name="JSON",
            values=[Fate(probe="nan", mark="changed", found="None")],
        ),
    ]
    given = {"contender": "Notes", "contender_id": "javascript/notes", "format": "messagepack", "heap_mb": 64}
    run.payloads = [
        Payload(
            **given, direction="encode", megabytes=16.34, rows=325_964, failed_megabytes=20.4, failure="heap"
        ),  # type: ignore[arg-type]
        Payload(
            **given,  # type: ignore[arg-type]
            direction="decode",
            failed_megabytes=0.1,
            failure="input",
            limited_by_input=True,
            status="failed",
        ),
    ]
    run.strict = [
        Strict(
            contender="Notes",
            contender_id="javascript/notes",
            format="messagepack",
            row="javascript/notes:tree",
            test="tree",
            cases=65,
            judged=[
                Judged(case="float 32", kind="numbers", expected="accept", outcome="refused", said="no"),
                Judged(case="byte FF", kind="UTF-8", expected="either", outcome="taken"),
                Judged(case="in a map", kind="truncation", expected="refuse", outcome="hang", said="2 s"),
            ],
            damage=Damage(
                tried=1200,
                wanted=10_000,
                taken=34,
                sanitizer="none",
                ends=[ProcessEnd(kind="hang", times=3, said="2 s")],
            ),
        )
    ]
    return run


def emulated_run() -> Run:
    """A run that counted on two emulated Linux platforms, whose baselines differ."""
    run = counted_run()
    run.id = "emulated"
    run.platforms.append(
        msgspec.structs.replace(
            run.platforms[0], name="linux-arm64", title="ARM64 Linux", stands_for=["Pi 4"]
        )
    )
    for record in list(run.rows):
        again = msgspec.structs.replace(record, id=record.id + 10, platform="linux-arm64")
        again.instructions = record.instructions and record.instructions * 0.5
        run.rows.append(again)
    return run


def many_rows(number: int, launches: int = 5, groups: int = 1) -> Run:
    """A run with `number` contenders in all, of several formats and languages, on `groups` datasets."""
    source = random.Random(number)
    run = synthetic_run()
    run.id = f"{number} rows"
    run.rows, run.samples, run.failures = [], [], []
    for group in range(groups):
        baseline = row(number + 1 + group, "baseline", role="baseline", dataset=f"data {group}")
        run.rows.append(baseline)
        run.samples += samples(baseline, 3000, source, range(launches))
    for n in range(1, number + 1):
        form = ("JSON", "MessagePack", "BSON", "CBOR")[n % 4]
        record = row(
            n,
            f"Library {n}",
            format=form.lower(),
            format_name=form,
            language=("c", "cpp", "zig")[n % 3],
            language_name=("C", "C++", "Zig")[n % 3],
            dataset=f"data {n % groups}",
            bytes=2000 + n % 1700,
            labels=["distribution build"] if n % 5 == 0 else [],
        )
        run.rows.append(record)
        run.samples += samples(record, 3500 + 20 * n, source, range(launches))
    return run
