"""benchmarks/claims.py on made-up runs whose true ratios are known."""

import importlib.util
import sys

import msgspec
import pytest

from serbench.project import ROOT
from tests.results.builder import configured_run, published_run, synthetic_run


@pytest.fixture(scope="module")
def claims():
    spec = importlib.util.spec_from_file_location("claims", ROOT / "benchmarks" / "claims.py")
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


def test_the_ratios_are_those_of_the_runs(claims):
    found = {line.ratio: line.pairs for line in claims.lines([published_run(), configured_run()])}

    def ratios(name):
        return {pair.row.split()[0]: pair.ratio for pair in found[name]}

    about = {"rel": 0.05}
    assert set(ratios("plain / in-situ")) == {"c/rapidjson:tree"}
    assert [pair.ratio for pair in found["plain / in-situ"]] == pytest.approx([17_390 / 12_790], **about)
    assert ratios("checked / plain") == pytest.approx({"c/mpack:tree:utf8": 10_650 / 7_200}, **about)
    clang = {"c/mpack:tree": 1.1, "c/yajl:tree": 1.1}
    assert ratios("time, clang / gcc, speed") == pytest.approx(clang, **about)
    assert found["time, clang / gcc, size"] == []
    jemalloc = {"c/mpack:tree": 71 / 80, "c/yajl:tree": 301 / 310}
    assert ratios("jemalloc / system") == pytest.approx(jemalloc, **about)
    assert found["mimalloc / system"] == [] and found["code size, two output streams / one, speed"] == []
    sizes = {pair.row: pair.ratio for pair in found["code size, clang / gcc, speed"]}
    assert sizes == {"c/mpack:tree": 1.0, "c/yajl:tree": 1.0}


def test_code_of_two_languages_is_paired_by_test_and_format(claims):
    run = published_run()
    for row in run.rows:
        if row.contender == "RapidJSON":
            row.test, row.format = "write", "json"
    first = next(r for r in run.rows if r.contender == "MPack" and r.test == "write")
    first.code_growth = 4088 // 2
    # Another allocator's row is of the same build, which counts once.
    run.rows.append(msgspec.structs.replace(first, id=9999, allocator="jemalloc"))
    found = {line.ratio: line.pairs for line in claims.lines([run])}
    growth = found["code size, two output streams / one, speed"]
    assert [(pair.row, pair.ratio) for pair in growth] == [(first.row, 1.5)]
    (pair,) = found["code size, C++ / C, speed"]
    assert (pair.row, pair.ratio) == ("c/rapidjson:tree over c/yajl:write", 15_800 / 2_012)


def test_the_table_names_what_the_runs_do_not_tell(claims):
    table = claims.table(claims.lines([synthetic_run()]))
    lines = [line for line in table.splitlines() if "jemalloc / system" in line]
    assert len(lines) == 1 and "not in these runs" in lines[0]


def test_a_file_that_is_no_run_is_one_sentence(claims, monkeypatch, capsys, tmp_path):
    (tmp_path / "no.json").write_text("[]")
    monkeypatch.setattr(sys, "argv", ["claims.py", str(tmp_path / "no.json")])
    with pytest.raises(SystemExit) as caught:
        claims.main()
    assert caught.value.code == 2
    assert capsys.readouterr().err == f"claims: {tmp_path / 'no.json'} is not a run file of serbench\n"
