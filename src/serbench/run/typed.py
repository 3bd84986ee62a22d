"""The schema of a dataset, for rows whose code is generated: inferred or given, and the data in its order."""

import hashlib
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from serbench.catalog.records import Row, SchemaFile
from serbench.datasets.float32 import rounded
from serbench.datasets.messages import each_message
from serbench.datasets.store import Dataset
from serbench.errors import UserError
from serbench.files import replace_file
from serbench.run.context import BuildContext, BuildResult
from serbench.schemas import check, model, order, text
from serbench.schemas.infer import Inexpressible, infer

MOST_DEPTH = 100
"""The nesting of data up to which a schema is inferred: each level is a message of its own."""
JSON = "json"
REORDERED = (
    "its objects have their keys in orders that contradict each other; libraries that need a schema have one "
    "order, so all rows get the data in that one"
)


def documents_of(context: BuildContext, dataset: Dataset) -> list[Any]:
    """The documents of a dataset, decoded. Raises UserError."""
    if dataset.facts.depth > MOST_DEPTH:
        raise Inexpressible(f"the data are nested {dataset.facts.depth} deep, and {MOST_DEPTH} is the most")
    made = context.canonical(dataset, JSON)
    if made.encoded is None:
        raise UserError(made.reason)
    texts = each_message(made.encoded.path) if dataset.framed else [made.encoded.path.read_bytes()]
    return [msgspec.json.decode(text) for text in texts]


def float32(context: BuildContext, dataset: Dataset) -> Dataset:
    """The data with every double rounded to a 32-bit float, `:float32` behind the name. Raises UserError."""
    try:
        documents = [rounded(document) for document in documents_of(context, dataset)]
    except UserError as error:
        raise UserError(f"{dataset.name}: {error}") from error
    return context.store.float32(dataset, [msgspec.json.encode(document) for document in documents])


def with_schemas(
    context: BuildContext,
    rows: Sequence[Row],
    datasets: Sequence[Dataset],
    given: model.Schema | None = None,
) -> list[Dataset]:
    """The datasets as `rows` need them: with a schema if code is generated for any of these rows."""
    if not any(row.contender.generated for row in rows):
        return list(datasets)
    return [with_schema(context, dataset, given) for dataset in datasets]


def with_schema(context: BuildContext, dataset: Dataset, given: model.Schema | None = None) -> Dataset:
    """The dataset with its schema, or with the reason why it has none.

    Where objects of one place have their keys in orders that contradict each other, these are other data: the
    same in the schema's order, with `:ordered` behind the name. Raises UserError where the data do not follow
    the schema that was `given`.
    """
    if dataset.inferred is not None or dataset.no_schema:
        return dataset
    try:
        documents = documents_of(context, dataset)
        if given is not None:
            check.refuse_other(given, documents)
        schema = given or infer(documents, "float" if dataset.float32 else "double")
    except Inexpressible as error:
        return msgspec.structs.replace(dataset, no_schema=f"no schema fits the data: {error}")
    made = [order.ordered(schema, document) for document in documents]
    if any(changed for _, changed in made):
        texts = [msgspec.json.encode(document) for document, _ in made]
        dataset = context.store.ordered(dataset, texts)
    return msgspec.structs.replace(dataset, inferred=kept(context, schema), schema_text=text.write(schema))


def kept(context: BuildContext, schema: model.Schema) -> SchemaFile:
    """The schema as a file of the cache, named by its content."""
    data = model.dump(schema)
    path = context.cache / "schemas" / f"{hashlib.sha256(data).hexdigest()[:32]}.json"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, data, lasting=False)
    return SchemaFile(path=path)


def keep_generated(builds: Iterable[tuple[str, BuildResult]], folder: Path) -> None:
    """Copy the generated code of each build on a dataset to `folder`/DATASET/LANGUAGE/CONTENDER.

    Raises UserError if that cannot be written.
    """
    for dataset, ready in builds:
        if ready.built is None or not ready.built.generated:
            continue
        target = folder / re.sub(r"[^\w.-]", "_", dataset) / ready.row.contender.id
        try:
            target.mkdir(parents=True, exist_ok=True)
            for file in ready.built.generated:
                shutil.copyfile(file, target / file.name)
        except OSError as error:
            raise UserError(f"cannot write the generated code to {target}: {error.strerror}") from error


def rows_on(rows: Sequence[Row], dataset: Dataset) -> list[Row]:
    """The rows as they are built for a dataset."""
    if dataset.inferred is None:
        return list(rows)
    return [
        msgspec.structs.replace(row, schema=dataset.inferred) if row.contender.generated else row
        for row in rows
    ]
