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
from serbench.provision.apt_source import PrivateApt, complaint, not_on_mirror
from serbench.provision.downloads import must_be_allowed
from serbench.provision.process import run
from serbench.provision.records import Unavailable

_RETRY_AFTER = 24 * 3600


class Unpacked(msgspec.Struct, frozen=True):
    """A source package that is there."""

    folder: Path
    version: str
    """The Debian version, without its epoch."""
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
    must_be_allowed(f"the source package {names[0]} is")
    if shutil.which("apt-get") is None:
        raise Unavailable(
            f"needs the Debian source package {names[0]}, and this system has no apt-get to fetch it"
        )
    apt = _private.setdefault(home, PrivateApt(home / "apt"))
    with tempfile.TemporaryDirectory(prefix=".new-", dir=home) as temporary:
        folder = Path(temporary)
        answer = apt.download(names, folder)
        stated = apt.checksums(names)
        for name in names:
            if name not in stated and len(names) > 1:
                # An unknown name among them makes apt give up all others.
                answer = apt.download([name], folder)
                stated |= apt.checksums([name])
            sums = stated.get(name, {})
            if any((folder / file).is_file() for file in sums):
                _unpack(home, name, folder, sums)
            elif not sums or not_on_mirror(answer, name):
                said = complaint(answer, name)
                _remember(home, name, f"the distribution's mirror has no source package {name} ({said})")
            elif len(names) == 1:
                raise Unavailable(
                    f"the source package {name} could not be fetched ({complaint(answer, name)}): "
                    "check the network, then start again"
                )


def _remember(home: Path, name: str, reason: str) -> None:
    (home / f"{name}.absent").write_bytes(msgspec.json.encode(_Absent(reason, time.time())))


def _unpack(home: Path, name: str, folder: Path, sums: dict[str, str]) -> None:
    """Unpacks what was downloaded to `folder` into home/name, which is done as a whole or not at all."""
    target = folder / f"{name}.tree"
    dsc = next((file for file in sums if file.endswith(".dsc")), f"{name}_.dsc")
    try:
        missing = check_archives(folder, sums)
        patched = not missing and shutil.which("dpkg-source") is not None
        if patched:
            command = ["dpkg-source", "--no-check", "-x", dsc, f"./{target.name}"]
            patched = run(command, cwd=folder, timeout=300).ok
        if not patched:
            shutil.rmtree(target, ignore_errors=True)
            _unpack_upstream(folder, sums, target)
    except (Unavailable, OSError, EOFError, tarfile.TarError) as error:
        reason = error.reason if isinstance(error, Unavailable) else str(error)
        _remember(home, name, f"the source package {name} could not be unpacked: {reason}")
        return
    made = folder / f"{name}.made"
    made.mkdir()
    target.rename(made / "tree")
    version = dsc.removeprefix(f"{name}_").removesuffix(".dsc")
    (made / "unpacked.json").write_bytes(msgspec.json.encode(_Note(version, patched)))
    shutil.rmtree(home / name, ignore_errors=True)
    made.rename(home / name)


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
        # Debian 12's Python has not got this filter yet, hence our own check besides.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(inside, members=_harmless(tar))  # noqa: S202  (it refuses what is harmful)
    children = list(inside.iterdir())
    (children[0] if len(children) == 1 and children[0].is_dir() else inside).rename(target)


def _harmless(tar: tarfile.TarFile) -> Iterator[tarfile.TarInfo]:
    """The files and folders of an archive; raises Unavailable if one would land outside.

    Links, which no library needs to be built, are left out, so that nothing can be written through one.
    """
    for member in tar:
        path = Path(member.name)
        if path.is_absolute() or ".." in path.parts:
            raise Unavailable(f"its archive holds the name '{member.name}', which leads outside")
        if member.isfile() or member.isdir():
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            yield member
