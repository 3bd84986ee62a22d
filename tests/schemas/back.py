"""Random documents through generated code and back:

    PYTHONPATH=src .venv/bin/python -m tests.schemas.back [COUNT [FIRST [NAMES]]]

Up to AT_ONCE documents with their schemas stand in one dataset, as its fields, so that each library is
compiled once for all of them. The gate then compares every value of every document with the data. What only
some languages can say (integers beyond 63 bits; absent and null in one place) stands in datasets of its own.
NAMES are patterns of contenders, as for `./serbench verify --contenders`. C, C++ and Rust are compiled with
checks.
Ends with 1 if a row fails.
"""

import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows, split
from serbench.datasets.spec import file_spec
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.proving import prove
from serbench.schemas.infer import Inexpressible, infer
from serbench.schemas.model import Schema
from tests.schemas.checked import LIMITS
from tests.schemas.randomly import WORDS, documents

AT_ONCE = 100
"""The most documents of a dataset."""
ENOUGH_FIELDS = 2500
"""A dataset whose schemas have so many gets no further document: compilers take much longer for each."""
USUAL = "*-struct"


def kind_of(schema: Schema) -> str:
    """What of a schema not every language can say."""
    said = set()
    for _, kind, optional in schema.places():
        said |= {"uint64"} if kind.kind == "uint64" else set()
        said |= {"absent and null"} if optional and kind.nullable else set()
    keys = {field.key for message in schema.messages for field in message.fields}
    said |= set() if keys <= set(WORDS) else {"odd keys"}
    return ", ".join(sorted(said)) or "plain"


def datasets(seeds: range) -> Iterator[tuple[str, list[list[Any]]]]:
    """A kind of schema, and up to AT_ONCE lists of documents, each list of one schema."""
    waiting: dict[str, list[list[Any]]] = defaultdict(list)
    fields: Counter[str] = Counter()
    for seed in seeds:
        made = documents(seed, WORDS) if seed % 2 else documents(seed)
        try:
            schema = infer(made)
        except Inexpressible:  # an integer beyond 2^53 beside doubles, by chance
            continue
        kind = kind_of(schema)
        waiting[kind].append(made)
        fields[kind] += schema.fields
        if len(waiting[kind]) == AT_ONCE or fields[kind] >= ENOUGH_FIELDS:
            yield kind, waiting.pop(kind)
            del fields[kind]
    yield from waiting.items()


def main(count: int = 2000, first: int = 0, names: str = USUAL) -> int:
    """Prove the rows of these contenders on the documents from `first` on; 1 if one fails."""
    catalog = load_catalog(ROOT)
    context = BuildContext(catalog, CACHE, [Configuration(profile="check")], jobs=os.cpu_count() or 1)
    rows = [
        row
        for row in select_rows(catalog, tests=["write", "tree", "incremental"], contenders=split([names]))
        if row.contender.generated
    ]
    proved: Counter[str] = Counter()
    wrong = 0
    for number, (kind, lists) in enumerate(datasets(range(first, first + count))):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{number}.json"
            whole = {f"document {index}": made for index, made in enumerate(lists)}
            path.write_text(json.dumps(whole, ensure_ascii=False), "utf-8")
            data = context.store.dataset(file_spec(path))
            (found,) = prove(context, rows, [data], Path(folder) / "outputs", LIMITS)
        for _, ready, verdict in found.rows:
            proved[ready.row.id] += len(lists) if verdict.status == "ok" else 0
            if verdict.status not in ("ok", "unsupported", "unavailable"):
                wrong += 1
                print(
                    f"{ready.row.id} on {len(lists)} documents ({kind}): {verdict.status}: {verdict.reason}"
                )
        print(f"{number}: {len(lists)} documents ({kind})", flush=True)
    for row_id, documents_right in sorted(proved.items()):
        print(f"{row_id}: {documents_right} documents right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(int(word) if word.isdigit() else word for word in sys.argv[1:4])))
