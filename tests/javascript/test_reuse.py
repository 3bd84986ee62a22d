"""Rows that keep an object of their library, or a buffer, for the next document say so; no other does."""

import json
import subprocess
from pathlib import Path

from serbench.worker.process import pooled

SCRIPT = Path(__file__).with_name("kept.mjs")
TYPES = {"Type"}
"""Classes of which an object is a schema, and no encoder."""


def kept(node, ready) -> bool:
    """Whether the row's module makes something of its library when it is loaded, or overwrites its output."""
    command = [*node.programs["node"], str(SCRIPT), ready.built.module]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{ready.row.id}: {done.stderr}"
    found = json.loads(done.stdout)
    return bool(set(found["made"]) - TYPES) or found["overwritten"]


def test_the_label_stands_where_something_is_kept(node, built):
    rows = [
        ready
        for ready in built.values()
        if ready.status == "ok"
        and ready.row.contender.manifest.role == "contender"
        and not ready.row.contender.manifest.schemas
    ]
    with pooled(2) as pool:
        found = dict(
            zip([r.row.id for r in rows], pool.map(lambda ready: kept(node, ready), rows), strict=True)
        )
    labelled = {r.row.id: any(label.startswith("reuses its ") for label in r.row.labels) for r in rows}
    assert found == labelled
    assert set(found.values()) == {False, True}
