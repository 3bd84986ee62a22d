"""Rows before the gates of datasets, without what `prove` does around it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from serbench.catalog.records import FormatManifest
from serbench.datasets.store import Dataset
from serbench.verify.encodings import Canonical
from serbench.verify.gate import Gate
from serbench.verify.passage import Candidates, check
from serbench.verify.records import Subject, Verdict
from serbench.verify.sessions import Sessions
from tests.conftest import LIMITS


def verdicts(
    subjects: Sequence[Subject],
    dataset: Dataset,
    formats: dict[str, FormatManifest],
    canonical: dict[str, Canonical],
    folder: Path,
    **options: Any,
) -> dict[str, Verdict]:
    """The verdicts on `subjects`, by their keys; `options` are the gate's."""
    with Sessions() as sessions:
        gate = Gate(dataset, formats, canonical, folder, sessions, LIMITS, **options)
        candidates = Candidates(gate=gate, subjects=subjects)
        check([candidates])
    return candidates.verdicts
