"""Packages from npm: installed from a lock file, with install scripts off, below the cache."""

import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch
from serbench.provision.downloads import locked, log_installation, must_be_allowed
from serbench.provision.parts import Part, load_parts
from serbench.provision.process import Finished, once, run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable
from serbench.provision.toolchain import Toolchain, need

LOCK = "package-lock.json"
_FILES = ("package.json", LOCK, ".npmrc")
_INSTALL_SECONDS = 900.0
_ASK_SECONDS = 120.0
_ONE_RETRY = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=60000")
"""So that being without a network is known within seconds."""
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""The authorities that Debian's system trusts."""
TRUSTING = "NODE_EXTRA_CA_CERTS"
"""The variable that names a file of authorities to Node.js, beside those in its own list."""


class _Entry(msgspec.Struct):
    version: str = ""
    dependencies: dict[str, str] = {}


class _Outdated(msgspec.Struct):
    latest: str


class _Lock(msgspec.Struct):
    packages: dict[str, _Entry]


def _toolchain(language: str, context: Context) -> Toolchain:
    """The Node.js of the harness of `language`. Raises Unavailable."""
    if context.catalog is None:
        raise Unavailable("its harness is not known here")
    parts = context.catalog.harness(language).toolchain.parts
    return need(context.catalog.root, context.cache, parts, "npm")


class Npm(Provider):
    """A package of the contender's own lock file, or of its harness's if the contender has none."""

    kind = "npm"
    place = "the npm registry"
    lock = LOCK

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The folder in whose node_modules the package is."""
        toolchain = _toolchain(contender.manifest.language, context)
        folder = lock_folder(contender, context)
        version = locked_version(folder, source.name)
        root = install(folder, context.cache, toolchain)
        origin = f"npm package {source.name} {version}"
        return Provided(source=source, root=root, version=version, origin=origin)

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version in the lock file."""
        folder = lock_folder(contender, context)
        version = locked_version(folder, source.name)
        return Pin(kind=self.kind, name=source.name, version=version, held=source.held, folder=folder)

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release, asked of npm for all packages of a lock file together."""
        found: dict[Path, dict[str, str] | Unavailable] = {}
        for folder in {pin.folder for pin in pins if pin.folder is not None}:
            try:
                found[folder] = _newest(folder, context)
            except Unavailable as error:
                found[folder] = error
        return [
            known if isinstance(known, Unavailable) else known.get(pin.name, pin.version)
            for pin in pins
            if pin.folder is not None
            for known in [found[pin.folder]]
        ]

    def has_locked(self, language: str, context: Context) -> bool:
        """Whether the packages of the lock file in the harness of `language` are installed."""
        assert context.catalog is not None
        folder = context.catalog.harness_folder(language)
        return (installed_folder(folder, context.cache) / "node_modules").is_dir()

    def install_locked(self, language: str, context: Context) -> None:
        """Install the packages of the lock file in the harness of `language`."""
        toolchain = _toolchain(language, context)
        assert context.catalog is not None
        install(context.catalog.harness_folder(language), context.cache, toolchain)

    def fetch_part(self, root: Path, cache: Path, part: Part, made: Path) -> None:
        """Install the packages of a part's lock file."""
        toolchain = need(root, cache, list(load_parts(root)), "npm")
        lock = root / "setup" / part.lock
        log_installation(cache, part.lock, _ci(lock.parent, made, toolchain), "check the network; ")

    def pins_of_lock(self, lock: Path) -> list[Pin]:
        """The packages of which the lock file's own package.json asks."""
        return [
            Pin(kind=self.kind, name=name, version=locked_version(lock.parent, name), folder=lock.parent)
            for name in _read(lock.parent).packages[""].dependencies
        ]


class BuiltIn(Provider):
    """What Node.js has built in, for example `v8`: its name in `process.versions`."""

    kind = "node"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """Nothing but the versions."""
        toolchain = _toolchain(contender.manifest.language, context)
        version = _built_in(toolchain.programs["node"]).get(source.name)
        if version is None:
            raise Unavailable(f"Node.js {toolchain.version} has no {source.name} built in")
        # `node` stands for what every engine has; a row says on which it runs.
        here = f"Node.js {toolchain.version}, which has {source.name} {version}"
        return Provided(source=source, version=version, origin="" if source.name == "node" else here)


def _newest(folder: Path, context: Context) -> dict[str, str]:
    """The newest releases of the packages that the lock file in `folder` lists. Raises Unavailable."""
    assert context.catalog is not None
    harness = next(each for each in context.catalog.harnesses.values() if each.toolchain.lock == LOCK)
    toolchain = need(context.catalog.root, context.cache, harness.toolchain.parts, "npm")
    words = [*toolchain.programs["npm"], "outdated", "--json", "--fetch-timeout=20000", "--fetch-retries=1"]
    done = run(words, cwd=folder, timeout=_ASK_SECONDS, extra=npm_environment(toolchain))
    failed = Unavailable(f"npm did not say what is new for {folder.name}: {done.tail(1)}")
    if done.status not in (0, 1):  # 1 says that something is new, or tells an error in another form.
        raise failed
    try:
        said = msgspec.json.decode(done.output or ("{}" if done.ok else ""), type=dict[str, _Outdated])
        return {name: entry.latest for name, entry in said.items()}
    except msgspec.DecodeError as error:
        raise failed from error


@once
def _built_in(node: tuple[str, ...]) -> dict[str, str]:
    """The versions of what the Node.js started by `node` consists of."""
    done = run([*node, "--print", "JSON.stringify(process.versions)"], timeout=20)
    try:
        return msgspec.json.decode(done.output, type=dict[str, str])
    except msgspec.DecodeError:
        return {}


def lock_folder(contender: Contender, context: Context) -> Path:
    """The folder with the lock file for a contender: its own if it brings one, else its harness's."""
    if context.catalog is None or (contender.folder / LOCK).is_file():
        return contender.folder
    return context.catalog.harness_folder(contender.manifest.language)


def _read(folder: Path) -> _Lock:
    """The lock file in `folder`. Raises Unavailable if it cannot be read."""
    try:
        return msgspec.json.decode((folder / LOCK).read_bytes(), type=_Lock)
    except (OSError, msgspec.DecodeError) as error:
        raise Unavailable(f"the lock file {LOCK} of {folder.name} cannot be read: {error}") from error


def locked_version(folder: Path, package: str) -> str:
    """The version of `package` in the lock file of `folder`. Raises Unavailable if it is not in there."""
    entry = _read(folder).packages.get(f"node_modules/{package}")
    if entry is None:
        raise Unavailable(f"{package} is not in the lock file {LOCK} of {folder.name}")
    return entry.version


def installed_folder(lock_folder: Path, cache: Path, *, development: bool = False) -> Path:
    """Where the packages of a lock are, or will be once installed: below its node_modules."""
    digest = hashlib.sha256()
    for name in _FILES:
        path = lock_folder / name
        digest.update(path.read_bytes() if path.is_file() else b"")
    suffix = "-development" if development else ""
    return cache.absolute() / "npm" / f"{digest.hexdigest()[:32]}{suffix}"


def npm_environment(toolchain: Toolchain) -> dict[str, str]:
    """What npm needs beside the usual environment: its Node.js, and the authorities that the system trusts.

    Node.js has a list of certificate authorities of its own, which lacks a company's; pip asks the system's.
    """
    path = os.pathsep.join(
        [str(Path(toolchain.programs["node"][0]).parent), os.environ.get("PATH", os.defpath)]
    )
    trusted = {} if TRUSTING in os.environ or not CERTIFICATES.is_file() else {TRUSTING: str(CERTIFICATES)}
    return {"PATH": path, **trusted}


def install(lock_folder: Path, cache: Path, toolchain: Toolchain, *, development: bool = False) -> Path:
    """Install what the lock in `lock_folder` names, unless it is there; returns the folder.

    `development` adds the linter. Raises Unavailable with npm's own complaint.
    """
    target = installed_folder(lock_folder, cache, development=development)
    if (target / "node_modules").is_dir():
        return target
    must_be_allowed(f"the npm packages of {lock_folder.name} are")
    with locked(target.parent):
        if (target / "node_modules").is_dir():
            return target
        with scratch(target.parent) as temporary:
            made = temporary / "made"
            done = _ci(lock_folder, made, toolchain, development=development)
            if not done.ok:
                said = _complaint(done)
                raise Unavailable(f"npm could not install the packages of {lock_folder.name}: {said}")
            made.rename(target)
    return target


def _ci(lock_folder: Path, made: Path, toolchain: Toolchain, *, development: bool = False) -> Finished:
    """Install what the lock in `lock_folder` names into the folder `made`, which is new."""
    made.mkdir()
    for name in _FILES:
        if (lock_folder / name).is_file():
            shutil.copy(lock_folder / name, made)
    omit = () if development else ("--omit=dev",)
    return run(
        [*toolchain.programs["npm"], "ci", "--ignore-scripts", "--no-audit", "--no-fund", *omit],
        cwd=made,
        timeout=_INSTALL_SECONDS,
        extra=npm_environment(toolchain),
    )


def _complaint(done: Finished) -> str:
    """The first two lines with words that npm marked as errors, or its last line."""
    lines = [line.removeprefix("npm error ") for line in done.errors.splitlines() if "npm error" in line]
    told = [line.strip() for line in lines if not line.startswith(("errno ", "syscall "))]
    return "; ".join(told[:2]) or done.tail(1)


def fetch_archive(package: str, version: str, root: Path, cache: Path, folder: Path) -> Path:
    """Fetch the archive of a package into `folder`, which is empty; returns its path. Raises Unavailable."""
    must_be_allowed(f"the npm package {package} {version} is")
    toolchain = need(root, cache, list(load_parts(root)), "npm")
    words = ["pack", f"{package}@{version}", "--ignore-scripts", "--pack-destination", str(folder)]
    command = [*toolchain.programs["npm"], *words, *_ONE_RETRY]
    done = run(command, cwd=folder, timeout=_INSTALL_SECONDS, extra=npm_environment(toolchain))
    found = list(folder.glob("*.tgz"))
    if not done.ok or len(found) != 1:
        raise Unavailable(f"npm could not fetch {package} {version}: {_complaint(done)}; check the network")
    return found[0]
