"""What the tests of all stages share: the catalog, everything built once in the shared cache, datasets."""

import functools
import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from serbench import cli
from serbench.build.contract import Recipe
from serbench.build.store import Store
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Row, is_source
from serbench.datasets.spec import file_spec, parse_spec
from serbench.datasets.store import Dataset
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext, BuildResult
from serbench.worker.child import start_reaper
from serbench.worker.process import Limits
from tests.languages import harnesses_here
from tests.tiers import ALL, OUTSIDE, changed, field, may_build, places, runs, touched

# Begun in the background by a shell without job control, this process would ignore Ctrl-C, and so would
# everything that it starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
CONTENDERS = TESTS / "contenders"
LIMITS = Limits(memory_bytes=4 << 30, timeout=20.0)


CHANGED = changed()
"""The files that differ from what was published last."""


TOUCHED = touched(CHANGED)
make = Store.make


class Builds:
    """Whether the test that runs now may build."""

    allowed = True


def make_if_allowed(self: Store, recipe: Recipe) -> tuple[Path, str]:
    """Build, or skip a test whose fixtures do not say that it does."""
    if not Builds.allowed:
        pytest.skip("it builds: ./check --all")
    return make(self, recipe)


Store.make = make_if_allowed


where = functools.cache(places)


def is_touched(file: Path) -> bool:
    """Whether the change touches the tests of a file."""
    return bool(TOUCHED & where(file))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Find out whether a test may build, before its fixtures do."""
    Builds.allowed = may_build(getattr(item, "fixturenames", ()), is_touched(item.path))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is of another tier, and put the files first that say so."""
    chosen = {
        item: runs(getattr(item, "fixturenames", ()), where(item.path), is_touched(item.path))
        for item in items
    }
    config.hook.pytest_deselected(items=[item for item in items if not chosen[item]])
    items[:] = [item for item in items if chosen[item]]
    first = {item.path for item in items if item.get_closest_marker("first")}
    items.sort(key=lambda item: item.path not in first)


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """The project's own catalog."""
    return load_catalog(ROOT)


def of_harnesses(catalog: Catalog, names: Collection[str]) -> Catalog:
    """The catalog with the rows of some harnesses alone, without the formats that only the others have."""
    contenders = {
        name: contender
        for name, contender in catalog.contenders.items()
        if catalog.harness_of(contender.manifest.language) in names
    }
    formats = {
        name: stated
        for name, stated in catalog.formats.items()
        if any(is_source(encoder) or encoder.partition(":")[0] in contenders for encoder in stated.encoders)
    }
    return msgspec.structs.replace(catalog, contenders=contenders, formats=formats)


@pytest.fixture(scope="session")
def context(catalog: Catalog) -> BuildContext:
    """Builds in the cache that the tool itself uses, so that nothing is built twice.

    Its catalog has the rows of the field; contenders outside of it make canonical encodings alone.
    """
    here, chosen = of_harnesses(catalog, harnesses_here(catalog)), field(catalog, CHANGED)
    contenders = {
        name: contender if name in chosen else msgspec.structs.replace(contender, hidden=True)
        for name, contender in here.contenders.items()
    }
    here = msgspec.structs.replace(here, contenders=contenders)
    return BuildContext(here, CACHE, jobs=os.cpu_count() or 1)


class Field(Mapping[str, BuildResult]):
    """The rows of this tier's field by their ids, each built when it is asked for, all when all are."""

    def __init__(self, context: BuildContext) -> None:
        self._context = context
        self.catalog = context.catalog
        self._rows = {row.id: row for row in context.catalog.rows()}

    def __getitem__(self, row_id: str) -> BuildResult:
        return self._context.build([self._rows[row_id]])[row_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._context.build(list(self._rows.values())))

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, row_id: object) -> bool:
        return row_id in self._rows

    @property
    def rows(self) -> list[Row]:
        """The rows themselves, without building them."""
        return list(self._rows.values())


@pytest.fixture(scope="session")
def in_field(catalog: Catalog) -> Callable[[str], bool]:
    """Whether a row or a contender, by its id, is in the field."""
    contenders = field(catalog, CHANGED)
    return lambda name: name.partition(":")[0] in contenders


@pytest.fixture(scope="session")
def built(context: BuildContext) -> Field:
    """The rows of the field by their ids; those that could not be built say why."""
    return Field(context)


@pytest.fixture(scope="session")
def ready(built: Field) -> Callable[[str], BuildResult]:
    """The row with an id; the test is skipped if it is not in the field, or its library not here."""
    return finder(built)


def finder(built: Mapping[str, BuildResult]) -> Callable[[str], BuildResult]:
    """What finds a row, and skips the test if it is not in the field, or its library not here."""

    def find(row_id: str) -> BuildResult:
        if row_id not in built and not ALL:
            pytest.skip(OUTSIDE)
        row = built[row_id]
        if row.status == "unavailable":
            pytest.skip(f"{row_id}: {row.reason}")
        assert row.status == "ok", f"{row_id}: {row.reason}\n{row.output}"
        return row

    return find


@pytest.fixture(scope="session")
def generated(context: BuildContext) -> Callable[[str], Dataset]:
    """The dataset of a SPEC."""
    return lambda spec: context.store.dataset(parse_spec(spec))


@pytest.fixture
def document(context: BuildContext, tmp_path: Path) -> Callable[..., Dataset]:
    """The dataset of a JSON text."""

    def make(text: str | bytes, name: str = "document.json") -> Dataset:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return context.store.dataset(file_spec(path))

    return make


@pytest.fixture(scope="session")
def serbench() -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line in a process of its own, at a terminal of 200 columns that is none."""

    def call(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "serbench", *map(str, arguments)],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            cwd=cwd,
            env=command_environment(),
        )

    return call


@pytest.fixture(scope="session")
def recorded(ready: Callable[[str], BuildResult], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run of MPack's rows: run.json and its reports, which no test changes."""
    from tests import brief  # which imports this module

    ready("c/mpack:tree")
    return brief.once(tmp_path_factory, "recorded", brief.record)


class Outcome(NamedTuple):
    """What a command left: its exit status, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., Outcome]:
    """The command line in this process, in an empty folder: a traceback fails the test by itself."""

    monkeypatch.setenv("SERBENCH_IGNORE_LOCK", "1")

    def call(*arguments: str | Path) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["serbench", *map(str, arguments)])
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.chdir(tmp_path)
        capsys.readouterr()
        try:
            cli.main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        return Outcome(status, *capsys.readouterr())

    return call


def command_environment() -> dict[str, str]:
    """What a process of the tool is started with."""
    # Other measuring may go on on this machine: tests look at what comes out, and never at its times.
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "200", "SERBENCH_IGNORE_LOCK": "1"}


def rows_of(catalog: Catalog, contender: str) -> list[Row]:
    """The rows of one contender."""
    return [row for row in catalog.rows() if row.contender.id == contender]


def children() -> set[int]:
    """The processes that this one has started and not yet collected."""
    tasks = Path("/proc/self/task")
    return {int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()}


def open_files() -> int:
    """How many files this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """Fails if a test leaves a child process, alive or dead, or an open file behind."""
    start_reaper()  # which stays
    gc.collect()  # a build program ends with the last reference to it, of this test or of an earlier one
    before, files = children(), open_files()
    yield
    gc.collect()
    assert children() == before
    assert open_files() == files
