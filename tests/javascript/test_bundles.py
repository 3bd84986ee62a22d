"""The size of JavaScript code: minified, gzipped bundles, the same wherever and whenever they are made."""

import shutil
from pathlib import Path

import pytest

from serbench.build.bench import Bench
from serbench.build.javascript import bundle_javascript
from serbench.build.store import Fingerprints, Store
from serbench.catalog.records import Row
from serbench.project import CACHE, ROOT
from serbench.provision.providers import npm
from serbench.results.analysis import analyse
from serbench.run.counting import Counter
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS
from tests.results.builder import synthetic_run

ROWS = ["javascript/msgpackr:tree", "javascript/protobufjs-generated:write", "javascript/avsc:tree"]


def size_of(context, ready):
    return Counter(context, [], LIMITS, ProofCache()).code_size(ready, ready.configuration)


@pytest.mark.parametrize("row_id", ROWS)
def test_the_same_in_two_bundlings(row_id, ready, context, catalog, tmp_path):
    """Bundled anew, from a folder of another name and depth."""
    row = ready(row_id)
    first = context.builder.build_bundle("javascript", row.built)
    module = Path(row.built.module)
    other = tmp_path / "cache" / "build" / "some" / "deeper" / "place"
    shutil.copytree(module.parent, other / "contender")
    (other / "node_modules").symlink_to((module.parent.parent / "node_modules").resolve())
    (tmp_path / "cache" / "npm").symlink_to(npm.installed_folder(ROOT / "harness/javascript", CACHE).parent)
    import msgspec

    built = msgspec.structs.replace(row.built, module=str(other / "contender" / module.name))
    store = Store(tmp_path / "cache" / "build", [])
    second = bundle_javascript(Bench(catalog=catalog, store=store, fingerprints=Fingerprints()), built)
    assert second != first
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

    bundle = context.builder.build_bundle("javascript", ready("javascript/msgpackr:tree").built)
    text = gzip.decompress(bundle.read_bytes()).decode()
    assert 'require("msgpackr-extract")' in text.replace("'", '"') or "msgpackr-extract" in text
    assert "node-gyp-build" not in text


def test_never_beside_the_native_kind():
    run = synthetic_run()
    linked, bundled = run.rows[2], run.rows[3]
    linked.code_size, bundled.code_size, bundled.code_size_kind = 4000, 3000, "bundle"
    found = {row.id: (row.code_size, row.bundle_size) for row in analyse(run)}
    assert (found[linked.id], found[bundled.id]) == ((4000, None), (None, 3000))


def test_a_row_of_no_kind(ready, context):
    assert context.builder.build_bundle("zig", ready("javascript/json:tree").built) is None
    assert isinstance(ready("javascript/json:tree").row, Row)
