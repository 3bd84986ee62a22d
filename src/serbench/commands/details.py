"""Describes contenders: the calls of their libraries that they make, and why; labels, variants and limits."""

import re
from collections.abc import Collection, Iterable

import msgspec

from serbench.catalog.contender import ContenderManifest, Limits
from serbench.catalog.expected import Fault
from serbench.catalog.load import unusable_libraries
from serbench.catalog.records import Catalog, Contender, is_source
from serbench.report.document import Column, Document, Item, List, Paragraph, Section, Table, TableRow
from serbench.report.markdown import markdown_of

DETAILS_HEAD = "Which calls of its library each contender makes and why, as its manifest says."
ENCODERS_HEAD = (
    "All readers of a format get the same bytes. The first of these encoders makes them whose language is "
    "set up and which works; a test holds that all of a format write the same."
)


def details(catalog: Catalog, contenders: Iterable[Contender]) -> Document:
    """Describe every contender, by language: its calls and why, its labels, its variants, its limits."""
    document = Document([Section(blocks=[Paragraph(DETAILS_HEAD)])], title="The contenders")
    shown = {id_: name for harness in catalog.harnesses.values() for id_, name in harness.languages.items()}
    by_language: dict[str, list[Contender]] = {}
    formats: set[str] = set()
    for contender in contenders:
        if contender.manifest.role == "contender":
            by_language.setdefault(contender.manifest.language, []).append(contender)
            formats |= {contender.manifest.format, *(v.format for v in contender.manifest.variants.values())}
    for language, found in by_language.items():
        document.sections.append(Section(shown[language]))
        for contender in found:
            manifest = contender.manifest
            known = catalog.formats.get(manifest.format)
            format_name = known.name if known else manifest.format
            items = [Item(name, says) for name, says in _facts(manifest, format_name) if says]
            title = f"{manifest.name} ({contender.id})"
            document.sections.append(Section(title, [List(items)], level=3))
        tried = [
            Item(each.name, f"{each.reason} ({each.homepage})")
            for each in unusable_libraries(catalog.root, language)
        ]
        if tried:
            title = f"Tried, and no contenders ({language})"
            document.sections.append(Section(title, [List(tried)], level=3))
    document.sections.append(_encoders(catalog, formats))
    return document


def _encoders(catalog: Catalog, formats: Collection[str]) -> Section:
    """List the encoders that make the canonical encodings of `formats`."""
    shown = {id_: name for harness in catalog.harnesses.values() for id_, name in harness.languages.items()}

    def named(encoder: str) -> str:
        if is_source(encoder):
            return f"serbench ({shown[catalog.language_of(encoder)]})"
        row = catalog.encoder(encoder)
        return f"{row.contender.manifest.name} ({shown[row.language]})" if row else f"{encoder} (not here)"

    table = Table([Column("format"), Column("encoder"), Column("where that is not here or fails")])
    for format_id, stated in catalog.formats.items():
        if format_id in formats:
            first, *others = map(named, stated.encoders)
            table.rows.append(TableRow([stated.name, first, ", then ".join(others)]))
    return Section("Who makes the canonical encodings", [Paragraph(ENCODERS_HEAD), table])


def details_markdown(document: Document) -> str:
    """Return `document` as Markdown; an underscore within a word, which marks nothing up, stands as it is."""
    return re.sub(r"(?<=\w)\\_(?=\w)", "_", markdown_of(document))


def _facts(manifest: ContenderManifest, format_name: str) -> list[tuple[str, str]]:
    """What is said of a contender: a subject and a sentence, which is empty where there is nothing to say."""
    return [
        ("format", format_name),
        ("project", ", ".join(filter(None, (manifest.homepage, manifest.license)))),
        ("source", ", or ".join(f"{s.kind} {s.name}" for s in manifest.source if s.kind != "checkout")),
        ("calls", manifest.api),
        ("not used", manifest.left_out),
        ("tests", ", ".join(manifest.tests)),
        *(
            (f"variant {name}", "; ".join([", ".join(variant.tests), *variant.labels]))
            for name, variant in manifest.variants.items()
        ),
        ("labels", "; ".join(manifest.labels)),
        *((f"labels, {test}", "; ".join(labels)) for test, labels in manifest.test_labels.items()),
        ("limits", _limits(manifest.limits)),
        *((f"limits, {test}", _limits(limits)) for test, limits in manifest.test_limits.items()),
        *(("known to fail", _fault(fault)) for fault in manifest.known.mistakes),
    ]


def _fault(fault: Fault) -> str:
    rows = f"{', '.join(fault.rows) or 'all tests'}, on {', '.join(fault.documents)}"
    why = fault.why or fault.ends or (f"with the label: {fault.label}" if fault.label else "")
    return f"{rows}: {why}" if why else rows


def _limits(limits: Limits) -> str:
    stated = msgspec.structs.asdict(limits)
    usual = msgspec.structs.asdict(Limits())
    return ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in stated.items() if value != usual[name]
    )
