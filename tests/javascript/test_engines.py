"""The rows on another engine than Node.js, in one run with it."""

import pytest

from serbench.build.configuration import Configuration
from serbench.errors import UserError
from serbench.measure.heap import count_heap
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.results.naming import names_of
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.run.tasks import measured
from serbench.worker.process import Worker
from serbench.worker.session import describe
from tests.conftest import LIMITS

BOTH = [Configuration(toolchain=name) for name in ("node", "bun")]


@pytest.fixture(scope="module")
def engines(catalog, context):
    """Everything on Node.js and on Bun."""
    if toolchain.find(ROOT, CACHE, "bun") is None:
        pytest.skip(toolchain.remedy(ROOT, "bun"))
    return BuildContext(catalog, CACHE, BOTH)


def rows_of(catalog, *contenders):
    return [row for row in catalog.rows() if row.contender.id.removeprefix("javascript/") in contenders]


def test_both_are_proved_and_named(engines, catalog, generated, tmp_path):
    rows = rows_of(catalog, "superjson", "devalue", "baseline")
    rows = [row for row in rows if row.test in ("write", "tree")]  # no other has a row of these two
    (item,) = prove(engines, rows, [generated("records:0.01")], tmp_path, LIMITS)
    assert [(record.row, record.reason) for record, _, _ in item.rows if record.status != "ok"] == []
    writers = [record for record, _, _ in item.rows if record.test == "write"]
    assert len(writers) == 2 * 3
    names = names_of(writers)
    assert {names[r.id] for r in writers if r.contender == "devalue"} == {"devalue · node", "devalue · bun"}
    for record, ready, verdict in item.rows:
        on_bun = record.toolchain == "bun"
        assert record.compiler.startswith("Bun " if on_bun else "Node.js ")
        assert ("runs on Bun" in record.labels) == on_bun
        if on_bun and record.role == "contender":  # no guess in place of what the engine does not tell
            heap = count_heap(measured(catalog, item, record, ready, verdict), tmp_path / "none", LIMITS)
            assert heap is not None and heap.bytes is None
            assert "allocated bytes not known on Bun" in record.labels
    assert set(engines.compilers()) >= {"javascript (node)", "javascript (bun)"}


def test_a_worker_says_which_engine_it_runs_on(engines, catalog):
    row = rows_of(catalog, "json")[0]
    (ready,) = engines.build([row], configuration=BOTH[1]).values()
    with Worker(ready.built.command, limits=LIMITS) as worker:
        said = describe(worker)
    version = toolchain.find(ROOT, CACHE, "bun").version
    assert said.compiler.startswith(f"Bun {version} (JavaScriptCore ")
    assert said.library_version in said.compiler


def test_what_only_node_has_is_unavailable(engines, catalog):
    found = engines.build(rows_of(catalog, "v8"), configuration=BOTH[1])
    assert {(ready.status, ready.reason) for ready in found.values()} == {("unavailable", "Bun has no v8")}


def test_without_the_engine_one_line_says_how_to_get_it(catalog, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    with pytest.raises(UserError, match=r"needs Bun 1\.4: \./serbench setup bun"):
        BuildContext(catalog, tmp_path, BOTH)


def test_a_language_takes_part_where_one_of_its_compilers_is_named(catalog):
    named = [Configuration(toolchain=name) for name in ("gcc", "node")]
    context = BuildContext(catalog, CACHE, named)
    rows = {row.id: row for row in catalog.rows()}
    taken = {
        row: [each.toolchain for each in named if context.applies(rows[row], each)]
        for row in ("c/mpack:tree", "zig/std-json:tree", "javascript/json:tree")
    }
    assert taken == {
        "c/mpack:tree": ["gcc"],
        "zig/std-json:tree": ["gcc"],
        "javascript/json:tree": ["node"],
    }
    assert context.toolchain(context.build([rows["javascript/json:tree"]])["javascript/json:tree"]) == "node"
