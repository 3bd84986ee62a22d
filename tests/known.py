"""What the manifests of contenders say is known of their rows (`[known]`)."""

from serbench.catalog.expected import Fault
from serbench.catalog.records import Row
from serbench.run.context import BuildResult


def name_of(row_id: str) -> str:
    """The test of a row with its variant, as manifests name it: `write:reuse`."""
    return row_id.partition(":")[2]


def moves_keys(row: Row) -> bool:
    """Whether a row is known to lose the order of keys."""
    return name_of(row.id) in row.contender.manifest.known.moves_keys


def outputs(row: Row, version: str) -> list[tuple[str, int]]:
    """Hash and bytes of what a writer makes of generated:2 and generated:4; empty where nothing is known."""
    manifest = row.for_version(version).contender.manifest
    stated = manifest.known.outputs.get(name_of(row.id), [])
    return [(each.split()[0], int(each.split()[1])) for each in stated]


def mistake(ready: BuildResult, document: str) -> Fault | None:
    """What is known to fail with a document of the tests."""
    return _found(ready.row.contender.manifest.known.mistakes, ready, document)


def unseen(ready: BuildResult, document: str) -> Fault | None:
    """The limit that the proof does not see with a document of the tests."""
    return _found(ready.row.contender.manifest.known.unseen, ready, document)


def labels_of(ready: BuildResult) -> set[str]:
    """The labels of a row, those of its library's source among them."""
    return {*ready.row.labels, *(ready.provided.source.labels if ready.provided else ())}


def _found(faults: list[Fault], ready: BuildResult, document: str) -> Fault | None:
    name, labels = name_of(ready.row.id), labels_of(ready)
    for fault in faults:
        if document in fault.documents and name in (fault.rows or [name]) and fault.label in ("", *labels):
            return fault
    return None
