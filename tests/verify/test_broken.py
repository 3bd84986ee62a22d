"""Broken contenders: each costs its own row, with its reason and its last words; the others stay right."""

import os

import pytest

from serbench.build import Builder, BuildFailed
from serbench.catalog.load import load_catalog
from serbench.datasets.spec import parse_spec
from serbench.project import CACHE, ROOT
from serbench.provision import provide
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.run.readers import needed_rows
from serbench.worker.child import start_reaper
from serbench.worker.process import Limits
from tests.conftest import CONTENDERS, children

BROKEN = ["misbehaving", "rounding", "does-not-build"]
REAL = ["c/mpack", "c/msgpack-c", "c/jansson", "c/baseline"]
LIMITS = Limits(memory_bytes=256 << 20, timeout=4.0)


@pytest.fixture(scope="module")
def proven(tmp_path_factory):
    catalog = load_catalog(ROOT, [CONTENDERS / name for name in BROKEN])
    context = BuildContext(catalog, CACHE, jobs=os.cpu_count() or 1)
    chosen = {f"c/{name}" for name in BROKEN} | set(REAL)
    rows = [row for row in catalog.rows() if row.contender.id in chosen]
    context.build(needed_rows(context, rows))
    dataset = context.store.dataset(parse_spec("generated:2"))
    start_reaper()  # which stays
    before = children()
    (item,) = prove(context, rows, [dataset], tmp_path_factory.mktemp("outputs"), LIMITS)
    assert children() == before
    return {record.row: record for record, _, _ in item.rows}


@pytest.mark.parametrize(
    ("variant", "reason", "output"),
    [
        ("tree:wrong-hash", "wrong content_hash: ", ""),
        ("tree:refuses", 'it will not do "this\n"', ""),
        ("tree:crashes", "was ended by SIGSEGV", "about to crash"),
        ("tree:exits", "ended without an answer, with status 3", "goodbye"),
        ("tree:hangs", "did not answer within 4 s", ""),
        ("tree:answers", "answered garbage: 'not an answer'", ""),
        ("tree:floods", "flooded its standard error", "a line of noise that says nothing"),
        ("tree:hoards", "was ended by SIGABRT", "no more memory"),
        ("write:unreadable", "its output, read back by ", ""),
        ("write:empty", "its output, read back by ", ""),
        ("write:other-order", "writes other bytes each time: their hash is ", ""),
        ("write:other-data", "its output, read back by ", ""),
        ("serialize:wrong-value", "its output, read back by ", ""),
        ("serialize:empty", "its output, read back by ", ""),
        ("serialize:no-document", "it makes no document", ""),
        ("lookup:wrong-value", "wrong content_hash: ", ""),
        ("lookup:skips", "wrong content_hash: ", ""),
        ("lookup:never-looks", "wrong content_hash: ", ""),
        ("lookup:misses", 'no value at "/', ""),
    ],
)
def test_a_broken_row_fails_with_its_reason(variant: str, reason: str, output: str, proven):
    row = proven[f"c/misbehaving:{variant}"]
    assert row.status == "failed"
    assert row.reason.startswith(reason)
    assert output in row.output


@pytest.mark.parametrize("variant", ["", ":prints", ":forks", ":varies", ":reads-on"])
def test_what_the_gate_has_nothing_against(variant: str, proven):
    row = proven[f"c/misbehaving:tree{variant}"]
    assert (row.status, row.reason) == ("ok", "")
    assert row.content_hash == "0075ff81" and row.exact_hash == "3852a135"


@pytest.mark.parametrize("test", ["write", "serialize"])
def test_the_writer_that_is_right(test, proven):
    row = proven[f"c/misbehaving:{test}"]
    assert row.status == "ok" and row.verified_by not in ("", "misbehaving")


def test_the_look_up_that_is_right(proven):
    """It is compared with the values at the paths, not with the document."""
    row = proven["c/misbehaving:lookup"]
    assert (row.status, row.reason) == ("ok", "") and row.content_hash not in ("", "0075ff81")


def test_changed_doubles_are_labelled_not_failed(proven, generated):
    row = proven["c/rounding:tree"]
    assert row.status == "ok"
    assert row.exact_hash != "3852a135"
    assert row.doubles.total == generated("generated:2").facts.doubles
    assert 0 < row.doubles.changed <= row.doubles.total
    assert 1e-9 < row.doubles.max_relative < 1e-5  # six digits


def test_what_does_not_build_says_why(proven):
    write, tree = proven["c/does-not-build:write"], proven["c/does-not-build:tree"]
    assert write.status == tree.status == "failed"
    assert "nobody_declared_this" in write.reason and "write.c" in write.output
    assert "sb_read" in tree.reason


def test_the_others_are_untouched(proven):
    for row in proven.values():
        if row.contender_id in REAL and row.status != "unavailable":
            assert row.status == "ok", f"{row.row}: {row.reason}"


def test_a_failure_is_not_kept_for_the_next_process():
    catalog = load_catalog(ROOT, [CONTENDERS / "does-not-build"])
    row = next(row for row in catalog.rows() if row.id == "c/does-not-build:tree")
    for _ in range(2):
        with pytest.raises(BuildFailed):
            Builder(catalog, CACHE).build(row, provide(row.contender, CACHE, {}), "speed")
