"""What the tests of a harness share: its rows, each built when a test asks for it, and their workers.

A folder of such tests has a fixture `walker`: a contender that hashes the harness's own values.
"""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.project import ROOT
from serbench.run.context import BuildContext, BuildResult
from tests.tiers import OUTSIDE


@pytest.fixture(scope="session")
def row(
    context: BuildContext, catalog: Catalog, walker: Path, in_field: Callable[[str], bool]
) -> Callable[[str], BuildResult]:
    """A row by its id, built; the test is skipped with the reason where it is not to be built, or cannot."""
    rows = {row.id: row for row in (*catalog.rows(), *load_catalog(ROOT, [walker]).rows())}

    def find(row_id: str) -> BuildResult:
        if not (in_field(row_id) or rows[row_id].contender.folder == walker):
            pytest.skip(OUTSIDE)
        made = context.build([rows[row_id]])[row_id]
        if made.status == "unavailable":
            pytest.skip(f"{row_id}: {made.reason}")
        assert made.status == "ok", f"{row_id}: {made.reason}\n{made.output}"
        return made

    return find


@pytest.fixture(scope="session")
def talk(row: Callable[[str], BuildResult]) -> Callable[..., list[dict[str, object]]]:
    """Sends raw lines to a row's worker, which must end well and say nothing else; its answers."""

    def send(row_id: str, *lines: bytes | dict[str, object]) -> list[dict[str, object]]:
        given = b"".join(
            (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
            for line in lines
        )
        built = row(row_id).built
        assert built is not None
        done = subprocess.run(built.command, input=given, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        return [json.loads(answer) for answer in done.stdout.splitlines()]

    return send


@pytest.fixture(scope="session")
def canonical(context: BuildContext) -> Callable[..., Path]:
    """The canonical encoding of a dataset in a format."""

    def find(dataset, format_id: str) -> Path:
        made = context.canonical(dataset, format_id)
        assert made.encoded is not None, made.reason
        return made.encoded.path

    return find
