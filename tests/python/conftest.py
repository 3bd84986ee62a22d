"""The rows in Python, and those of a contender that hands out the harness's own values."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.project import CACHE, ROOT
from serbench.provision.providers.pypi import Pypi
from serbench.provision.records import Context
from serbench.run.context import BuildContext, BuildResult


@pytest.fixture(scope="session")
def row(context: BuildContext, catalog: Catalog) -> Callable[[str], BuildResult]:
    """A row by its id, built; the test is skipped with the reason where this machine cannot build it."""
    walker = load_catalog(ROOT, [Path(__file__).parent / "walker"])
    rows = {row.id: row for row in (*catalog.rows(), *walker.rows())}

    def find(row_id: str) -> BuildResult:
        if rows[row_id].contender.manifest.source and not Pypi().has_locked(
            "python", Context(cache=CACHE, catalog=catalog)
        ):
            pytest.skip("the packages of the rows in Python are not installed: ./serbench setup python")
        made = context.build([rows[row_id]])[row_id]
        if made.status == "unavailable":
            pytest.skip(f"{row_id}: {made.reason}")
        assert made.status == "ok", f"{row_id}: {made.reason}\n{made.output}"
        return made

    return find


@pytest.fixture(scope="session")
def talk(row: Callable[[str], BuildResult]) -> Callable[..., list[dict[str, object]]]:
    """Sends lines to a row's worker, which must end well; its answers."""

    def send(row_id: str, *lines: bytes | dict[str, object], heap: bool = False) -> list[dict[str, object]]:
        given = b"".join(
            (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
            for line in lines
        )
        built = row(row_id).built
        assert built is not None
        command = built.heap_command if heap else built.command
        done = subprocess.run(command, input=given, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(answer) for answer in done.stdout.splitlines()]

    return send


@pytest.fixture(scope="session")
def core(row: Callable[[str], BuildResult]) -> list[str]:
    """What starts a script on the interpreter of the rows, which then finds the extension module."""
    built = row("python/walker:tree").built
    assert built is not None
    worker = next(place for place, word in enumerate(built.command) if word.endswith("worker.py"))
    folder = built.command[worker + 1]
    return [*built.interpreter, "-c", f"import sys; sys.path.append({folder!r}); exec(sys.stdin.read())"]
