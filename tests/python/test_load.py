"""The time of an import in a new interpreter, and the bytes that are installed for it."""

import json
import subprocess
from pathlib import Path

import pytest

from serbench.measure.loading import load
from serbench.project import CACHE
from serbench.run.context import BuildContext
from serbench.run.counting import Counter
from serbench.run.proving import prove
from serbench.verify.proof_cache import ProofCache
from tests.conftest import LIMITS

SLEEP_NS = 50_000_000


@pytest.fixture
def told(row):
    """What the program that loads a library tells of a folder and some statements."""
    built = row("python/json:tree").built

    def ask(packages, statements):
        done = subprocess.run([*built.load_command[:-2], str(packages), statements], capture_output=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def test_the_clock_runs_while_the_statements_do(told):
    found = told("", f"import time\ntime.sleep({SLEEP_NS / 1e9})")
    assert found["load_ns"] >= SLEEP_NS and found["installed_bytes"] is None


def test_the_library_is_found_and_its_files_count_without_bytecode(told, tmp_path):
    (tmp_path / "mine" / "__pycache__").mkdir(parents=True)
    (tmp_path / "mine" / "__init__.py").write_text("import os, sys\nassert 'site' in sys.modules\n")
    (tmp_path / "mine" / "__pycache__" / "old.pyc").write_bytes(bytes(1000))
    (tmp_path / "needed.so").write_bytes(bytes(500))
    expected = 500 + (tmp_path / "mine" / "__init__.py").stat().st_size
    assert told(tmp_path, "import mine")["installed_bytes"] == expected


def test_annotations_are_no_part_of_a_library(row):
    *_, packages, statements = row("python/bson:tree").built.load_command
    assert statements == "from bson import decode" and (Path(packages) / "bson").is_dir()


def test_a_package_has_bytes_and_the_standard_library_has_none(row):
    package, standard = (
        load(row(name).built.load_command) for name in ("python/msgpack:tree", "python/json:tree")
    )
    assert package.load_ns > 0 and standard.load_ns > 0 and standard.installed_bytes is None
    folder = Path(row("python/msgpack:tree").built.load_command[-2])
    largest = max(file.stat().st_size for file in folder.rglob("*.so"))
    every = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    assert largest < package.installed_bytes < every


def test_rows_have_the_figures_and_others_none(row, context, generated, tmp_path):
    rows = [row(name).row for name in ("python/json:tree", "python/baseline:tree")]
    rows += [each for each in context.catalog.rows() if each.id == "c/mpack:tree"]
    one = BuildContext(context.catalog, CACHE, jobs=context.jobs)
    one.build(rows)
    (item,) = prove(one, rows, [generated("generated:2")], tmp_path, LIMITS)
    Counter(one, [item], LIMITS, ProofCache()).loads(lambda _what, _number: lambda: None)
    found = {record.row: (record.load_ns, record.installed_bytes) for record, *_ in item.rows}
    assert found.pop("python/json:tree")[0] > 0
    assert found and set(found.values()) == {(None, None)}
