"""Source packages: fetched once, their checksums proved, and unpacked below the project's cache."""

import fcntl
import hashlib
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from serbench.provision import debian
from serbench.provision.apt_source import PrivateApt, complaint
from serbench.provision.process import run
from serbench.provision.records import Unavailable

_RETRY_AFTER = 24 * 3600


class Unpacked(msgspec.Struct, frozen=True):
    """A source package that is there."""

    folder: Path
    version: str
    """The Debian version, from the .dsc."""
    patched: bool
    """Whether the distribution's patches are applied; they are not when only the upstream archive came."""


class _Note(msgspec.Struct):
    """What stands beside an unpacked tree: how it came about."""

    version: str
    patched: bool


class _Absent(msgspec.Struct):
    """A note that a mirror has not got a package, so that not every run asks it again."""

    reason: str
    when: float


_private: dict[Path, PrivateApt] = {}


def _home(cache: Path) -> Path:
    return cache.absolute() / "sources" / debian.system_key()


@contextmanager
def _locked(home: Path) -> Iterator[None]:
    """Holds off other processes that would fetch into the same cache."""
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def fetch(name: str, cache: Path) -> Unpacked:
    """The unpacked source package `name`, from the cache below `cache` or from the distribution's mirror.

    Raises Unavailable if it cannot be had.
    """
    home = _home(cache)
    known = _recall(home, name)
    if known is None:
        with _locked(home):
            known = _recall(home, name)
            if known is None:
                _fetch(home, [name])
                known = _recall(home, name)
    if isinstance(known, Unpacked):
        return known
    raise Unavailable(known.reason if known else f"the source package {name} could not be unpacked")


def prefetch(names: Sequence[str], cache: Path) -> None:
    """Fetches those of `names` that the cache does not hold, together. Never raises: `fetch` will."""
    home = _home(cache)
    wanted = sorted({name for name in names if _recall(home, name) is None})
    try:
        if wanted:
            with _locked(home):
                _fetch(home, wanted)
    except (Unavailable, OSError):
        pass  # `fetch` meets the same and says so, library by library.


def _recall(home: Path, name: str) -> Unpacked | _Absent | None:
    """What the cache knows of `name`: that it is there, that it is nowhere, or nothing."""
    try:
        note = msgspec.json.decode((home / name / "unpacked.json").read_bytes(), type=_Note)
        folder = home / name / "tree"
        if folder.is_dir():
            return Unpacked(folder, note.version, note.patched)
    except (OSError, msgspec.DecodeError):
        pass
    try:
        absent = msgspec.json.decode((home / f"{name}.absent").read_bytes(), type=_Absent)
        if time.time() - absent.when < _RETRY_AFTER:
            return absent
    except (OSError, msgspec.DecodeError):
        pass
    return None


def _fetch(home: Path, names: Sequence[str]) -> None:
    """Downloads and unpacks `names`, each on its own if they do not come together."""
    if shutil.which("apt-get") is None:
        raise Unavailable(
            f"needs the Debian source package {names[0]}, and this system has no apt-get to fetch it"
        )
    apt = _private.setdefault(home, PrivateApt(home / "apt"))
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as temporary:
        folder = Path(temporary)
        answer = apt.download(names, folder)
        for name in names:
            if not any(folder.glob(f"{name}_*.dsc")) and len(names) > 1:
                # An unknown name among them makes apt give up all others.
                answer = apt.download([name], folder)
            dsc = next(iter(folder.glob(f"{name}_*.dsc")), None)
            if dsc is not None:
                _unpack(home, name, dsc, complaint(answer))
            elif "Unable to find a source package" in answer.errors or "404 " in answer.output:
                reason = f"the distribution has no source package {name} here ({complaint(answer)})"
                (home / f"{name}.absent").write_bytes(msgspec.json.encode(_Absent(reason, time.time())))
            elif len(names) == 1:
                raise Unavailable(
                    f"the source package {name} could not be fetched ({complaint(answer)}): "
                    "check the network, then start again"
                )


def _unpack(home: Path, name: str, dsc: Path, said: str) -> None:
    """Unpacks the downloaded package into home/name, in one step that either happens or does not."""
    try:
        version, sums = read_dsc(dsc)
        missing = check_archives(dsc.parent, sums)
        target = dsc.parent / f"{name}.tree"
        patched = not missing and shutil.which("dpkg-source") is not None
        if patched:
            command = ["dpkg-source", "--no-check", "-x", dsc.name, f"./{target.name}"]
            patched = run(command, cwd=dsc.parent, timeout=300).ok
        if not patched:
            shutil.rmtree(target, ignore_errors=True)
            _unpack_upstream(dsc.parent, sums, target)
    except (Unavailable, OSError, tarfile.TarError) as error:
        reason = error.reason if isinstance(error, Unavailable) else str(error)
        reason = f"the source package {name} could not be unpacked: {reason} ({said})"
        (home / f"{name}.absent").write_bytes(msgspec.json.encode(_Absent(reason, time.time())))
        return
    made = dsc.parent / f"{name}.made"
    made.mkdir()
    target.rename(made / "tree")
    dsc.rename(made / dsc.name)
    (made / "unpacked.json").write_bytes(msgspec.json.encode(_Note(version, patched)))
    shutil.rmtree(home / name, ignore_errors=True)
    made.rename(home / name)


def read_dsc(dsc: Path) -> tuple[str, dict[str, str]]:
    """The version that the description `dsc` states, and the SHA-256 of each of its files by name.

    Raises Unavailable if it states none, or names a file elsewhere than beside it.
    """
    version, sums, listing = "", {}, False
    for line in dsc.read_text(errors="replace").splitlines():
        if line.startswith("Version:"):
            version = line.partition(":")[2].strip()
        elif listing and line.startswith(" ") and len(line.split()) == 3:
            checksum, _, file = line.split()
            if file != Path(file).name or file in (".", ".."):
                raise Unavailable(f"{dsc.name} names the file '{file}', which is not beside it")
            sums[file] = checksum
        else:
            listing = line.strip() == "Checksums-Sha256:"
    if not version or not sums:
        raise Unavailable(f"{dsc.name} states no version or no SHA-256 of its files")
    return version, sums


def check_archives(folder: Path, sums: dict[str, str]) -> list[str]:
    """The files of `sums` that are not in `folder`. Raises Unavailable if one has another checksum."""
    missing: list[str] = []
    for file, expected in sums.items():
        path = folder / file
        if not path.is_file():
            missing.append(file)
        else:
            with path.open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
            if found != expected.lower():
                raise Unavailable(f"{file} has the wrong checksum, so it was not used")
    return missing


def _unpack_upstream(folder: Path, sums: dict[str, str], target: Path) -> None:
    """Unpacks the upstream archive alone; its only top folder becomes `target`."""
    names = [name for name in sums if ".orig.tar." in name and not name.endswith(".asc")]
    archive = next((folder / name for name in names if (folder / name).is_file()), None)
    if archive is None:
        raise Unavailable("neither the whole package nor its upstream archive is there")
    inside = Path(tempfile.mkdtemp(dir=folder))
    with tarfile.open(archive) as tar:
        tar.extractall(inside, filter="data")
    children = list(inside.iterdir())
    (children[0] if len(children) == 1 and children[0].is_dir() else inside).rename(target)
