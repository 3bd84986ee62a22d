"""Packages of the Python package index that a contender imports: each contender has a lock and a folder.

Two libraries may install modules of the same name, so no two contenders share a folder unless they have the
same lock. The packages are those for the interpreter that runs serbench.
"""

import hashlib
import importlib.util
import math
import re
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.errors import UserError
from serbench.files import scratch
from serbench.provision.downloads import (
    keep_failure,
    locked,
    log_installation,
    must_be_allowed,
    recall_failure,
)
from serbench.provision.parts import Part, locked_versions, newest_release
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable

LOCK = "requirements.lock"
_INSTALL_SECONDS = 900.0
_RETRY_AFTER = 3600
_PART_SECONDS = 3600.0
_WHEELS = ("install", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-input")
_SILENT = ("--disable-pip-version-check", "--quiet", "--no-warn-conflicts")
_PIP = (*_WHEELS, *_SILENT, "--retries", "1", "--timeout", "20")
_NO_WHEEL = "has no wheel for Python {}.{}".format(*sys.version_info)
_PART = (*_WHEELS, "--no-compile", "--no-cache-dir", "--disable-pip-version-check", "--retries", "2")


class NoWheel(Unavailable):
    """A package has none for this Python: its rows are unavailable, and the others are not less complete."""


class Pypi(Provider):
    """A package of the contender's lock file, which names wheels alone."""

    kind = "pypi"
    place = "the Python package index"
    lock = LOCK

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The folder that the packages are in."""
        version = _version(contender, source)
        root = install(contender.folder, context.cache)
        origin = f"Python package {source.name} {version}"
        return Provided(source=source, root=root, version=version, origin=origin)

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version in the lock file."""
        version = _version(contender, source)
        return Pin(kind=self.kind, name=source.name, version=version, held=source.held)

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release of each package."""
        return [newest_release(pin.name) for pin in pins]

    def has_locked(self, language: str, context: Context) -> bool:
        """Whether the packages of all contenders of `language` are installed that this Python can have."""
        targets = [installed_folder(folder, context.cache) for folder in _folders(language, context)]
        return all(
            target.is_dir() or _NO_WHEEL in (recall_failure(target.parent, target.name, math.inf) or "")
            for target in targets
        )

    def install_locked(self, language: str, context: Context) -> None:
        """Install the packages of all contenders of `language`; one that fails costs no other."""
        failures = []
        for folder in _folders(language, context):
            try:
                install(folder, context.cache)
            except NoWheel:
                continue  # Trying again changes nothing; the contender's rows say it.
            except Unavailable as error:
                failures.append(error.reason)
        if failures:
            raise Unavailable("; ".join(failures))

    def fetch_part(self, root: Path, cache: Path, part: Part, made: Path) -> None:
        """Install the wheels in the lock of `part` into the folder `made`. Raises UserError."""
        if importlib.util.find_spec("pip") is None:
            raise UserError(
                "this Python has no pip, which installs the part: start ./serbench, which brings one"
            )
        words = [*_PART, "--target", str(made), "-r", str(root / "setup" / part.lock)]
        done = run([sys.executable, "-m", "pip", *words], timeout=_PART_SECONDS)
        network = "check the network, or name a mirror, PIP_INDEX_URL, or a proxy, https_proxy; "
        log_installation(cache, part.lock, done, network)

    def pins_of_lock(self, lock: Path) -> list[Pin]:
        """The packages that a requirements lock names."""
        stated = locked_versions(lock.read_text("utf-8")).items()
        return [Pin(kind=self.kind, name=package, version=version) for package, version in stated]


def _folders(language: str, context: Context) -> list[Path]:
    """The folders of the contenders of `language` that have a lock."""
    assert context.catalog is not None
    contenders = context.catalog.contenders.values()
    folders = [c.folder for c in contenders if c.manifest.language == language]
    return [folder for folder in folders if (folder / LOCK).is_file()]


def _version(contender: Contender, source: Source) -> str:
    """The version of the package in the contender's lock. Raises Unavailable."""
    try:
        versions = locked_versions((contender.folder / LOCK).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(
            f"the lock file {LOCK} of {contender.folder.name} cannot be read: {error}"
        ) from error
    if source.name not in versions:
        raise Unavailable(f"{source.name} is not in the lock file {LOCK} of {contender.folder.name}")
    return versions[source.name]


def installed_folder(lock_folder: Path, cache: Path) -> Path:
    """Where the packages of the lock in `lock_folder` are for this interpreter, or will be once installed."""
    key = (lock_folder / LOCK).read_bytes() + f"{sysconfig.get_config_var('EXT_SUFFIX')}".encode()
    return cache.absolute() / "sources" / "wheels" / hashlib.sha256(key).hexdigest()[:32]


def install(lock_folder: Path, cache: Path) -> Path:
    """Install what the lock in `lock_folder` names, unless it is there; returns the folder.

    Raises Unavailable with pip's own complaint, which is remembered for an hour.
    """
    try:
        target = installed_folder(lock_folder, cache)
    except OSError as error:
        raise Unavailable(f"the lock file {LOCK} of {lock_folder.name} cannot be read: {error}") from error
    if target.is_dir():
        return target
    must_be_allowed(f"the packages of {lock_folder.name} are")
    if importlib.util.find_spec("pip") is None:
        raise Unavailable(
            "this interpreter has no pip, which installs wheels: start ./serbench, which brings one"
        )
    with locked(target.parent):
        known = recall_failure(target.parent, target.name, _RETRY_AFTER)
        if target.is_dir():
            return target
        if known is not None:
            raise _unavailable(known)
        with scratch(target.parent) as temporary:
            made = temporary / "made"
            words = [*_PIP, "--target", str(made), "-r", str(lock_folder / LOCK)]
            done = run([sys.executable, "-m", "pip", *words], timeout=_INSTALL_SECONDS)
            if not done.ok:
                reason = _reason(lock_folder.name, done.errors)
                keep_failure(target.parent, target.name, reason)
                raise _unavailable(reason)
            made.rename(target)
    return target


def _reason(name: str, errors: str) -> str:
    """Why pip could not install the packages of `name`, and what to do."""
    absent = re.search(r"No matching distribution found for (\S+)==(\S+)", errors)
    # Without a network pip finds no version either, but has told before that it could not ask.
    if absent and "Could not fetch URL" not in errors and "Retrying" not in errors:
        return f"{absent[1]} {absent[2]} {_NO_WHEEL}: name another by SERBENCH_PYTHON"
    return f"pip could not install the packages of {name}: {_complaint(errors)}; check the network"


def _unavailable(reason: str) -> Unavailable:
    return NoWheel(reason) if _NO_WHEEL in reason else Unavailable(reason)


def _complaint(errors: str) -> str:
    """The last error that pip told, in its own words."""
    lines = [line.removeprefix("ERROR: ").strip() for line in errors.splitlines() if line.startswith("ERROR")]
    return lines[-1] if lines else "it gave no reason"
