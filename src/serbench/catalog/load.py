"""Reading the manifests: a contender, a format and a harness exist by being there."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

import msgspec

from serbench.catalog.contender import MOST_PADDING, ContenderManifest, Unusable, UnusableLibraries
from serbench.catalog.harness import HarnessManifest, Place
from serbench.catalog.manifest import Manifest
from serbench.catalog.records import Catalog, Contender, FormatManifest, is_source
from serbench.catalog.source import Source
from serbench.errors import LONGEST, UserError, shortened
from serbench.files import read_regular

M = TypeVar("M", bound=Manifest)
LARGEST_MANIFEST = 1 << 16
"""Bytes; no text of a run file may be longer, and it has many from manifests."""
_OWN = ("common", "known")
"""Keys of a manifest that say nothing of its family."""
_BY_NAME = ("variants", "test-labels", "test-limits")
_SOURCE_KEYS = {field.encode_name for field in msgspec.structs.fields(Source)} - {"kind", "name"}


def read_manifest(path: Path, kind: type[M]) -> M:
    """The manifest at `path` as a record of `kind`. Raises UserError with the file and the reason."""
    try:
        stated = msgspec.toml.decode(read_regular(path, LARGEST_MANIFEST))
        if kind is ContenderManifest and isinstance(stated.get("like"), str):
            stated = _with_family(stated, path.parent, stated["like"])
        return msgspec.convert(_with_kinds(stated), type=kind)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}") from error
    except RecursionError as error:
        raise UserError(f"{path}: it is nested too deeply") from error


def _with_family(manifest: dict[str, Any], folder: Path, like: str) -> dict[str, Any]:
    """`manifest` with what the one in the folder `like` says that it does not; tables of _BY_NAME are merged.

    A test's source is that of the family, unless `folder` has a file of the same name.
    """
    family = msgspec.toml.decode(read_regular(folder / like / "contender.toml", LARGEST_MANIFEST))
    if "like" in family:
        raise msgspec.ValidationError(f"{like} is itself like another")
    merged = {key: value for key, value in family.items() if key not in _OWN} | manifest
    for name in _BY_NAME:
        merged[name] = family.get(name, {}) | manifest.get(name, {})
    tests = {
        test: source if (folder / source).is_file() else f"{like}/{source}"
        for test, source in family.get("tests", {}).items()
    }
    return merged | {"tests": tests | manifest.get("tests", {})}


def _with_kinds(manifest: dict[str, Any]) -> dict[str, Any]:
    """`manifest` with the one key of each source that is no field of `Source` as its kind and name.

    Raises msgspec.ValidationError unless there is exactly one, with a text or `true`.
    """
    stated = manifest.get("source")
    for source in stated if isinstance(stated, list) else []:
        own = [key for key in source if key not in _SOURCE_KEYS] if isinstance(source, dict) else []
        value = source.pop(own[0]) if len(own) == 1 else None
        if not (value is True or (isinstance(value, str) and value)):
            found = ", ".join(own) or "nothing"
            raise msgspec.ValidationError(
                f'a source names one place where it comes from, such as npm = "NAME", and this one {found}'
            )
        source |= {"kind": own[0], "name": "" if value is True else value}
    return manifest


_FLAG = re.compile(
    r"-(w|pedantic|pthread|O[0-3sgz]?|g[0-3]?|[DU]\w+(=[\w.+-]*)?|W[a-z0-9=+-]+|std=[a-z0-9+]+"
    r"|f(?!plugin|pass-plugin|use-ld|dump|save|stack-usage|callgraph|opt-info|profile|auto-profile|time-"
    r"|test-coverage|diagnostics|crash|module|build-session|compare-debug|thinlto|ltrans|wpa)"
    r"[a-z0-9-]+(=[a-z0-9-]+)?|m(?!llvm)[a-z0-9.-]+(=[a-z0-9.+-]+)?)"
)
"""Options for how a compiler compiles, without those known to start a program or to write another file."""
_CMAKE_OPTION = re.compile(r"-D((?!CMAKE_)\w+|CMAKE_INSTALL_PREFIX)(:[A-Z]+)?=(?!/|.*\.\.)[\w.+{}/-]*")
"""Neither CMake's own settings, such as its compiler, nor a path outside of the project."""
_TARGET = re.compile(r"[A-Za-z0-9_][\w.+-]*")
_PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]*")
_LONGEST_PATH = 255


def _check_words(source: Source, where: str) -> None:
    """Raise UserError for a word that would be more to the program that gets it than it should be.

    This is against accidents and plain tricks in a manifest. It is no sandbox: the code of a library and of
    its CMake project runs anyway, so a stranger's contender is as trustworthy as the stranger.
    """
    cmake = source.cmake
    packages = [source.name] if source.kind == "debian-package" else []
    for pattern, words, kind in (
        (_FLAG, source.flags, "compiler option"),
        (_CMAKE_OPTION, cmake.options if cmake else [], "option of CMake"),
        (_TARGET, cmake.targets if cmake else [], "target of CMake"),
        (_PACKAGE, [*packages, *source.packages], "name of a Debian package"),
    ):
        for word in words:
            if not pattern.fullmatch(word):
                raise UserError(f"{where}: '{word}' is not allowed as a {kind}")


def _check_paths(source: Source, where: str) -> None:
    """Raise UserError for a path that leads out of the library's folder, or a pattern that is none."""
    for path in (*source.files, *source.include, source.subdir):
        parts = PurePosixPath(path).parts
        if (
            parts[:1] in (("/",), ("//",))
            or ".." in parts
            or "\0" in path
            or len(path.encode()) > _LONGEST_PATH
        ):
            shown = shortened(path, LONGEST)
            raise UserError(f"{where}: '{shown}' is not a path in the library's folder")
    for pattern in source.files:
        parts = PurePosixPath(pattern).parts
        if not parts or any("**" in part and part != "**" for part in parts):
            raise UserError(f"{where}: '{pattern}' is neither a file nor a pattern of files")


def _check_source(source: Source, where: str) -> None:
    _check_words(source, where)
    _check_paths(source, where)
    if source.cmake is not None and source.kind in ("debian-package", "installed"):
        raise UserError(f"{where}: cmake needs the library's sources, which {source.kind} does not give")
    if source.replace and source.kind in ("debian-package", "installed", "checkout"):
        raise UserError(f"{where}: replace does not go with {source.kind}")
    if any(not wanted.from_ or wanted.times < 1 for wanted in source.replace):
        raise UserError(f"{where}: replace needs a text in `from`, and `times` of at least 1")


def read_contender(folder: Path) -> Contender:
    """The contender in `folder`. Raises UserError if its manifest contradicts itself."""
    path = folder / "contender.toml"
    manifest = read_manifest(path, ContenderManifest)
    for source in manifest.source:
        _check_source(source, str(path))
    if not 1 <= manifest.padding <= MOST_PADDING:
        raise UserError(f"{path}: padding is 1 to {MOST_PADDING:,}")
    if not manifest.tests:
        raise UserError(f"{path}: it has no tests")
    for name, variant in manifest.variants.items():
        for test in variant.tests:
            if test not in manifest.tests and test not in variant.sources:
                raise UserError(f"{path}: variant '{name}' has no source for the test '{test}'")
        stated = [*manifest.labels, *(label for labels in manifest.test_labels.values() for label in labels)]
        for label in variant.without_labels:
            if label not in stated:
                raise UserError(
                    f"{path}: variant '{name}' is without the label '{label}', which is not stated"
                )
    return Contender(
        id=f"{manifest.language}/{folder.resolve().name}", folder=folder.resolve(), manifest=manifest
    )


def unusable_libraries(root: Path, language: str) -> list[Unusable]:
    """The libraries of `language` that were tried and are no contenders. Raises UserError for a bad file."""
    path = root / "contenders" / language / "unusable.toml"
    return read_manifest(path, UnusableLibraries).library if path.is_file() else []


def _read_format(path: Path) -> FormatManifest:
    manifest = read_manifest(path, FormatManifest)
    if not manifest.encoders:
        raise UserError(f"{path}: it names no encoder")
    for name in filter(is_source, manifest.encoders):
        if not (path.parent / name).is_file():
            raise UserError(f"{path}: there is no encoder {name} beside it")
    return manifest


def load_catalog(root: Path, extra: list[Path] | None = None, place: Place = "host") -> Catalog:
    """All manifests below `root` of contenders for `place`, and the contender folders `extra`.

    The harnesses of this machine are always there, because their tools make the datasets, and so are its
    contenders that make canonical encodings, hidden where `place` is another one.

    An extra folder replaces a contender of the same id. A contender below `root` whose manifest is bad
    costs nothing but itself: it stands in `broken`. Raises UserError for a bad harness or format, and for
    an extra folder that has no manifest or a bad one.
    """
    formats = {path.stem: _read_format(path) for path in sorted((root / "formats").glob("*.toml"))}
    harnesses = {
        path.parent.name: read_manifest(path, HarnessManifest)
        for path in sorted((root / "harness").glob("*/harness.toml"))
    }
    elsewhere = {
        language for harness in harnesses.values() for language in harness.languages if harness.place != place
    }
    harnesses = {name: h for name, h in harnesses.items() if h.place in ("host", place)}
    languages = {language for harness in harnesses.values() for language in harness.languages} - elsewhere
    contenders: dict[str, Contender] = {}
    broken: dict[str, str] = {}
    encoders = {name.partition(":")[0] for stated in formats.values() for name in stated.encoders}
    for path in sorted((root / "contenders").glob("*/*/contender.toml")):
        language, name = path.parts[-3:-1]
        hidden = language in elsewhere
        if hidden and f"{language}/{name}" not in encoders:
            continue
        try:
            contender = _checked_contender(path.parent, elsewhere if hidden else languages, formats)
            contenders[contender.id] = msgspec.structs.replace(contender, hidden=hidden)
        except UserError as error:
            broken[f"{language}/{name}"] = str(error)
    for folder in extra or []:
        if not (folder / "contender.toml").is_file():
            raise UserError(f"{folder} is not a contender folder: it has no contender.toml")
        contender = _checked_contender(folder, languages, formats)
        contenders[contender.id] = contender
    catalog = Catalog(
        root=root,
        contenders=dict(sorted(contenders.items())),
        formats=formats,
        harnesses=harnesses,
        broken=broken,
    )
    for name, stated in formats.items():
        for source in filter(is_source, stated.encoders):
            if not catalog.language_of(source):
                raise UserError(f"{root / 'formats' / name}.toml: no harness for the language of {source}")
    return catalog


def _checked_contender(folder: Path, languages: set[str], formats: Mapping[str, FormatManifest]) -> Contender:
    """The contender in `folder`. Raises UserError also for an unknown language or format."""
    contender = read_contender(folder)
    manifest = contender.manifest
    if manifest.language not in languages:
        known = ", ".join(sorted(languages))
        raise UserError(f"{folder}: no harness for the language '{manifest.language}'; known: {known}")
    if manifest.role == "contender":
        for name in (manifest.format, *(v.format for v in manifest.variants.values() if v.format)):
            if name not in formats:
                known = ", ".join(formats)
                raise UserError(f"{folder}: there is no format '{name}'; known: {known}")
    return contender
