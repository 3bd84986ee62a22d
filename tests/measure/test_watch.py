"""Which samples are disturbed, with made-up counters; and what becomes of them."""

import io
import subprocess
import sys
from collections import Counter
from random import Random

import msgspec
import pytest
from rich.console import Console

from serbench.commands import bootstrap
from serbench.measure import noise
from serbench.measure.calibration import Calibration
from serbench.measure.launches import launch_figures, undisturbed
from serbench.measure.noise import (
    Activity,
    disturbances,
    disturbed_sentence,
    heaviest,
    load_warning,
    turbo,
    turbo_warning,
)
from serbench.measure.plan import Group
from serbench.measure.records import Failure, Overhead, Sample
from serbench.measure.schedule import Schedule
from serbench.measure.turns import Launch
from serbench.measure.watch import Reading, Watch, read_machine, was_preempted
from tests.measure.fakes import FakeClock, conditions, measured, settings

CALM = Reading(at=0.0)


def judged(*readings: Reading, wall=(1000,), cpu=(1000,)) -> list[str]:
    """What a watch says of samples that end at each of the `readings` but the first."""
    coming = iter(readings)
    watch = Watch(1, lambda _cpu: next(coming))
    return [watch("shortest-chunk", list(wall), list(cpu)) for _ in readings[1:]]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({}, ""),
        # What a virtual machine loses as a rule.
        ({"stolen": 0.14}, ""),
        ({"stolen": 0.3}, "steal"),
        ({"busy": 0.4}, ""),
        ({"busy": 0.6}, "others"),
        ({"busy": 0.9, "own": 0.5}, ""),
        ({"pages": 100}, ""),
        ({"pages": 300}, "swapping"),
        ({"throttled": 1}, "throttled"),
        ({"busy": 1.0, "stolen": 0.9}, "steal others"),
    ],
)
def test_the_counters_tell_what_went_on(changes: dict, says: str):
    assert judged(CALM, Reading(at=1.0, **changes)) == [says]


def test_a_short_sample_is_judged_over_a_window():
    # 10 ms stolen within 10 ms are one tick of the counter, and tell nothing.
    ticks = [Reading(at=n / 100, stolen=0.01 * (n >= 5)) for n in range(100)]
    assert set(judged(*ticks)) == {""}
    # Stolen for good from some time on: known soon, and over soon after its end.
    stolen = [Reading(at=n / 100, stolen=min(max(0, n - 50), 50) / 100) for n in range(200)]
    found = judged(*stolen)
    assert found[:50] == [""] * 50
    assert found[60:95] == ["steal"] * 35
    assert found[-60:] == [""] * 60


def test_a_long_sample_is_judged_over_all_of_it():
    readings = [Reading(at=float(n)) for n in range(5)] + [Reading(at=5.0, stolen=0.5), Reading(at=9.0)]
    assert judged(*readings, wall=(3_900_000_000,), cpu=(3_900_000_000,))[-2] == ""


@pytest.mark.parametrize(
    ("statistic", "lost", "disturbed"),
    [
        ("shortest-chunk", [0.0] * 10, False),
        ("shortest-chunk", [0.01] * 10, False),
        ("shortest-chunk", [0.5] * 7 + [0.0] * 3, False),
        ("shortest-chunk", [0.5] * 8 + [0.0] * 2, True),
        ("shortest-chunk", [0.03] * 10, True),
        ("shortest-chunk", [0.0], False),
        ("shortest-chunk", [0.1], True),
        ("mean", [0.14] * 10, False),
        ("mean", [0.9] * 2 + [0.0] * 8, False),
        ("mean", [0.9] * 3 + [0.0] * 7, True),
        # Several threads, or a clock that runs a little ahead.
        ("mean", [-0.5] * 10, False),
        ("shortest-chunk", [-0.01] * 10, False),
    ],
)
def test_lost_time_is_found_by_the_chunks(statistic: str, lost: list[float], disturbed: bool):
    wall = [1_000_000] * len(lost)
    cpu = [round(w * (1 - part)) for w, part in zip(wall, lost, strict=True)]
    assert was_preempted(statistic, wall, cpu) is disturbed


def test_the_machine_can_be_read():
    first, second = read_machine(None), read_machine(0)
    assert second.at > first.at and first.busy == 0.0 and second.busy >= 0.0
    assert min(msgspec.structs.astuple(second)) >= 0


def sample(number: int, wall: int, disturbed: str = "") -> Sample:
    return Sample(
        row=0,
        launch=0,
        round=number,
        position=0,
        started=0.0,
        iterations=1,
        wall=[wall],
        cpu=[wall],
        disturbed=disturbed,
    )


def mixed(calm: int, disturbed: int) -> list[Sample]:
    """Samples in any order: undisturbed ones of 100 ns, and disturbed ones of 900 ns."""
    samples = [sample(n, 100) for n in range(calm)] + [sample(n, 900, "steal") for n in range(disturbed)]
    Random(1).shuffle(samples)
    return samples


@pytest.mark.parametrize(("calm", "disturbed"), [(1, 1), (2, 2), (3, 0), (3, 10)])
def test_disturbed_samples_are_dropped_if_half_or_three_are_clean(calm: int, disturbed: int):
    samples = mixed(calm, disturbed)
    assert [s.disturbed for s in undisturbed(samples, "shortest-chunk")] == [""] * calm
    assert launch_figures(samples, "shortest-chunk") == pytest.approx({0: 100.0})


@pytest.mark.parametrize(("calm", "disturbed"), [(0, 4), (1, 2), (2, 3)])
def test_all_samples_count_if_too_few_are_clean(calm: int, disturbed: int):
    samples = mixed(calm, disturbed)
    assert undisturbed(samples, "shortest-chunk") == samples
    assert launch_figures(samples, "shortest-chunk") == pytest.approx({0: 900.0})


@pytest.mark.parametrize(("calm", "disturbed"), [(1, 1), (1, 9), (3, 10), (3, 0)])
def test_a_mean_leaves_out_disturbed_samples_if_one_is_clean(calm: int, disturbed: int):
    samples = mixed(calm, disturbed)
    assert [s.disturbed for s in undisturbed(samples, "mean")] == [""] * calm
    assert launch_figures(samples, "mean") == pytest.approx({0: 100.0})


def test_a_mean_of_disturbed_samples_alone_is_of_all_of_them():
    samples = mixed(0, 4)
    assert undisturbed(samples, "mean") == samples
    assert launch_figures(samples, "mean") == pytest.approx({0: 900.0})


def emitted(watch, spare=10.0, **changes):
    """What one launch of three rows emits under a watch; ten rounds are planned."""
    clock = FakeClock()
    found: list[Sample | Failure] = []

    def emit(record):
        clock.pass_sample(record)
        if not isinstance(record, Overhead):
            found.append(record)

    given = msgspec.structs.replace(conditions(clock), watch=watch, **changes)
    rows = [measured(n) for n in range(3)]
    Launch(0, rows, Calibration(), given, Random(0), emit).run(0.24, spare)
    return found


def test_disturbed_rounds_are_repeated_by_all_rows():
    calls = iter(range(1000))
    found = emitted(lambda *_: "steal" if next(calls) < 4 else "")
    # 4 samples of 3 rows were disturbed: two rounds more.
    assert [s.disturbed for s in found] == ["steal"] * 4 + [""] * 32
    assert sorted((s.round, s.row) for s in found) == [(r, row) for r in range(12) for row in range(3)]
    assert {len(s.wall) for s in found} == {3}
    # At most as many again, and only for the time there is.
    assert len(emitted(lambda *_: "others")) == 60
    assert len(emitted(lambda *_: "others", spare=0.075)) == 39
    assert len(emitted(lambda *_: "others", spare=0.0)) == 30
    assert len(emitted(lambda *_: "")) == 30


def scheduled(watch, **changes):
    clock = FakeClock()
    found = []

    def emit(record):
        clock.pass_sample(record)
        if not isinstance(record, Overhead):
            found.append(record)

    given = msgspec.structs.replace(conditions(clock, changes.pop("deadline", 1000.0)), watch=watch)
    group = Group(test="tree", dataset="generated:2", profile="speed", rows=[measured(0), measured(1)])
    Schedule([group], settings(**changes), given, 1 << 30, emit).run()
    return [r for r in found if isinstance(r, Sample)], found[-1]


def test_disturbed_launches_are_repeated_up_to_the_most():
    _, stop = scheduled(lambda *_: "")
    assert (stop.launches, stop.reason) == (3, "precise enough")
    _, stop = scheduled(lambda *_: "others")
    assert (stop.launches, stop.reason) == (5, "most launches")
    calls = iter(range(10_000))
    samples, stop = scheduled(lambda *_: "steal" if next(calls) < 20 else "")
    assert (stop.launches, stop.reason) == (4, "precise enough")
    assert {s.launch for s in samples if s.disturbed} == {0}


def test_only_time_that_nobody_needs_is_spent_on_repetitions():
    # What a launch costs is known after the first; from then on there may be as many rounds again.
    rounds = Counter(s.launch for s in scheduled(lambda *_: "others")[0])
    assert rounds[1] == 2 * rounds[0]


def test_what_was_seen_is_said_with_its_remedy():
    before = Activity(at=0.0, busy=10.0, stolen=1.0, total=100.0, own=5.0)
    calm = Activity(at=100.0, busy=110.0, stolen=1.5, total=300.0, own=105.0)
    assert disturbances(before, calm) == []
    assert disturbances(None, calm) == disturbances(before, None) == []
    noisy = msgspec.structs.replace(
        calm,
        busy=150.0,
        stolen=21.0,
        pages=10**6,
        throttled=3,
        processes={(7, "cc1plus"): 30.0, (8, "idler"): 1.0},
    )
    others, steal, swapping, heat = disturbances(before, noisy)
    assert "20% of the processors" in others and "cc1plus (30%)" in others and "idler" not in others
    assert "10%" in steal and "swapping" in swapping and "3 times" in heat
    assert all(": " in sentence for sentence in (others, steal, swapping, heat))


def test_a_process_that_changes_its_name_has_used_only_what_it_used_meanwhile():
    before = Activity(
        at=0.0, busy=0, stolen=0, total=0, own=0, processes={(7, "kworker-a"): 300.0, (8, "sh"): 9.0}
    )
    after = msgspec.structs.replace(before, at=10.0, processes={(7, "kworker-b"): 301.0, (8, "cc1"): 2.0})
    # The second number is of another process by now.
    assert heaviest(before, after) == ["cc1 (20%)", "kworker-b (10%)"]


def test_disturbed_samples_are_counted():
    assert disturbed_sentence([sample(0, 1)]) is None
    said = disturbed_sentence([sample(0, 1), sample(1, 1, "steal others"), sample(2, 1, "steal")])
    assert said.startswith("2 of 3 samples were disturbed (2 as the hypervisor")


BURN = "import time\nwhile time.process_time() < 0.3: pass"
HOLD = f"""import subprocess, sys
subprocess.run([sys.executable, "-c", {BURN!r}])
print(flush=True)
sys.stdin.read()
"""


def test_what_ended_below_a_process_that_still_runs_is_our_own():
    """As workers do below the process that starts them."""
    before = noise.activity()
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD], **pipes) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        after = noise.activity()
        holder.communicate()
    assert before is not None and after is not None and after.own - before.own >= 0.2


def test_heavy_processes_are_not_our_own(monkeypatch: pytest.MonkeyPatch):
    before = noise.activity()
    sum(range(3_000_000))
    after = noise.activity()
    import os

    assert os.getpid() not in {number for number, _ in after.processes}
    assert os.getppid() in {number for number, _ in before.processes}


def test_turbo_is_told(tmp_path):
    assert turbo(tmp_path) is None
    (tmp_path / "cpufreq").mkdir()
    (tmp_path / "cpufreq/boost").write_text("1\n")
    assert turbo(tmp_path) is True
    (tmp_path / "intel_pstate").mkdir()
    (tmp_path / "intel_pstate/no_turbo").write_text("1\n")
    assert turbo(tmp_path) is False


def test_turbo_and_load_have_their_sentences(tmp_path):
    assert turbo_warning(tmp_path) is None
    (tmp_path / "intel_pstate").mkdir()
    (tmp_path / "intel_pstate/no_turbo").write_text("1\n")
    assert turbo_warning(tmp_path) is None
    (tmp_path / "intel_pstate/no_turbo").write_text("0\n")
    assert "Turbo is on" in (turbo_warning(tmp_path) or "")
    assert load_warning(0.2) is None
    assert "The load was 1.50" in (load_warning(1.5) or "")


def test_what_is_seen_before_a_run_is_printed_and_kept(monkeypatch):
    said = {"governor_warning": "Saving.", "turbo_warning": "Fast."}
    for name, sentence in said.items():
        monkeypatch.setattr(bootstrap, name, lambda sentence=sentence: sentence)
    monkeypatch.setattr(bootstrap, "disturbances", lambda _before, _after: ["Others."])
    monkeypatch.setattr(bootstrap, "LOOK", 0.0)
    out = io.StringIO()
    kept = bootstrap.print_disturbances(Console(file=out, width=80))
    assert kept == ["Before measuring: Others.", "Saving.", "Fast."]
    assert out.getvalue().splitlines() == kept
    for name in said:
        monkeypatch.setattr(bootstrap, name, lambda: None)
    monkeypatch.setattr(bootstrap, "disturbances", lambda _before, _after: [])
    assert bootstrap.print_disturbances(Console(file=out)) == []
