"""Rows that hand out strings in their caller's memory, and rows that keep memory from call to call.

Both are seen in what a native row does (probe_*.h), and stand on it as labels: docs/adding-a-contender.md has
the rule.
"""

import contextlib
import hashlib
import json
import re
import tempfile
from collections.abc import Collection
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Row
from serbench.datasets.spec import file_spec
from serbench.datasets.store import Dataset
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.verify.encodings import Canonical
from tests.conftest import LIMITS

NATIVE = ("c", "cpp")
PROBED = ("write", "tree", "incremental")
IN_PLACE = re.compile("^(borrows (unescaped )?strings|overwrites its input)")
TEXTS = {f"a long key, number {n}": f"a long value without any escape, number {n}" for n in range(10)}


def probed_source(text: str, test: str) -> str:
    """The source of a row with what looks at it before and behind."""
    kind = "write" if test == "write" else "read"
    before, own, after = (
        Path(__file__).with_name(f"probe_{name}.h").read_text("utf-8")
        for name in ("before", f"{kind}_before", f"{kind}_after")
    )
    return f"{before}\n{own}\n#line 1\n{text}\n{after}"


def includes_one(path: Path, probed: Collection[Path]) -> bool:
    """Whether a source has what looks at it already, in another one that it includes."""
    names = re.findall('^#include "(.+)"', path.read_text("utf-8"), re.MULTILINE)
    return any(path.parent / name in probed for name in names)


def is_probed(row: Row) -> bool:
    manifest = row.contender.manifest
    return row.test in PROBED and manifest.role == "contender" and manifest.language in NATIVE


def probing_sources() -> Path:
    """A copy of the native contenders whose rows are examined.

    Its name is that of its content, so that the builds of an earlier session of tests are found again.
    """
    tests = {row.source.resolve(): row.test for row in load_catalog(ROOT).rows() if is_probed(row)}
    files = [path for name in NATIVE for path in (ROOT / "contenders" / name).rglob("*") if path.is_file()]
    texts = {
        path.relative_to(ROOT / "contenders"): (
            probed_source(path.read_text("utf-8"), tests[path]).encode()
            if path in tests and not includes_one(path, tests)
            else path.read_bytes()
        )
        for path in sorted(files)
    }
    digest = hashlib.sha256(repr(texts).encode()).hexdigest()[:20]
    folder = CACHE / "tests" / f"borrowing-{digest}"
    if not folder.is_dir():
        folder.parent.mkdir(exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=folder.parent))
        for path, content in texts.items():
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(content)
        with contextlib.suppress(OSError):  # another session may have made it meanwhile
            made.rename(folder)
    return folder


class ProbedContext(BuildContext):
    """Builds probed rows, and gives them the encodings of the contenders as they are: a probed one fails."""

    def __init__(self, catalog: Catalog, usual: BuildContext) -> None:
        super().__init__(catalog, CACHE)
        self.usual = usual

    def canonical(self, dataset: Dataset, format_id: str) -> Canonical:
        return self.usual.canonical(dataset, format_id)


@pytest.fixture(scope="module")
def found(context, tmp_path_factory):
    """What each row whose library is here said of itself, and its labels, by the row's id."""
    folder = probing_sources()
    catalog = load_catalog(ROOT, [path.parent for path in sorted(folder.glob("*/*/contender.toml"))])
    rows = [row for row in catalog.rows() if is_probed(row)]
    work = tmp_path_factory.mktemp("borrowing")
    (work / "texts.json").write_text(json.dumps(TEXTS))
    dataset = context.store.dataset(file_spec(work / "texts.json"))
    (item,) = prove(ProbedContext(catalog, context), rows, [dataset], work / "out", LIMITS)
    assert {"json", "messagepack", "bson", "cbor"} <= {
        name for name, made in item.record.encodings.items() if made.bytes
    }
    records = [record for record, _, _ in item.rows if record.status != "unavailable"]
    return {record.row: (record.test, record.labels, record.reason) for record in records}


@pytest.mark.slow
def test_who_hands_out_strings_of_its_input_says_so_and_nobody_else(found):
    seen = set()
    for row, (test, labels, reason) in found.items():
        if test == "write":
            continue
        counts = re.search(r"(\d+) inside, (\d+) outside", reason)
        assert counts is not None, f"{row}: {reason}"
        inside, outside = map(int, counts.groups())
        stated = [label for label in labels if IN_PLACE.match(label)]
        assert inside + outside == 2 * len(TEXTS) and bool(stated) == (inside > 0), (row, inside, stated)
        assert inside in (0, len(TEXTS) if "copies keys" in "".join(stated) else 2 * len(TEXTS)), row
        seen.add((test, inside > 0))
    assert len(seen) == 4  # some of each kind


@pytest.mark.slow
def test_whose_document_keeps_strings_of_its_caller_says_so_and_nobody_else(found):
    seen = set()
    for row, (test, labels, reason) in found.items():
        if test != "write":
            continue
        order = re.search(r"order ([ksn]+),", reason)
        assert order is not None, f"{row}: {reason}"
        # It reads the string when it has seen the whole tree; who only sizes it first sees it again.
        kept = "s" in order[1].rpartition("n")[2]
        assert ("borrows strings from its caller" in labels) == kept, (row, order[1])
        seen.add(kept)
    assert seen == {False, True}


@pytest.mark.slow
def test_who_asks_for_less_memory_in_its_second_call_reuses_something_and_says_so(found):
    seen = set()
    for row, (_, labels, reason) in found.items():
        requests = re.search(r"(\d+), then (\d+) requests", reason)
        assert requests is not None, f"{row}: {reason}"
        first, second = map(int, requests.groups())
        reuses = any(label.startswith("reuses its ") for label in labels)
        assert reuses == (second < first), f"{row}: {first}, then {second} requests; {labels}"
        seen.add(reuses)
    assert seen == {False, True}
