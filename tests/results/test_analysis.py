import random
import re

import pytest

from serbench.measure.records import Failure
from serbench.report.brief import brief_document
from serbench.report.document import Table
from serbench.report.groups import group_section
from serbench.report.render import render
from serbench.report.terminal import terminal_text
from serbench.results.analysis import analyse
from serbench.results.summary import BELOW_HARNESS, PAGE_FAULTS
from serbench.worker.records import Doubles
from tests.results.builder import configured_run, row, samples, settings, synthetic_run

BASE = 3610


def summaries(run=None):
    return {s.result.id: s.result for s in analyse(run or synthetic_run())}


def small_run(timed, **changes):
    """A run of these (row, true ns, launches) with exact samples."""
    run = synthetic_run()
    run.rows = [record for record, _, _ in timed]
    source = random.Random(1)
    run.samples = [s for r, ns, n in timed for s in samples(r, ns, source, range(n), spread=0)]
    run.failures, run.stops = [], []
    run.settings = settings(**changes)
    return run


def test_every_row_has_one_summary():
    run = synthetic_run()
    found = analyse(run)
    assert sorted(s.result.id for s in found) == sorted(r.id for r in run.rows)


def test_true_times_come_out():
    found = summaries()
    for number, net in {2: 2130, 3: 5210, 6: 11_400, 7: 19_700}.items():
        s = found[number]
        assert s.net_ns == pytest.approx(net, rel=0.05) and s.raw_ns == pytest.approx(BASE + net, rel=0.02)
        assert s.net_low_ns < s.net_ns < s.net_high_ns and s.raw_low_ns < s.raw_ns < s.raw_high_ns
        assert s.harness_share == pytest.approx(BASE / (BASE + net), rel=0.02)
        assert s.harness_share_low < s.harness_share < s.harness_share_high
        # Chunks are disturbed by half a percent on average, which the shortest leaves out.
        assert s.raw_ns < s.typical_ns < s.raw_ns * 1.02
        assert s.short_runs_ns == pytest.approx(s.raw_ns, rel=0.02)
        assert s.short_runs_net_ns == pytest.approx(net, rel=0.05)
        assert s.short_runs_net_deviation_ns > s.short_runs_deviation_ns > 0
        assert (s.status, s.reason, s.launches, s.few_samples, s.at_floor) == ("ok", "", 5, False, False)


def test_ranks():
    found = summaries()
    assert {n: (found[n].rank, found[n].rank_last) for n in range(12)} == {
        **dict.fromkeys((0, 1, 9), (None, None)),  # baseline, memcpy, one launch
        **{n: (place, place) for n, place in {10: 1, 2: 2, 5: 5, 6: 6, 7: 7, 8: 8, 11: 9}.items()},
        **dict.fromkeys((3, 4), (3, 4)),
    }
    assert (found[21].rank, found[22].rank, found[20].rank) == (1, 2, None)


def test_a_row_of_two_speeds_says_so_and_has_a_wide_rank():
    rows = [(row(0, "Two"), 60_000, 6), (row(1, "Between"), 75_000, 6), (row(2, "Slow"), 120_000, 6)]
    run = small_run(rows)
    for sample in run.samples:
        if sample.row == 0 and sample.launch in (1, 4, 5):
            sample.wall = [round(ns * 94 / 60) for ns in sample.wall]
    found = summaries(run)
    (label,) = found[0].labels
    assert re.fullmatch(r"2 speeds: (59|60)\.\d and 9[345]\.\d µs raw", label)
    assert found[1].labels == found[2].labels == []
    assert [(found[n].rank, found[n].rank_last) for n in range(3)] == [(1, 2), (1, 2), (3, 3)]


def test_rows_stand_in_the_order_of_their_ranks():
    # The fastest by its time has launches that differ so much that it may have any place.
    rows = [(row(0, "Steady"), 1000, 5), (row(1, "Slower"), 1100, 5), (row(2, "Unsteady"), 1000, 5)]
    run = small_run([*rows, (row(3, "Once"), 500, 1)])
    factors = (0.5, 2.0, 0.55, 0.6, 0.52)
    for sample in run.samples:
        if sample.row == 2:
            sample.wall = [round(ns * factors[sample.launch]) for ns in sample.wall]
    results = [summary.result for summary in analyse(run)]
    assert [(each.name, each.rank, each.rank_last) for each in results] == [
        ("Steady", 1, 2),
        ("Unsteady", 1, 3),
        ("Slower", 2, 3),
        ("Once", None, None),
    ]
    assert results[1].raw_ns < results[0].raw_ns


def test_a_failure_while_measuring_takes_all_figures():
    crasher = summaries()[12]
    assert (crasher.status, crasher.reason, crasher.output) == (
        "failed",
        "it was killed by signal 11",
        "Segmentation fault",
    )
    assert (
        crasher.rank
        is crasher.net_ns
        is crasher.raw_ns
        is crasher.typical_ns
        is crasher.harness_share
        is None
    )
    assert crasher.short_runs_ns is None and crasher.launches == 0


def test_rows_that_were_never_measured_keep_their_status():
    found = summaries()
    assert [found[n].status for n in (13, 14, 15, 16)] == ["failed", "unsupported", "unavailable", "ok"]
    assert found[16].reason == "not measured: time used up" and found[16].few_samples
    assert all(found[n].rank is None and found[n].net_ns is None for n in (13, 14, 15, 16, 17))
    assert found[13].output.startswith("first line")


def test_few_launches_are_said():
    found = summaries()
    assert (found[8].launches, found[8].few_samples, found[8].net_low_ns is None) == (3, True, False)
    one = found[9]
    assert (one.launches, one.few_samples) == (1, True)
    assert one.net_ns is not None and one.net_low_ns is one.net_high_ns is one.raw_low_ns is None
    assert one.harness_share is not None and one.harness_share_low is None


def test_floor_and_baseline():
    found = summaries()
    assert found[10].at_floor and found[10].net_low_ns <= 0
    assert found[0].net_ns is found[0].harness_share is None and found[0].raw_ns == pytest.approx(
        BASE, rel=0.01
    )
    assert found[1].at_floor and found[1].harness_share == pytest.approx(BASE / 46, rel=0.05)


def test_a_net_time_below_zero_is_at_the_floor_even_in_a_single_launch():
    run = synthetic_run()
    for sample in run.samples:
        if sample.row == 9:
            sample.wall = [1 for _ in sample.wall]
    found = summaries(run)[9]
    assert found.launches == 1 and found.net_ns < 0 and found.at_floor
    assert not summaries()[9].at_floor


def unsteady_run():
    """Two rows of which the first launch takes several times as long as the others, and their baseline."""
    run = small_run(
        [
            (row(0, "baseline", role="baseline"), BASE, 3),
            (row(1, "Near"), 1.1 * BASE, 3),
            (row(2, "Far"), 40 * BASE, 3),
        ]
    )
    for sample in run.samples:
        if sample.launch == 0 and sample.row:
            sample.wall = [round(wall * (1.5 if sample.row == 1 else 8)) for wall in sample.wall]
    return run


def test_only_what_is_near_the_baseline_is_at_the_floor():
    run = unsteady_run()
    found = summaries(run)
    assert found[1].net_low_ns < 0 and found[1].at_floor and found[1].harness_share > 0.5
    assert found[2].net_low_ns < 0 and not found[2].at_floor and found[2].harness_share < 0.025
    rows = analyse(run)
    table, *caption = group_section(run, rows[0].group, rows, None).blocks
    assert isinstance(table, Table)
    cells = {row.cells[1]: row.cells[5] for row in table.rows}
    assert cells["Near"] == "below resolution"
    half = re.search(r"±(\d+)%", cells["Far"])
    assert half and 100 < int(half[1]) < 999
    assert any("Below resolution: the harness takes more than half" in each.text for each in caption)


def test_changed_doubles_become_a_label_once():
    assert summaries()[6].labels == ["changes doubles, by up to 2.1e-16 (relative)"]
    run = synthetic_run()
    run.rows[6].labels = ["changes doubles, by up to 3e-16"]
    run.rows[7].doubles = Doubles(changed=0, total=9, max_relative=0.0)
    assert summaries(run)[6].labels == ["changes doubles, by up to 3e-16"]
    assert summaries(run)[7].labels == ["modifies its input", "reuses its buffer"]


def test_order_puts_what_is_missing_last():
    order = [s.result.id for s in analyse(synthetic_run())]
    assert order == [21, 22, 20, 10, 2, 4, 3, 5, 6, 7, 8, 11, 9, 1, 0, 16, 12, 13, 17, 14, 15]


def test_a_row_below_its_baseline_says_so():
    """Beyond the interval, or by a count; and what is within the interval is none."""
    run = small_run(
        [
            (row(0, "baseline", role="baseline", instructions=900.0), BASE, 5),
            (row(1, "Below"), 0.95 * BASE, 5),
            (row(2, "Fewer", instructions=899.0), 2 * BASE, 5),
            (row(3, "Above", instructions=901.0), 2 * BASE, 5),
        ]
    )
    near = row(4, "Near")
    run.rows.append(near)
    run.samples += samples(near, 0.99 * BASE, random.Random(2), range(5), spread=0.05)
    found = summaries(run)
    assert found[4].harness_share_low < 1 < found[4].harness_share_high
    assert [key for key, result in sorted(found.items()) if BELOW_HARNESS in result.labels] == [1, 2]
    for name in ("table", "markdown", "csv", "json"):
        assert BELOW_HARNESS in render([run], name)
    assert BELOW_HARNESS.partition(":")[0] in terminal_text(brief_document(run))


def test_page_faults_are_those_of_a_usual_sample_and_have_a_label_where_they_show():
    run = small_run(
        [(row(0, "baseline", role="baseline"), 1000, 5), *((row(n, f"L{n}"), 1e6, 5) for n in (1, 2, 3))]
    )
    for sample in run.samples:
        each = {0: 0, 1: 100, 2: 50, 3: None}[sample.row]
        sample.page_faults = None if each is None else each * sample.iterations * len(sample.wall)
    run.samples[-1].page_faults = None
    next(sample for sample in run.samples if sample.row == 1).page_faults = 10**6  # once, as it began
    found = summaries(run)
    assert [found[n].page_faults for n in range(4)] == [0, 100, 50, None]
    assert [n for n in range(4) if PAGE_FAULTS in found[n].labels] == [1]
    assert re.search(rf"L1 .* 100  .*{PAGE_FAULTS}", render([run], "table", 400))
    assert f",{found[1].page_faults}" in render([run], "csv")
    assert '"page_faults": 50' in render([run], "json")


def test_each_harness_has_its_own_baseline():
    js = {"harness": "js", "language": "js"}
    run = small_run(
        [
            (row(0, "baseline", role="baseline"), 1000, 5),
            (row(1, "baseline", role="baseline", **js), 5000, 5),
            (row(2, "A"), 7000, 5),
            (row(3, "B", **js), 7000, 5),
            (row(4, "C", harness="zig"), 7000, 5),
        ]
    )
    found = summaries(run)
    assert found[2].net_ns == pytest.approx(6000, rel=0.01) and found[3].net_ns == pytest.approx(
        2000, rel=0.01
    )
    assert found[4].net_ns is None and found[4].raw_ns == pytest.approx(7000, rel=0.01)
    assert [s.result.id for s in analyse(run)][:3] == [3, 4, 2]  # by raw time 4 is as fast as both


def test_groups_do_not_mix():
    run = small_run(
        [
            (row(0, "baseline", role="baseline"), 1000, 5),
            (row(1, "A"), 2000, 5),
            (row(2, "A", dataset="my.json"), 3000, 5),
            (row(3, "A", profile="size"), 4000, 5),
        ]
    )
    found = summaries(run)
    assert [found[n].rank for n in (1, 2, 3)] == [1, 1, 1]
    assert found[2].net_ns is None and found[3].net_ns is None


def test_net_uses_the_launches_that_both_have():
    run = small_run([(row(0, "baseline", role="baseline"), 1000, 2), (row(1, "A"), 3000, 5)])
    found = summaries(run)
    assert found[1].net_ns == pytest.approx(2000, rel=0.02) and found[1].launches == 5


def test_a_baseline_that_failed_leaves_raw_times():
    run = small_run([(row(0, "baseline", role="baseline"), 1000, 5), (row(1, "A"), 3000, 5)])
    run.failures = [Failure(row=0, launch=3, reason="gone")]
    found = summaries(run)
    assert found[0].status == "failed" and found[1].net_ns is None and found[1].rank == 1


def test_the_statistic_of_the_row_is_used():
    run = small_run([(row(0, "A", statistic="mean"), 3000, 5), (row(1, "B"), 3000, 5)])
    for sample in run.samples:
        if sample.row == 1:
            sample.wall[1:] = [w * 10 for w in sample.wall[1:]]
        elif sample.round == 0:
            sample.wall = [w * 10 for w in sample.wall]
    found = summaries(run)
    assert found[0].raw_ns > 3500 and found[1].raw_ns == pytest.approx(3000, rel=0.01)


def test_the_threshold_of_the_settings_decides():
    rows = [(row(0, "A"), 1000, 5), (row(1, "B"), 1100, 5)]
    assert [s.result.rank for s in analyse(small_run(rows, threshold=0.05))] == [1, 2]
    assert [s.result.rank for s in analyse(small_run(rows, threshold=0.2))] == [1, 1]


@pytest.mark.parametrize("what", ["harness", "toolchain", "allocator", "cpu"])
def test_a_baseline_counts_for_its_own_family_only(what):
    run = small_run(
        [
            (row(0, "baseline", role="baseline", **{what: "one"}), 1000, 5),
            (row(1, "baseline", role="baseline", **{what: "other"}), 3000, 5),
            (row(2, "A", **{what: "one"}), 7000, 5),
            (row(3, "A", **{what: "other"}), 7000, 5),
        ]
    )
    found = summaries(run)
    assert [found[n].net_ns for n in (2, 3)] == pytest.approx([6000, 4000], rel=0.01)
    assert [found[n].harness_share for n in (2, 3)] == pytest.approx([1 / 7, 3 / 7], rel=0.01)
    # Ranks compare across all of them.
    assert [found[n].rank for n in (2, 3)] == [2, 1]


def test_a_variant_of_the_baseline_is_not_subtracted():
    run = small_run(
        [
            (row(0, "baseline", role="baseline"), 1000, 5),
            (row(1, "baseline", role="baseline", variant="published"), 5000, 5),
            (row(2, "A"), 7000, 5),
        ]
    )
    found = summaries(run)
    assert found[2].net_ns == pytest.approx(6000, rel=0.01)
    assert found[1].net_ns is None and found[1].raw_ns == pytest.approx(5000, rel=0.01)


def test_several_messages_share_everything_but_the_peak_and_the_code():
    run = configured_run()
    whole = configured_run()
    whole.datasets[0].messages = 1
    together = summaries(whole)
    for number, s in summaries(run).items():
        all_of_it = together[number]
        assert (s.messages, all_of_it.messages) == (40, 1)
        for name in (
            *("net_ns", "net_low_ns", "net_high_ns", "raw_ns", "raw_low_ns", "raw_high_ns", "typical_ns"),
            *("short_runs_ns", "short_runs_deviation_ns", "short_runs_net_ns", "short_runs_net_deviation_ns"),
            *("bytes", "instructions", "heap_allocations", "heap_bytes"),
        ):
            each, everything = getattr(s, name), getattr(all_of_it, name)
            assert (each is None) == (everything is None)
            assert each is None or each == pytest.approx(everything / 40), name
        for name in ("rank", "heap_peak", "code_size", "launches", "at_floor"):
            assert getattr(s, name) == getattr(all_of_it, name)
        whole = all_of_it.harness_share
        assert s.harness_share == whole or s.harness_share == pytest.approx(whole)
        assert isinstance(all_of_it.bytes, int) and s.bytes == 33_333 / 40


def test_counts_and_their_reasons_are_handed_on():
    found = {row.record.id: row for row in analyse(configured_run())}
    assert (found[1].record.toolchain, found[1].record.allocator) == ("gcc", "system")
    assert (found[1].result.code_size, found[4].result.code_size) == (4088, None)
    assert found[4].record.code_size_reason == "the allocator is preloaded"
    assert found[1].result.instructions == 180_000 * 2.5 / 40 and found[1].record.instructions_reason == ""


def test_an_empty_run_has_no_summaries():
    assert analyse(small_run([])) == []
