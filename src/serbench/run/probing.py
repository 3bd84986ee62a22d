"""What every probe of libraries needs: which of them take part, and what their harness has."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypedDict

from serbench.catalog.harness import Probes
from serbench.catalog.records import Catalog, Contender, Row
from serbench.catalog.selection import select_rows, split
from serbench.errors import unknown
from serbench.provision.toolchain import find
from serbench.run.context import BuildContext
from serbench.run.resume import refuse
from serbench.run.session import RunSession

ONLY_READS = "it does not write, so it has nothing to read"


def refuse_other_engines(session: RunSession, context: BuildContext, rows: Sequence[Row]) -> None:
    """Raise UserError where a toolchain of `rows` has another version than in the session's run."""
    before, now = session.run.machine.compilers, engines(context.catalog, context.cache, rows)
    differing = [name for name in now if before.get(name, now[name]) != now[name]]
    refuse(
        [
            f"The toolchain of {name} has another version: {now[name]}, which was {before[name]}."
            for name in differing
        ]
    )


def engines(catalog: Catalog, cache: Path, rows: Sequence[Row]) -> dict[str, str]:
    """The versions of the toolchains that `rows` need from the set-up, by language, if they are here."""
    found = {}
    for language in dict.fromkeys(row.language for row in rows):
        for part in catalog.harness(language).toolchain.parts[:1]:
            toolchain = find(catalog.root, cache, part)
            if toolchain is not None:
                found[language] = toolchain.version
    return found


def probed_rows(context: BuildContext, rows: Sequence[Row], peers: bool) -> list[Row]:
    """The rows that must be built to probe the contenders of `rows`.

    With `peers`, all of the same language and format: they write what the chosen ones read, where these
    cannot write a value themselves.
    """
    chosen = [row.contender for row in rows if takes_part(context, row.contender)]
    ids = {contender.id for contender in chosen}
    able = [row for row in context.catalog.rows() if takes_part(context, row.contender)]
    # What has a probe of its own needs no worker.
    able = [row for row in able if not probes_of(context, row.contender)[1].built]
    formats = {(row.language, row.format) for row in able if peers and row.contender.id in ids}
    return [
        row
        for row in able
        if (row.contender.id in ids or (row.language, row.format) in formats)
        and row.test in ("write", "tree")
    ]


def chosen_rows(
    catalog: Catalog,
    program: Literal["fidelity", "limits"],
    languages: Sequence[str],
    contenders: Sequence[str],
) -> list[str]:
    """The ids of the rows that --languages and --contenders name, for a program of their harness.

    Raises UserError for a language without such a program.
    """
    able = probed_languages(catalog, program)
    wanted = split(languages) or able
    for name in wanted:
        if name not in able:
            raise unknown(f"language with a probe of {program}", name, able)
    return [row.id for row in select_rows(catalog, (), wanted, split(contenders))]


def probed_languages(catalog: Catalog, program: Literal["fidelity", "limits"]) -> list[str]:
    """The languages whose libraries can be probed by a program of their harness."""
    return [
        name
        for harness in catalog.harnesses.values()
        if harness.probes and getattr(harness.probes, program)
        for name in harness.languages
    ]


def takes_part(context: BuildContext, contender: Contender) -> bool:
    """Whether the contender can be probed."""
    manifest = contender.manifest
    probes = context.catalog.harness(manifest.language).probes
    if manifest.role != "contender" or contender.generated or probes is None:
        return False
    return not probes.built or (contender.folder / probes.module).is_file()


def probes_of(context: BuildContext, contender: Contender) -> tuple[Path, Probes]:
    """The folder of a contender's harness, and the probes in it."""
    language = contender.manifest.language
    probes = context.catalog.harness(language).probes
    assert probes is not None
    return context.catalog.harness_folder(language), probes


class Names(TypedDict):
    """What a record says of whom it is about."""

    contender: str
    contender_id: str
    format: str
    format_name: str


def names_of(context: BuildContext, contender: Contender, variant: str = "") -> Names:
    """What a record says of the contender, in a variant."""
    manifest, format_id = contender.manifest, Row(contender=contender, test="write", variant=variant).format
    return Names(
        contender=manifest.name,
        contender_id=contender.id,
        format=format_id,
        format_name=context.catalog.formats[format_id].name,
    )


def shape_of(contender: Contender) -> Literal["mapped", "optional", "unmapped"]:
    """The shape of the records that the contender can take."""
    schemas = contender.manifest.schemas
    if "records-optional" in schemas:
        return "optional"
    return "mapped" if not schemas or "records" in schemas else "unmapped"
