"""`dataset list`, `dataset show` and `dataset write`."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog
from serbench.commands.options import Force
from serbench.commands.show import MARK, MARKS
from serbench.datasets.corpus import is_here, load_corpora
from serbench.datasets.growing import LEAST_MB, MOST_MB
from serbench.datasets.messages import write_messages
from serbench.datasets.records import Encoding
from serbench.datasets.spec import Spec, messages_spec, parse_spec
from serbench.datasets.store import Dataset, copy_out
from serbench.errors import UserError, unknown
from serbench.files import refuse_existing
from serbench.platforms.firmware.documents import stated_documents
from serbench.project import CACHE, ROOT
from serbench.records import Record
from serbench.report.document import Block, Column, Document, Paragraph, Section, Table, TableRow
from serbench.report.encodings import OF_JSON, share, shown_share
from serbench.report.encodings import REFERENCE as JSON
from serbench.report.terminal import print_document
from serbench.run.context import BuildContext
from serbench.run.inputs import open_context
from serbench.run.proving import encoding_records, encodings_of
from serbench.verify.encodings import Canonical

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


class EncodingShown(Encoding):
    """An encoding as `dataset show --json` prints it."""

    of_json: float | None = None
    """Its bytes as a part of those of JSON without white space; None if there are not both."""
    of_mapped_json: float | None = None
    """For unmapped records: the bytes as a part of those of JSON that has the same records as maps."""


class DatasetShown(Record, kw_only=True, omit_defaults=False):
    """What `dataset show --json` prints."""

    dataset: str
    content_hash: str
    exact_hash: str
    nodes: int
    depth: int
    encodings: dict[str, EncodingShown]


def _whole(canonical: Mapping[str, Canonical]) -> int | None:
    """The bytes of JSON, of which sizes are a part; None if there is no JSON."""
    made = canonical.get(JSON)
    return made.encoded.bytes if made and made.encoded else None


def dataset_record(
    dataset: Dataset, canonical: dict[str, Canonical], mapped: int | None = None
) -> DatasetShown:
    """The dataset and its encodings as `dataset show --json` prints them.

    `mapped` are the bytes of JSON with the same records as maps, for unmapped ones.
    """
    whole = _whole(canonical)
    return DatasetShown(
        dataset=dataset.name,
        content_hash=dataset.facts.content_hash,
        exact_hash=dataset.facts.exact_hash,
        nodes=dataset.facts.nodes,
        depth=dataset.facts.depth,
        encodings={
            name: EncodingShown(
                **msgspec.structs.asdict(encoding),
                of_json=share(encoding.bytes, whole),
                of_mapped_json=share(encoding.bytes, mapped),
            )
            for name, encoding in encoding_records(canonical).items()
        },
    )


def _document(
    catalog: Catalog, dataset: Dataset, canonical: dict[str, Canonical], mapped: int | None
) -> Document:
    """A dataset's facts and a table of its canonical encodings; `mapped` as for `dataset_record`."""
    facts = dataset.facts
    wholes = [whole for whole in (_whole(canonical), mapped) if whole is not None]
    shares = [OF_JSON, Column("of mapped JSON", align="right", show=shown_share)][: len(wholes)]
    columns = [Column("format"), Column("bytes", align="right"), *shares, Column("hash")]
    table = Table([*columns, Column("encoder", priority=1, least=20)])
    absent: dict[str, list[str]] = {}
    for format_id, made in canonical.items():
        name = catalog.formats[format_id].name
        if made.encoded is None:
            absent.setdefault(made.reason.replace(f"no {name} input", "no input"), []).append(name)
        else:
            size = made.encoded.bytes
            parts = [share(size, whole) for whole in wholes]
            encoder = f"{made.encoder}: {catalog.formats[format_id].encoding}"
            table.rows.append(TableRow([name, size, *parts, made.encoded.hash, encoder]))
    about: list[Block] = [
        Paragraph(f"content_hash {facts.content_hash}   exact_hash {facts.exact_hash}"),
        Paragraph(f"{facts.nodes:,} nodes, nested {facts.depth} deep, {facts.doubles:,} doubles"),
    ]
    missing = [Paragraph(f"{', '.join(names)}: {reason}", "dim") for reason, names in absent.items()]
    return Document([Section(dataset.name, about), Section(blocks=[table, *missing])])


def dataset_list() -> None:
    """List the datasets, with their sizes as JSON, and whether each is here."""
    columns = [Column("SPEC"), Column("bytes", align="right"), Column("what", least=24)]
    growing = f"{LEAST_MB:g} to {MOST_MB:g} MB"
    made = [
        ("generated:SIZE", "1 kB to 3.9 MB", "the 2016 suite's data; SIZE: 1 to 5"),
        ("  :seed=N", "", "from another seed"),
        ("  :safe", "", "its integers within 2^53"),
        ("records:MB", growing, "the 2020 comparison's x, y and z"),
        ("records-distinct:MB", growing, "the same, no two records alike"),
        ("  :unmapped", "", "arrays in place of maps"),
        ("  :optional", "", "a third of all y and z missing"),
    ]
    folder = ROOT / "datasets" / "documents"
    small = [(folder / stated.file, stated.name) for stated in stated_documents(ROOT)]
    sections = [
        Section("Made by serbench", [Table(columns, [TableRow(cells) for cells in made])]),
        Section(
            "Small documents, of the kinds that microcontrollers get",
            [
                Table(
                    columns,
                    [TableRow([f"document:{path.stem}", path.stat().st_size, name]) for path, name in small],
                )
            ],
        ),
    ]
    for corpus in load_corpora(ROOT):
        rows = [
            TableRow(
                [
                    MARKS["ok" if is_here(each, CACHE) else "unavailable"],
                    f"corpus:{each.name}",
                    each.bytes,
                    each.title,
                ]
            )
            for each in corpus.document
        ]
        size = f"{corpus.bytes / 1e6:.0f} MB"
        says = f"The first that is needed and not here (–) fetches all: {size}, {corpus.origin}."
        blocks: list[Block] = [Table([MARK, *columns], rows), Paragraph(says)]
        sections.append(Section("Documents that many libraries are measured with", blocks))
    says = "FILE.json has an array or an object at its root. FILE.jsonl has a message in each line."
    sections.append(Section("Your own data", [Paragraph(says)]))
    print_document(Document(sections), out)


def dataset_show(
    spec: Annotated[str, typer.Argument(metavar="SPEC")],
    as_json: Annotated[bool, typer.Option("--json", help="As one JSON object.")] = False,
) -> None:
    """Show a dataset's hashes, and bytes and hash of its canonical encodings."""
    catalog = load_catalog(ROOT)
    context = open_context(catalog)
    parsed = parse_spec(spec)
    dataset = context.store.dataset(parsed)
    canonical = encodings_of(context, dataset, sorted(catalog.formats))
    mapped = _mapped_json(context, parsed)
    if as_json:
        record = dataset_record(dataset, canonical, mapped)
        sys.stdout.write(msgspec.json.encode(record).decode() + "\n")
    else:
        print_document(_document(catalog, dataset, canonical, mapped), out)


def _mapped_json(context: BuildContext, spec: Spec) -> int | None:
    """The bytes of JSON with the same records as maps; None if `spec` is not of unmapped records."""
    if spec.shape != "unmapped":
        return None
    mapped = context.store.dataset(parse_spec(f"{spec.growing}:{spec.megabytes:g}"))
    made = context.canonical(mapped, JSON)
    return made.encoded.bytes if made.encoded else None


def named(specs: Sequence[str]) -> Spec:
    """The dataset that a SPEC names; several are files of messages. Raises UserError."""
    named = [parse_spec(text) for text in specs]
    if len(named) == 1:
        return named[0]
    files = [path for spec in named for path in ([spec.path] if spec.path else spec.messages)]
    if len(files) < len(named):
        raise UserError(f"several datasets are files of messages, written together: not '{' '.join(specs)}'")
    return messages_spec(files)


def dataset_write(
    specs: Annotated[
        list[str], typer.Argument(metavar="SPEC..", help="A dataset, or several files, which are messages.")
    ],
    format_: Annotated[
        str,
        typer.Option(
            "--format", help="A format or its file ending, such as msgpack, json-pretty or cbor; or tape."
        ),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Where to write it.")],
    force: Force = False,
) -> None:
    """Write a dataset in a format, in its canonical encoding.

    Messages (JSON Lines, or several files) follow each other, in JSON each on its line.
    """
    catalog = load_catalog(ROOT)
    by_name = {name: f for f, stated in catalog.formats.items() for name in (f, stated.ending)}
    if format_ != "tape" and format_ not in by_name:
        raise unknown("format", format_, [*by_name, "tape"])
    refuse_existing(output, force, specs)
    context = open_context(catalog)
    dataset = context.store.dataset(named(specs))
    if format_ == "tape":
        copy_out(dataset.tape, output)
        return
    made = context.canonical(dataset, by_name[format_])
    if made.encoded is None:
        raise UserError(made.reason)
    if dataset.framed:
        write_messages(made.encoded.path, output, catalog.formats[by_name[format_]].text)
    else:
        copy_out(made.encoded.path, output)
