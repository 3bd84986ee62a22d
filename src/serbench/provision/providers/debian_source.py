"""Debian source packages: fetched once, their checksums verified, and unpacked below the project's cache."""

import re
import shutil
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch, sha256
from serbench.provision import debian
from serbench.provision.apt_source import PrivateApt, complaint, not_on_mirror
from serbench.provision.archive import unpack
from serbench.provision.downloads import keep_failure, locked, must_be_allowed, recall_failure
from serbench.provision.process import run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Provided, Unavailable

_RETRY_AFTER = 24 * 3600
_NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*")
_private: dict[Path, PrivateApt] = {}


class DebianSource(Provider):
    """A source package of the distribution, built with our flags."""

    kind = "debian-source"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The unpacked source package."""
        package = fetch(source.name, context.cache)
        root = package.folder / source.subdir
        for path in [root / file for file in source.files] or [root]:
            if not path.exists():
                raise Unavailable(f"the source package {source.name} {package.version} has no {path.name}")
        note = "" if package.patched else ", the upstream archive without the distribution's patches"
        return Provided(
            source=source,
            root=root,
            # A library in a folder of another project does not have that project's version.
            version="" if source.subdir else debian.upstream_version(package.version),
            origin=f"{debian.system_name()} source {source.name} {package.version}{note}",
        )

    def prefetch(self, sources: Sequence[Source], context: Context) -> list[Source]:
        """Fetch those that the cache lacks, together."""
        home, names = _home(context.cache), [source.name for source in sources]
        wanted = sorted({name for name in names if _NAME.fullmatch(name) and _recall(home, name) is None})
        try:
            if wanted:
                with locked(home):
                    _fetch(home, wanted)
        except (Unavailable, OSError):
            pass  # `provide` meets the same and says so, library by library.
        return []


class Unpacked(msgspec.Struct, frozen=True):
    """A source package that is unpacked."""

    version: str
    """The Debian version, without its epoch."""
    patched: bool
    """Whether the distribution's patches are applied; they are not when only the upstream archive came."""
    folder: Path = Path()


def _home(cache: Path) -> Path:
    return cache.absolute() / "sources" / debian.system_key()


def fetch(name: str, cache: Path) -> Unpacked:
    """The unpacked source package `name`, from the cache below `cache` or from the distribution's mirror.

    Raises Unavailable.
    """
    if not _NAME.fullmatch(name):
        raise Unavailable(f"'{name}' is not the name of a Debian source package")
    home = _home(cache)
    known = _recall(home, name)
    if known is None:
        with locked(home):
            known = _recall(home, name) or _fetch(home, [name]).get(name) or _recall(home, name)
    if isinstance(known, Unpacked):
        return known
    raise Unavailable(known or f"the source package {name} could not be unpacked")


def _recall(home: Path, name: str) -> Unpacked | str | None:
    """What the cache knows of `name`: where it is, why the mirror does not have it, or nothing."""
    try:
        note = msgspec.json.decode((home / name / "unpacked.json").read_bytes(), type=Unpacked)
        if (home / name / "tree").is_dir():
            return msgspec.structs.replace(note, folder=home / name / "tree")
    except (OSError, msgspec.DecodeError):
        pass
    return recall_failure(home, name, _RETRY_AFTER)


def _fetch(home: Path, names: Sequence[str]) -> dict[str, str]:
    """Download and unpack `names`, each on its own if they do not come together.

    Returns by name what went wrong and may go right the next time. It is remembered for a day which
    packages the mirror does not have. Raises Unavailable if nothing can be fetched.
    """
    must_be_allowed(f"the source package {names[0]} is")
    if shutil.which("apt-get") is None:
        raise Unavailable(
            f"needs the Debian source package {names[0]}, and this system has no apt-get to fetch it"
        )
    apt = _private.setdefault(home, PrivateApt(home / "apt"))
    problems: dict[str, str] = {}
    with scratch(home) as folder:
        answer = apt.download(names, folder)
        stated = apt.checksums(names)
        for name in names:
            if name not in stated and len(names) > 1:
                # An unknown name among them makes apt give up all others.
                answer = apt.download([name], folder)
                stated |= apt.checksums([name])
            sums = stated.get(name, {})
            said = complaint(answer, name)
            if any((folder / file).is_file() for file in sums):
                try:
                    _unpack(home, name, folder, sums)
                except (Unavailable, OSError, EOFError, tarfile.TarError) as error:
                    problems[name] = f"the source package {name} could not be unpacked: {error}"
            elif not sums or not_on_mirror(answer, name):
                reason = f"the distribution's mirror has no source package {name} ({said})"
                keep_failure(home, name, reason)
            else:
                problems[name] = (
                    f"the source package {name} could not be fetched ({said}): "
                    "check the network, then start again"
                )
    return problems


def _unpack(home: Path, name: str, folder: Path, sums: Mapping[str, str]) -> None:
    """Unpack what was downloaded to `folder` into home/name, completely or not at all.

    Raises Unavailable, OSError, EOFError or TarError.
    """
    made = folder / f"{name}.made"
    made.mkdir()
    target = made / "tree"
    dsc = next((file for file in sums if file.endswith(".dsc")), f"{name}_.dsc")
    patched = not check_archives(folder, sums) and shutil.which("dpkg-source") is not None
    if patched:
        command = ["dpkg-source", "--no-check", "-x", dsc, str(target.relative_to(folder))]
        patched = run(command, cwd=folder, timeout=300).ok
    if not patched:
        shutil.rmtree(target, ignore_errors=True)
        _unpack_upstream(folder, sums, target)
    version = dsc.removeprefix(f"{name}_").removesuffix(".dsc")
    note = {"version": version, "patched": patched}
    (made / "unpacked.json").write_bytes(msgspec.json.encode(note))
    shutil.rmtree(home / name, ignore_errors=True)
    made.rename(home / name)


def check_archives(folder: Path, sums: Mapping[str, str]) -> list[str]:
    """The files of `sums` that are not in `folder`. Raises Unavailable if one has another checksum."""
    present = [file for file in sums if (folder / file).is_file()]
    for file in present:
        if sha256(folder / file) != sums[file].lower():
            raise Unavailable(f"{file} has the wrong checksum, so it was not used")
    return [file for file in sums if file not in present]


def _unpack_upstream(folder: Path, sums: Mapping[str, str], target: Path) -> None:
    """Unpack the upstream archive alone; its only top folder becomes `target`."""
    names = [name for name in sums if ".orig.tar." in name and not name.endswith(".asc")]
    archive = next((folder / name for name in names if (folder / name).is_file()), None)
    if archive is None:
        raise Unavailable("neither the whole package nor its upstream archive is there")
    unpack(archive, target)
