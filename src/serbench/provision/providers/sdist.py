"""Python source packages that carry a library's C or C++ sources: one version, known by its checksum."""

import importlib.util
import re
import sys
import tarfile
from collections.abc import Sequence
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch
from serbench.provision.archive import unpack
from serbench.provision.downloads import keep_failure, locked, must_be_allowed, recall_failure
from serbench.provision.parts import newest_release
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.!+_-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_FETCH_SECONDS = 300.0
_RETRY_AFTER = 3600


class Sdist(Provider):
    """The sources in a package that a `pip` can build, which serbench compiles itself."""

    kind = "sdist"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The library's folder in the unpacked package."""
        root = fetch(source, context.cache) / source.subdir
        for path in [root / file for file in source.files]:
            if not path.is_file():
                raise Unavailable(f"{_title(source)} has no {path.name}")
        return Provided(
            source=source,
            root=root,
            # A library in a folder of another project does not have that project's version.
            version="" if source.subdir else source.version,
            origin=_title(source),
            digest=source.sha256,
        )

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The package's version."""
        return Pin(kind=self.kind, name=source.name, version=source.version, held=source.held)

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release of each package."""
        return [newest_release(pin.name) for pin in pins]


def _title(source: Source) -> str:
    return f"Python source package {source.name} {source.version}"


def fetch(source: Source, cache: Path) -> Path:
    """The folder with the files of the package that `source` states, fetched unless it is there.

    Raises Unavailable or OSError.
    """
    if not (_NAME.fullmatch(source.name) and _VERSION.fullmatch(source.version)):
        raise Unavailable(f"'{source.name}' {source.version} is no Python package with a version")
    if not _SHA256.fullmatch(source.sha256):
        raise Unavailable(f"{_title(source)}: a SHA-256 has 64 digits, unlike '{source.sha256}'")
    home = cache.absolute() / "sources" / "python"
    target = home / source.sha256
    with locked(home):
        known = recall_failure(home, source.sha256, _RETRY_AFTER)
        if not target.is_dir():
            if known is not None:
                raise Unavailable(known)
            must_be_allowed(f"the {_title(source)} is")
            try:
                _fetch(source, target)
            except Unavailable as error:
                keep_failure(home, source.sha256, error.reason)
                raise
    return target


def _fetch(source: Source, target: Path) -> None:
    """Let pip fetch the archive and check it, then unpack it into `target`, completely or not at all.

    To learn a source package's name and version pip runs the package's own build, so that the checksum
    guards this too. Raises Unavailable or OSError.
    """
    if importlib.util.find_spec("pip") is None:
        raise Unavailable("this Python has no pip, which fetches it: start ./serbench, which brings one")
    with scratch(target.parent) as folder:
        lock = folder / "lock"
        lock.write_text(f"{source.name}=={source.version} --hash=sha256:{source.sha256}\n", "utf-8")
        words = ["download", "--no-deps", "--no-binary", source.name, "--require-hashes", "--no-input"]
        words += ["--disable-pip-version-check", "--quiet", "--retries", "1", "--timeout", "10"]
        command = [sys.executable, "-m", "pip", *words, "--dest", str(folder), "-r", str(lock)]
        done = run(command, cwd=folder, timeout=_FETCH_SECONDS)
        archives = list(folder.glob("*.tar.gz"))
        if not done.ok or len(archives) != 1:
            raise Unavailable(f"pip could not fetch {_title(source)}: {_complaint(done.errors)}")
        try:
            unpack(archives[0], folder / "made")
        except (EOFError, tarfile.TarError) as error:
            raise Unavailable(f"{_title(source)} could not be unpacked: {error}") from error
        (folder / "made").rename(target)


def _complaint(errors: str) -> str:
    """The first error that pip told, in its own words."""
    lines = [line.removeprefix("ERROR: ").strip() for line in errors.splitlines() if line.startswith("ERROR")]
    return lines[0] if lines else "it gave no reason"
