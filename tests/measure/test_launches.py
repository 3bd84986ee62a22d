"""A launch's figure: what counts of its samples, and what all rows of a turn share."""

import math
import random

import numpy as np
import pytest

from serbench.measure.launches import group_figures, launch_figures, typical
from serbench.measure.records import Sample

SHORTEST = "shortest-chunk"


def sample(wall, *, iterations=10, launch=0, number=0, started=0.0):
    return Sample(
        row=0,
        launch=launch,
        round=number,
        position=0,
        started=started,
        iterations=iterations,
        wall=list(wall),
        cpu=list(wall),
    )


def rounds(*walls, **given):
    return [sample(wall, number=number, started=float(number), **given) for number, wall in enumerate(walls)]


def alone(samples, statistic):
    return launch_figures(samples, statistic)[0]


def together(rows):
    """The figures of rows in launch 0, of one chunk's nanoseconds by turn each; None where there is none."""
    samples = {
        row: [
            sample([ns], iterations=1, number=turn, started=turn + row / 100)
            for turn, ns in enumerate(times)
            if ns is not None
        ]
        for row, times in rows.items()
    }
    found = group_figures(samples, dict.fromkeys(rows, SHORTEST))
    return {row: figures[0] for row, figures in found.items()}


def test_shortest_chunk_is_the_median_over_rounds_of_each_rounds_minimum():
    assert alone(rounds([300, 100, 200], [150, 900, 400], [700, 500, 600]), SHORTEST) == pytest.approx(15.0)


def test_shortest_chunk_looks_at_time_per_iteration():
    assert alone([sample([1000], iterations=100)], SHORTEST) == pytest.approx(10.0)


def test_mean_is_over_all_chunks_and_typical_is_their_median():
    samples = rounds([100, 100, 100], [100, 200, 600])
    assert alone(samples, "mean") == pytest.approx(20.0)
    assert typical(samples) == 10.0
    assert typical([sample([100, 300]), sample([200, 900])]) == 25.0
    assert math.isnan(typical([]))


def test_mean_weighs_chunks_by_their_iterations():
    assert alone([sample([100]), sample([400], iterations=20, number=1)], "mean") == 500 / 30


def test_launch_figures_are_kept_apart_by_launch():
    both = [sample([100], launch=3), sample([50], launch=1), sample([300], launch=3, number=1, started=1)]
    assert launch_figures(both, SHORTEST) == pytest.approx({1: 5.0, 3: 10 * math.sqrt(3)})


def test_what_all_rows_of_a_turn_share_is_taken_out():
    # Turns 1 and 3 ran at half the speed; of row 2 one sample more was slow, which the others did not see.
    found = together({0: [100, 200, 100, 200, 100], 1: [30, 60, 30, 60, 30], 2: [50, 100, 100, 100, 50]})
    assert found == pytest.approx({0: 100, 1: 30, 2: 50})


def test_a_change_of_speed_in_the_middle_of_a_turn_moves_no_ratio():
    slow = 2.3
    # Each row is slow from another turn on, so that the plain medians would be 100 and 46.
    found = together(
        {
            0: [100, 100, 100, slow * 100, slow * 100],
            1: [20, 20, slow * 20, slow * 20, slow * 20],
            2: [10, 10, slow * 10, slow * 10, slow * 10],
        }
    )
    assert found[0] / found[1] == pytest.approx(5) and found[1] / found[2] == pytest.approx(2)


def test_a_row_that_missed_turns_is_held_against_those_that_it_shared():
    found = together({0: [100, 100, 100, 300, 300], 1: [10, 10, 10, 30, 30], 2: [None, None, None, 60, 60]})
    assert found[0] / found[1] == pytest.approx(10)
    assert found[2] / found[1] == pytest.approx(2)


def test_blocks_that_number_their_rounds_alike_are_turns_of_their_own():
    # The second block of a launch, at a third of the speed, begins with round 0 again.
    samples = {
        0: [sample([100], iterations=1, number=n, started=n) for n in range(3)]
        + [sample([300], iterations=1, number=n, started=10 + n) for n in range(3)],
        1: [sample([40], iterations=1, number=n, started=n + 0.1) for n in range(3)],
        2: [sample([60], iterations=1, number=n, started=10.1 + n) for n in range(3)],
    }
    found = group_figures(samples, dict.fromkeys(samples, SHORTEST))
    # Row 0, which is in both blocks, tells what the blocks' speeds were.
    assert found[0][0] / found[1][0] == pytest.approx(2.5)
    assert found[0][0] / found[2][0] == pytest.approx(5)


def test_blocks_of_one_round_are_turns_of_their_own_though_their_baseline_comes_last():
    def at(ns, place, started):
        taken = sample([ns], iterations=1, started=started)
        taken.position = place
        return taken

    samples = {
        0: [at(100, 0, 0.0), at(300, 1, 3.0)],
        1: [at(40, 1, 1.0)],
        2: [at(180, 0, 2.0)],  # in the second block, at a third of the speed, before the baseline
    }
    found = group_figures(samples, dict.fromkeys(samples, SHORTEST))
    assert found[1][0] / found[0][0] == pytest.approx(0.4)
    assert found[2][0] / found[0][0] == pytest.approx(0.6)


def test_rows_that_lost_a_third_of_their_turns_to_disturbances_still_tell_their_speed():
    slow = [1, 2, 1, 2, 1, 2]
    lost = {0: (4, 5), 1: (1, 3), 2: (2, 4)}
    samples = {}
    for row, turns in lost.items():
        samples[row] = rounds(*([100 * (1 + row) * factor] for factor in slow), iterations=1)
        for turn in turns:
            samples[row][turn].disturbed = "steal"
            samples[row][turn].wall = [10_000]
    found = {row: of[0] for row, of in group_figures(samples, dict.fromkeys(samples, SHORTEST)).items()}
    # Alone their medians would be 141, 200 and 600: the second row saw few slow turns, the third many.
    assert found[1] / found[0] == pytest.approx(2, rel=0.15)
    assert found[2] / found[0] == pytest.approx(3, rel=0.15)


def test_rows_whose_launches_are_means_neither_give_nor_take_a_factor():
    samples = {
        0: [sample([ns], iterations=1, number=n, started=n) for n, ns in enumerate([100, 200, 200])],
        1: [sample([ns], iterations=1, number=n, started=n + 0.1) for n, ns in enumerate([900, 100, 500])],
    }
    found = group_figures(samples, {0: SHORTEST, 1: "mean"})
    assert found == {0: {0: pytest.approx(200)}, 1: {0: 500}}


def test_means_are_rid_of_the_machine_s_speed_but_keep_collections():
    slow = [1, 1, 2, 2]
    samples = {
        row: rounds(*([100 * (1 + row) * factor] for factor in slow), iterations=1) for row in range(6)
    }
    samples[3][2].wall = [900]  # instead of 800
    found = {row: of[0] for row, of in group_figures(samples, dict.fromkeys(samples, "mean")).items()}
    assert [found[row] / found[0] for row in (1, 2, 4, 5)] == pytest.approx([2, 3, 5, 6])
    assert found[3] / found[0] == pytest.approx((400 + 400 + 450 + 400) / 400)
    few = {row: samples[row] for row in range(4)}
    assert group_figures(few, dict.fromkeys(few, "mean"))[3][0] == (400 + 400 + 900 + 800) / 4


def test_ratios_scatter_less_where_the_speed_changes_within_launches():
    source, order = np.random.default_rng(7), random.Random(7)
    logs: dict[str, list[float]] = {"alone": [], "together": []}
    for _ in range(200):
        times: dict[int, list[float]] = {0: [], 1: [], 2: [], 3: []}
        slow = 1.0
        for _turn in range(9):
            for row in order.sample(range(4), 4):
                slow = 3.0 - slow if order.random() < 0.05 else slow
                times[row].append((1 + row) * 1e6 * slow * source.normal(1, 0.01))
        found = together({row: [round(ns) for ns in of_row] for row, of_row in times.items()})
        logs["together"].append(math.log(found[1] / found[0]))
        logs["alone"].append(math.log(np.median(times[1]) / np.median(times[0])))
    assert np.std(logs["together"]) < np.std(logs["alone"]) / 2
    assert np.mean(logs["together"]) == pytest.approx(math.log(2), abs=0.02)
