"""The option `--use NAME[@LABEL]=DIR`: contenders whose library is a folder that the user names."""

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Catalog, Contender, Source
from serbench.catalog.selection import names_of
from serbench.errors import UserError, readable, unknown

USUAL = "usual"
"""The label of a replaced contender's usual form, where it goes on making canonical encodings."""
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")


class Use(msgspec.Struct, frozen=True, kw_only=True):
    """One `--use`, taken apart."""

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
    """The one contender that a user means by `name`. Raises UserError with the nearest name, or with all."""
    found = _named(catalog, name)
    if len(found) > 1:
        raise UserError(f"'{name}' is the name of several: {', '.join(c.id for c in found)}")
    return found[0]


def find_library(catalog: Catalog, name: str) -> list[Contender]:
    """The contenders of the library that a user means by `name`: more than one where it has several formats.

    Raises UserError with the nearest name, or with all where they are of different libraries.
    """
    found = _named(catalog, name)
    if len({(c.library.casefold(), c.manifest.language, c.manifest.homepage) for c in found}) > 1:
        raise UserError(f"'{name}' is the name of several: {', '.join(c.id for c in found)}")
    return found


def _named(catalog: Catalog, name: str) -> list[Contender]:
    """The contender with the id `name`, or all that have this name. Raises UserError if there is none."""
    able = [c for c in catalog.contenders.values() if c.manifest.role == "contender" and not c.hidden]
    found = [c for c in able if name.casefold() in names_of(c)]
    if not found:
        raise unknown("contender", name, {known for c in able for known in names_of(c)})
    return [c for c in found if c.id.casefold() == name.casefold()] or found


def parse_uses(texts: Sequence[str], catalog: Catalog) -> list[Use]:
    """The values `NAME[@LABEL]=DIR` of the option --use; a library of several formats makes a Use for each.

    Raises UserError for another form, a name that no contender has, a folder that is not there, or the
    same name and label twice.
    """
    uses: list[Use] = []
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
        for contender in find_library(catalog, name):
            use = Use(contender=contender.id, label=label, folder=folder.resolve())
            if use.id in [other.id for other in uses]:
                raise UserError(f"--use names {readable(left)} twice")
            uses.append(use)
    return uses


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
                if stated.encoder.contender == usual.id:
                    contenders[hidden.id] = hidden
                    encoder = msgspec.structs.replace(stated.encoder, contender=hidden.id)
                    formats[name] = msgspec.structs.replace(stated, encoder=encoder)
        contenders[use.id] = msgspec.structs.replace(
            usual, id=use.id, manifest=manifest, checkout=use.folder, label=use.label
        )
    return msgspec.structs.replace(catalog, contenders=dict(sorted(contenders.items())), formats=formats)


def layout_of(contender: Contender, folder: Path) -> Source:
    """How the library of `contender` lies in the checkout `folder`, with the names of its files.

    A manifest's checkout sources come first; without any, the layouts of its source packages count, and
    those of sources that are compiled from an installed copy's files. Of several that fit, the first counts
    whose targets the project names. Raises UserError when nothing fits.
    """
    sources = contender.manifest.source
    known = [s for s in sources if s.kind == "checkout"]
    if not known:
        known = [s for s in sources if s.kind == "debian-source"]
        known += [s for s in sources if s.kind == "installed" and s.files]
    if not known:
        raise UserError(
            f"{contender.id} cannot be built from a checkout: its manifest has no [[source]] with "
            "checkout = true"
        )
    missing = {absent: None for source in known if (absent := _absent(source, folder))}
    fitting = [source for source in known if not _absent(source, folder)]
    if fitting:
        named = [source for source in fitting if len(fitting) == 1 or _names_targets(source, folder)]
        return _as_checkout((named or fitting)[0], folder)
    raise UserError(
        f"{readable(folder.name)} does not look like a checkout of {contender.manifest.name}: it has no "
        f"{' and no '.join(missing)}"
    )


def _absent(source: Source, folder: Path) -> str:
    """The first part of a layout that `folder` has not; empty if it has all."""
    root = folder / source.subdir
    for pattern in source.files:
        if not _matches(root, pattern):
            return str(Path(source.subdir, pattern))
    generated = source.cmake is not None  # A CMake project may make its header folders itself.
    for name in source.include:
        if not generated and not (root / name).is_dir():
            return str(Path(source.subdir, name))
    if source.cmake is not None and not (root / "CMakeLists.txt").is_file():
        return str(Path(source.subdir, "CMakeLists.txt"))
    return "" if root.is_dir() else source.subdir


def _names_targets(source: Source, folder: Path) -> bool:
    """Whether the CMake project of a layout in `folder` has the targets that are to be built, by its text."""
    if source.cmake is None:
        return True
    text = (folder / source.subdir / "CMakeLists.txt").read_text("utf-8", "replace")
    return all(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in source.cmake.targets)


def _matches(root: Path, pattern: str) -> list[str]:
    found = sorted(path for path in root.glob(pattern) if path.is_file())
    return [path.relative_to(root).as_posix() for path in found]


def _as_checkout(source: Source, folder: Path) -> Source:
    root = folder / source.subdir
    files = dict.fromkeys(name for pattern in source.files for name in _matches(root, pattern))
    if source.kind == "checkout":
        return msgspec.structs.replace(source, files=list(files))
    return Source(
        kind="checkout",
        packages=source.packages,
        subdir=source.subdir,
        files=list(files),
        include=source.include,
        defines=source.defines,
        arm32_defines=source.arm32_defines,
        flags=source.flags,
        cmake=source.cmake,
        libraries=source.libraries if source.kind == "debian-source" else [],
        header_only=source.header_only,
    )
