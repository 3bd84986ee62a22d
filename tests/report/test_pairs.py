"""JSON against MessagePack, where figures are missing."""

import pytest

from serbench.report.pair_plots import pair_plots
from serbench.report.pairs import averages, pair_blocks, pairs_of
from serbench.results.load import load_run
from tests.golden.test_figures import unpack


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "firmware.json"
    path.write_bytes(unpack("runs", "firmware"))
    return load_run(path)


def test_a_missing_figure_is_no_improvement_and_not_in_the_mean(run):
    platform = run.platforms[0]
    group = pairs_of(run, platform.name)[0]
    whole = averages(group)
    assert None not in whole
    first = group[0].other.metrics.pop("serialize")
    assert group[0].improvements() == [group[0].improvements()[0], None, group[0].improvements()[2]]
    rest = [pair.improvements()[1] for pair in group[1:]]
    assert averages(group)[1] == pytest.approx(sum(rest) / len(rest)) and averages(group)[0] == whole[0]
    (table, *_) = pair_blocks(group, platform)
    assert table.rows[0].cells[4] == "-" and first
    for pair in group:
        pair.other.metrics.pop("serialize", None)
    assert averages(group)[1] is None
    group[0].json.metrics["deserialize"] = 0
    assert group[0].improvements()[0] is None
    bars = [bar for _, spec in pair_plots(run) for bar in spec["data"][0]["values"]]
    assert bars and "serialize" not in {bar["series"] for bar in bars if bar["label"] == platform.name}
