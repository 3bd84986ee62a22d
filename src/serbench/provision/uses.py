"""The option `--use NAME[@LABEL]=DIR`: contenders whose library is a folder that the user names."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog, Contender
from serbench.catalog.selection import names_of
from serbench.catalog.source import Source
from serbench.errors import UserError, readable, unknown
from serbench.provision.layout import missing_part, with_files

USUAL = "usual"
"""The label of a replaced contender's usual form, where it goes on making canonical encodings."""
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One `--use`."""

    contender: str
    """The id of the contender whose library it is."""
    label: str
    """Empty: in place of the usual source."""
    folder: Path

    @property
    def id(self) -> str:
        """The id of the contender that it makes: `c/mpack@old`, or `c/mpack` itself."""
        return f"{self.contender}@{self.label}" if self.label else self.contender


def find_contender(catalog: Catalog, name: str) -> Contender:
    """The one contender with this name. Raises UserError, with the nearest name or with all that match."""
    return _same(name, _named(catalog, name), lambda contender: contender.id)[0]


def _same(
    name: str, found: list[Contender], key: Callable[[Contender], str | tuple[str, ...]]
) -> list[Contender]:
    """`found`, which all have the name. Raises UserError if they differ in `key`."""
    if len({key(contender) for contender in found}) > 1:
        raise UserError(f"'{name}' is the name of several: {', '.join(c.id for c in found)}")
    return found


def _named(catalog: Catalog, name: str) -> list[Contender]:
    """The contender with the id `name`, or all that have this name. Raises UserError if there is none."""
    able = [c for c in catalog.contenders.values() if c.manifest.role == "contender" and not c.hidden]
    found = [c for c in able if name.casefold() in names_of(c)]
    if not found:
        raise unknown("contender", name, {known for c in able for known in names_of(c)})
    return [c for c in found if c.id.casefold() == name.casefold()] or found


def _library(contender: Contender) -> tuple[str, ...]:
    return contender.library.casefold(), contender.manifest.language, contender.manifest.homepage


def parse_uses(texts: Sequence[str], catalog: Catalog) -> list[Use]:
    """The values `NAME[@LABEL]=DIR` of --use; a library of several formats makes a Use for each.

    Raises UserError for another form, an unknown or ambiguous name, a missing folder, or the same name and
    label twice.
    """
    uses: dict[str, Use] = {}
    for text in texts:
        left, equals, place = text.partition("=")
        name, at, label = left.rpartition("@") if "@" in left else (left, "", "")
        if not (name and equals and place) or (at and not _LABEL.fullmatch(label)):
            raise UserError(f"--use takes NAME=DIR or NAME@LABEL=DIR, not '{readable(text)}'")
        if label == USUAL:
            raise UserError(f"--use {readable(text)}: '{USUAL}' is the label of what serbench itself uses")
        folder = Path(place).expanduser()
        if not folder.is_dir():
            raise UserError(f"--use {readable(text)}: there is no folder '{readable(place)}'")
        for contender in _same(name, _named(catalog, name), _library):
            use = Use(contender=contender.id, label=label, folder=folder.resolve())
            if use.id in uses:
                raise UserError(f"--use names {readable(left)} twice")
            uses[use.id] = use
    return list(uses.values())


def with_uses(catalog: Catalog, uses: Sequence[Use]) -> Catalog:
    """`catalog` with contenders built from checkouts, in place of others or beside them.

    The encoder of a format stays what it was, so that the version under test cannot change its own input.
    Raises UserError for a checkout whose layout no manifest knows.
    """
    contenders, formats = dict(catalog.contenders), dict(catalog.formats)
    for use in uses:
        usual = catalog.contenders[use.contender]
        manifest = msgspec.structs.replace(usual.manifest, source=[layout_of(usual, use.folder)])
        if use.label:
            manifest = msgspec.structs.replace(manifest, name=f"{manifest.name} @{use.label}")
        else:
            hidden = msgspec.structs.replace(usual, id=f"{usual.id}@{USUAL}", label=USUAL, hidden=True)
            for name, stated in formats.items():
                encoders = [_renamed(encoder, usual.id, hidden.id) for encoder in stated.encoders]
                if encoders != stated.encoders:
                    contenders[hidden.id] = hidden
                    formats[name] = msgspec.structs.replace(stated, encoders=encoders)
        contenders[use.id] = msgspec.structs.replace(
            usual, id=use.id, manifest=manifest, checkout=use.folder, label=use.label
        )
    return msgspec.structs.replace(catalog, contenders=dict(sorted(contenders.items())), formats=formats)


def _renamed(encoder: str, usual: str, hidden: str) -> str:
    contender_id, colon, variant = encoder.partition(":")
    return f"{hidden if contender_id == usual else contender_id}{colon}{variant}"


def layout_of(contender: Contender, folder: Path) -> Source:
    """How the library of `contender` lies in the checkout `folder`, with the names of its files.

    If the manifest has no checkout source, the layouts of repositories count, then those of source packages,
    then those of sources that are compiled from an installed copy's files. The first that fits counts,
    those first whose CMake targets the project has. Raises UserError when nothing fits.
    """
    by_kind = [
        [s for s in contender.manifest.source if s.kind == kind and (s.files or kind != "installed")]
        for kind in ("checkout", "git", "debian-source", "installed")
    ]
    known = by_kind[0] or by_kind[1] + by_kind[2] + by_kind[3]
    if not known:
        raise UserError(
            f"{contender.id} cannot be built from a checkout: its manifest has no [[source]] with "
            "checkout = true"
        )
    missing = [missing_part(source, folder) for source in known]
    fitting = [source for source, absent in zip(known, missing, strict=True) if not absent]
    if fitting:
        return _as_checkout(min(fitting, key=lambda source: not _has_targets(source, folder)), folder)
    raise UserError(
        f"{readable(folder.name)} does not look like a checkout of {contender.manifest.name}: it has no "
        f"{' and no '.join(dict.fromkeys(missing))}"
    )


def _has_targets(source: Source, folder: Path) -> bool:
    """Whether the text of the CMake project in `folder` names the targets that are to be built."""
    if source.cmake is None:
        return True
    text = (folder / source.subdir / "CMakeLists.txt").read_text("utf-8", "replace")
    return all(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in source.cmake.targets)


def _as_checkout(source: Source, folder: Path) -> Source:
    """The layout `source` with the names of the files in `folder`, and nothing of another kind of source."""
    source = with_files(source, folder)
    if source.kind == "checkout":
        return source
    libraries = [] if source.kind == "installed" else source.libraries
    source = msgspec.structs.replace(source, kind="checkout", name="", libraries=libraries)
    source = msgspec.structs.replace(source, tag="", commit="", date=None, submodules=[])
    return msgspec.structs.replace(
        source, part="", replace=[], pkg_config=None, static=[], labels=[], help=""
    )
