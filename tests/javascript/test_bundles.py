"""The size of JavaScript code: minified, gzipped bundles, the same wherever and whenever they are made."""

import pytest

from serbench.build import Builder, BuildFailed
from serbench.project import CACHE
from serbench.results.analysis import analyse
from serbench.run.counting import Counter
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS
from tests.results.builder import synthetic_run

ROWS = ["javascript/msgpackr:tree", "javascript/protobufjs-generated:write", "javascript/avsc:tree"]


def size_of(context, ready):
    return Counter(context, [], LIMITS, ProofCache()).code_size(ready, ready.configuration)


def bundle_of(builder, row):
    return builder.build(row.row, row.provided, "speed", "size").size_of


@pytest.mark.parametrize("row_id", ROWS)
def test_the_same_in_two_bundlings(row_id, ready, context, catalog, tmp_path):
    """Bundled anew, from a folder of another name and depth."""
    row = ready(row_id)
    first = bundle_of(context.builder, row)
    other = tmp_path / "some" / "deeper" / "place"
    other.mkdir(parents=True)
    for part in ("npm", "node", "protoc", "flatc"):
        (other / part).symlink_to(CACHE / part)
    second = bundle_of(Builder(catalog, other), row)
    assert second != first and second.is_relative_to(other)
    assert second.read_bytes() == first.read_bytes()


def test_sizes(ready, context):
    """Less the baseline's: next to nothing for what V8 has itself, more for more code."""
    sizes = {
        name: size_of(context, ready(f"javascript/{name}"))
        for name in ("json:write", "v8:tree", "pbf:tree", "msgpackr:tree", "protobufjs:tree")
    }
    assert 0 < sizes["json:write"] < 150 and 0 < sizes["v8:tree"] < 150
    assert 1000 < sizes["pbf:tree"] < 3000
    assert 10_000 < sizes["msgpackr:tree"] < 20_000 < sizes["protobufjs:tree"] < 50_000


def test_native_parts_are_left_out(ready, context):
    """Its optional native part is not in it, so the size is the same where that is not installed."""
    import gzip

    bundle = bundle_of(context.builder, ready("javascript/msgpackr:tree"))
    text = gzip.decompress(bundle.read_bytes()).decode()
    assert '("msgpackr-extract")' in text  # asked for by its name when it runs
    assert "node-gyp-build" not in text


def test_never_beside_the_native_kind():
    run = synthetic_run()
    linked, bundled = run.rows[2], run.rows[3]
    linked.code_size, bundled.code_size, bundled.code_size_kind = 4000, 3000, "bundle"
    found = {row.result.id: (row.result.code_size, row.result.bundle_size) for row in analyse(run)}
    assert (found[linked.id], found[bundled.id]) == ((4000, None), (None, 3000))


def test_there_is_no_static_form(ready, context):
    row = ready("javascript/json:tree")
    with pytest.raises(BuildFailed, match="this harness makes no static"):
        context.builder.build(row.row, row.provided, "speed", "static")
