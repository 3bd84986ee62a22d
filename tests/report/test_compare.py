"""Comparisons of synthetic runs whose true times are known."""

import random
from collections.abc import Callable

import msgspec
import pytest

from serbench.report.compare import Compared, Comparison, compare_runs
from serbench.report.differences import differences
from serbench.report.document import Table
from serbench.report.run_report import run_document
from serbench.results.counts import Count, rows_of
from serbench.results.schema import Platform, Revision, Run
from tests.results.builder import row, samples, synthetic_run

TRUE_NS = {"baseline": 3000.0, "memcpy": 60.0, "MPack": 8000.0, "YAJL": 20_000.0}


def run_of(times: dict[str, float], seed: int, **changes: object) -> Run:
    """A run of one group; `changes` are fields of MPack's row."""
    source = random.Random(seed)
    run = synthetic_run()
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    for number, (name, ns) in enumerate(times.items()):
        role = {"baseline": "baseline", "memcpy": "floor"}.get(name, "contender")
        more: dict[str, object] = {"program": f"{name} program", "role": role, "code_size": 5000}
        more |= {"instructions": 30_000.0, "compiler": "gcc 12.2.0"}
        record = row(number, name, **(more | (changes if name == "MPack" else {})))
        run.rows.append(record)
        run.samples += samples(record, ns, source, range(6), spread=0.002)
    return run


def only(found: Comparison, name: str) -> Compared:
    return next(r for r in found.rows if name in r.name)


def test_runs_whose_controls_agree_are_judged() -> None:
    old = run_of(TRUE_NS, 1)
    new = run_of(TRUE_NS | {"MPack": 3000 + 5000 * 1.4}, 2, program="another", instructions=41_000.0)
    found = compare_runs(old, new, 0.03)
    mpack, yajl = only(found, "MPack"), only(found, "YAJL")
    assert mpack.verdict == "slower" and not mpack.control and found.slower
    assert mpack.exact == {"instructions": (30_000.0, 41_000.0)} and mpack.same == ["bytes", "code size"]
    assert yajl.control and yajl.verdict == "undecided"
    assert yajl.ratio == pytest.approx(1, abs=0.02)
    assert len(found.rows) == 2  # baselines and floors are controls and no rows


def test_without_controls_that_agree_times_are_undecided_and_counts_still_compared() -> None:
    old = run_of(TRUE_NS, 1)
    slower_machine = {name: ns * 1.2 for name, ns in TRUE_NS.items()}
    new = run_of(slower_machine | {"MPack": 15_000.0}, 2, program="another", code_size=5008)
    mpack = only(compare_runs(old, new, 0.03), "MPack")
    assert mpack.verdict == "undecided" and "times as long" in mpack.reason
    assert mpack.exact == {"code size": (5000, 5008)}

    for record in new.rows:
        record.program = f"all new {record.id}"
    mpack = only(compare_runs(old, new, 0.03), "MPack")
    assert mpack.verdict == "undecided" and "no unchanged program" in mpack.reason


REVISIONS = [Revision(sources=digit * 16, commit=digit * 40) for digit in "01"]
CHANGES: dict[str, tuple[Callable[[Run], None], str]] = {
    "machine": (lambda run: setattr(run.machine, "cpu", "Other CPU"), "processor"),
    "data": (lambda run: setattr(run.datasets[0], "tape_sha256", "00" * 32), "Different data"),
    "flags": (lambda run: setattr(run.rows[2], "flags", "-O2"), "flags"),
    "version": (lambda run: setattr(run.rows[2], "library_version", "9.9"), "library version"),
    "compiler": (lambda run: run.machine.compilers.update(gcc="14.0"), "gcc compiler"),
    "allocator": (lambda run: run.machine.allocators.update(jemalloc="5.4"), "jemalloc allocator"),
    "libc": (lambda run: setattr(run.machine, "libc", "glibc 2.41"), "C library"),
    "turbo": (lambda run: setattr(run.machine, "turbo", True), "turbo: off, now on"),
    "revision": (lambda run: setattr(run, "revision", REVISIONS[1]), "revision of serbench: git 0000"),
    "input": (lambda run: setattr(run.datasets[0].encodings["json"], "hash", "00000000"), "other bytes"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_differs_is_said_first(what: str) -> None:
    old, new = run_of(TRUE_NS, 1), run_of(TRUE_NS, 2, program="another")
    old.machine = msgspec.structs.replace(old.machine, libc="glibc 2.36", turbo=False)
    new.machine = msgspec.convert(msgspec.to_builtins(old.machine), type(new.machine))
    old.revision = new.revision = REVISIONS[0]
    assert differences(old, new) == []
    change, sentence = CHANGES[what]
    change(new)
    said = differences(old, new)
    assert len(said) == 1 and sentence in said[0]
    found = compare_runs(old, new, 0.03)
    if what in ("machine", "data"):
        assert only(found, "MPack").verdict == "undecided" and not found.slower
    if what == "data":
        assert not only(found, "MPack").same


def platform(name: str, **more: str) -> Platform:
    stated = {"title": name, "compiler": "gcc 12", "flags": "-Os", "emulator": "qemu 7"} | more
    return Platform(name=name, stands_for=["a chip"], unit="instructions", **stated)  # type: ignore[arg-type]


def counted_linux(mpack: float | None, *names: str, **changes: object) -> Run:
    """MPack and its baseline counted on platforms; `changes` are fields of MPack's rows."""
    run = synthetic_run()
    run.samples, run.failures, run.stops = [], [], []
    run.platforms = [platform(name) for name in names]
    run.rows = []
    for name in names:
        of = {"platform": name, "toolchain": "gcc"}
        base = row(len(run.rows), "baseline", role="baseline", instructions=1000.0, **of)
        more = {"instructions": mpack, "code_size": 4000} | of | changes
        run.rows += [base, row(len(run.rows) + 1, "MPack", **more)]
    return run


@pytest.mark.parametrize(
    ("now", "verdict"),
    [(3000.0, "no difference"), (3040.0, "no difference"), (3080.0, "slower"), (2900.0, "faster")],
)
def test_counts_of_a_linux_have_a_verdict_net_of_the_baseline(now: float, verdict: str) -> None:
    new = counted_linux(now, "linux-armv6")
    new.machine = msgspec.structs.replace(new.machine, cpu="Other CPU")  # on which no count depends
    found = compare_runs(counted_linux(3000.0, "linux-armv6"), new, 0.03)
    (compared,) = found.rows
    assert (compared.verdict, compared.reason, compared.basis) == (verdict, "", "net")
    assert compared.ratio == pytest.approx((now - 1000) / 2000) and compared.low is None
    assert found.slower == (verdict == "slower")
    assert compared.exact == ({} if now == 3000.0 else {"instructions": (3000.0, now)})
    assert "linux-armv6" in compared.name


def test_counts_are_net_of_the_baseline_that_their_own_run_subtracts() -> None:
    runs = [counted_linux(counted, "linux-armv6", toolchain="clang") for counted in (3500.0, 5000.0)]
    for run in runs:
        for compiler, counted in (("clang", 2000.0), ("tcc", 2500.0)):
            of = {"platform": "linux-armv6", "toolchain": compiler, "role": "baseline"}
            run.rows.append(row(len(run.rows), "baseline", instructions=counted, **of))
    (compared,) = compare_runs(*runs, 0.03).rows
    assert (compared.ratio, compared.basis) == (2.0, "net")
    (section,) = [each for each in run_document(runs[:1]).sections if each.title.startswith("linux-armv6")]
    (table,) = [block for block in section.blocks if isinstance(block, Table)]
    (cells,) = [line.cells for line in table.rows if line.cells[0].startswith("MPack")]
    assert cells[[column.header for column in table.columns].index("net")] == 1500
    assert cells[[column.header for column in table.columns].index("× base")] == "1.75"


def test_counts_of_two_platforms_are_never_compared() -> None:
    old = counted_linux(3000.0, "linux-armv6")
    found = compare_runs(old, counted_linux(9000.0, "linux-armhf"), 0.03)
    assert found.rows == [] and not found.slower
    assert "Different platforms: linux-armv6, now linux-armhf" in found.differences[0]
    both = compare_runs(old, counted_linux(9000.0, "linux-armv6", "linux-armhf"), 0.03)
    assert [(r.verdict, r.ratio) for r in both.rows] == [("slower", 4.0)]
    assert any("new run only: MPack tree generated:2 · linux-armhf" in note for note in both.notes)
    two = "linux-armv6", "linux-armhf"
    assert len(compare_runs(counted_linux(3000.0, *two), counted_linux(3000.0, *two), 0.03).rows) == 2


def test_a_linux_row_that_is_not_counted_any_more_is_an_alarm() -> None:
    new = counted_linux(None, "linux-armv6", instructions_reason="the worker crashed")
    found = compare_runs(counted_linux(3000.0, "linux-armv6"), new, 0.03)
    assert found.broken and not found.slower
    assert found.rows[0].reason == "new: the worker crashed" and found.rows[0].verdict == "undecided"
    assert not compare_runs(new, counted_linux(3000.0, "linux-armv6"), 0.03).broken


def counted_firmware(**changes: object) -> Run:
    run = synthetic_run()
    run.rows, run.samples, run.failures, run.stops = [], [], [], []
    run.platforms = [platform("cortex-m3")]
    values: dict[str, object] = {"platform": "cortex-m3", "contender": "CMP", "contender_id": "firmware/cmp"}
    values |= {"format": "messagepack", "document": "WoT", "status": "ok", "content_hash": "ab"}
    values |= {"input_bytes": 90, "bytes": 90, "deserialize": 5000, "serialize": 4000, "flash": 3000}
    values |= {"deserialize_stack": 100, "serialize_stack": 80, "library_version": "20"}
    run.rows = rows_of([Count(**(values | changes))])  # type: ignore[arg-type]
    return run


def test_counts_on_microcontrollers_have_verdicts() -> None:
    old = counted_firmware()
    same = compare_runs(old, counted_firmware(), 0)
    assert [r.verdict for r in same.rows] == ["no difference"] * 2 and not same.slower
    new = counted_firmware(deserialize=5001, flash=3100, serialize=3000, library_version="21")
    found = compare_runs(old, new, 0)
    assert [r.verdict for r in found.rows] == ["slower", "faster"] and found.slower
    assert found.rows[0].exact == {"instructions": (5000, 5001)} and found.rows[0].same == ["stack"]
    assert found.rows[1].exact == {"instructions": (4000, 3000), "flash": (3000, 3100)}
    assert found.rows[1].same == ["stack", "bytes"]
    assert found.rows[0].name == "CMP deserialize WoT · cortex-m3"
    assert found.differences == ["CMP: different library version: 20, now 21."]
    assert not compare_runs(old, new, 0.03).slower
    new.platforms = [platform("cortex-m3", emulator="qemu 9")]
    assert "cortex-m3: different emulator: qemu 7, now qemu 9." in compare_runs(old, new, 0).differences


def test_counts_that_are_gone_or_of_other_data_are_told_apart() -> None:
    old = counted_firmware()
    crashed = counted_firmware(status="failed", reason="wrong hash", deserialize=None, serialize=None)
    found = compare_runs(old, crashed, 0)
    assert found.broken and [r.reason for r in found.rows] == ["new: failed: wrong hash"]
    assert not compare_runs(crashed, old, 0).broken
    found = compare_runs(old, counted_firmware(content_hash="cd", deserialize=9000), 0)
    assert [(r.verdict, r.reason) for r in found.rows] == [("undecided", "the data differ")]
    assert found.differences == ["Different data under the name WoT: its counts are not compared."]
    elsewhere = compare_runs(old, counted_firmware(platform="avr"), 0)
    assert elsewhere.rows == [] and "new run only: CMP roundtrip WoT · avr" in elsewhere.notes[1]


def test_times_of_a_board_have_no_verdict() -> None:
    old, new = counted_firmware(), counted_firmware(deserialize=50_000)
    for run in (old, new):
        run.platforms[0].unit, run.platforms[0].kind = "microseconds", "board"
    found = compare_runs(old, new, 0)
    assert [r.verdict for r in found.rows] == ["undecided"] * 2 and not found.slower
    assert "no interval" in found.rows[0].reason and found.rows[0].ratio == 10


def test_files_of_before_there_was_a_field_do_not_differ_in_it() -> None:
    old, new = run_of(TRUE_NS, 1), run_of(TRUE_NS, 2)
    new.machine = msgspec.structs.replace(old.machine, libc="glibc 2.36", turbo=True)
    new.revision = REVISIONS[1]
    assert differences(old, new) == []
    for record in new.rows:
        record.cpu = "baseline"  # which all programs were built for
    found = compare_runs(old, new, 0.03)
    assert len(found.rows) == 2 and not found.notes[:-1]
    old.revision = msgspec.structs.replace(REVISIONS[1], commit="2" * 40)  # no source of serbench changed
    assert differences(old, new) == []


def test_rows_of_two_levels_are_never_compared() -> None:
    both = [run_of(TRUE_NS, seed) for seed in (1, 2)]
    for run in both:
        run.rows.append(msgspec.structs.replace(run.rows[2], id=9, cpu="v3"))
        run.samples += samples(run.rows[-1], 6000.0, random.Random(5), range(6))
    found = compare_runs(*both, 0.03)
    assert sorted(r.name for r in found.rows if "MPack" in r.name) == [
        "MPack tree generated:2",
        "MPack tree generated:2 · v3",
    ]
    both[1].rows = [record for record in both[1].rows if record.id != 9]
    both[1].samples = [sample for sample in both[1].samples if sample.row != 9]
    found = compare_runs(*both, 0.03)
    assert len(found.rows) == 2 and "v3" in " ".join(found.notes)
