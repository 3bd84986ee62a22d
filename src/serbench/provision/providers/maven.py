"""Jars of a repository of Maven's, by a lock file of our own: each contender has one, and a harness.

A line of a lock is a file's path in such a repository, its SHA-256 and its size. Maven fetches these files,
from where the user's settings say, and nothing that they depend on: what a program needs stands in its lock.
A file that ends with .exe is a generator of code, of which each machine gets its own.
"""

import hashlib
import platform
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import msgspec

from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.files import scratch
from serbench.provision.downloads import keep_failure, locked, must_be_allowed, recall_failure
from serbench.provision.process import Finished, run
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Pin, Provided, Unavailable

LOCK = "jars.lock"
_LINE = re.compile(r"((?:[\w.-]+/)+)([\w.-]+)/([\w.-]+)/([\w.-]+\.(?:jar|exe)) ([0-9a-f]{64}) ([1-9][0-9]*)")
_MACHINES = {"x86_64": "linux-x86_64", "aarch64": "linux-aarch_64"}
"""How the repository's file names call what `uname -m` says."""
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
_FETCH_SECONDS = 900.0
_ASK_SECONDS = 120.0
_RETRY_AFTER = 3600
_PROJECT = """<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>serbench</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>{}</dependencies></project>
"""
_DEPENDENCY = """
<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version><type>{}</type>{}
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>"""


class Jar(msgspec.Struct, frozen=True):
    """A line of a lock."""

    group: str
    artifact: str
    version: str
    file: str
    sha256: str
    size: int

    @property
    def name(self) -> str:
        """As a manifest names it."""
        return f"{self.group}:{self.artifact}"

    @property
    def classifier(self) -> str:
        """What stands behind the version in the file's name; empty for most."""
        after = self.file.removeprefix(f"{self.artifact}-{self.version}")
        return after.removesuffix(f".{self.type}").removeprefix("-")

    @property
    def type(self) -> str:
        """jar, or exe for a program."""
        return self.file.rpartition(".")[2]

    @property
    def is_wanted(self) -> bool:
        """Whether this machine has a use for it."""
        return self.type == "jar" or self.classifier == _MACHINES.get(platform.machine())


class Maven(Provider):
    """A jar of the contender's lock file, `group:artifact`, which has the jars that it needs, too."""

    kind = "maven"
    place = "Maven's repository"
    lock = LOCK

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The version; the jars themselves are below the cache."""
        version = _jar(contender.folder, source.name).version
        fetch(contender.folder, context.cache)
        return Provided(source=source, version=version, origin=f"jar {source.name} {version}")

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The version in the lock file."""
        version = _jar(contender.folder, source.name).version
        return Pin(kind=self.kind, name=source.name, version=version, held=source.held)

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest release of each."""
        return [_newest(pin.name, context.cache) for pin in pins]

    def has_locked(self, language: str, context: Context) -> bool:
        """Whether the jars of the harness of `language` and of all its contenders are here."""
        return all(
            place(jar, context.cache).is_file()
            for folder in _folders(language, context)
            for jar in locked_jars(folder)
            if jar.is_wanted
        )

    def install_locked(self, language: str, context: Context) -> None:
        """Fetch them; a contender that fails costs no other."""
        failures = []
        for folder in _folders(language, context):
            try:
                fetch(folder, context.cache)
            except Unavailable as error:
                failures.append(error.reason)
        if failures:
            raise Unavailable("; ".join(failures))


def _folders(language: str, context: Context) -> list[Path]:
    assert context.catalog is not None
    contenders = context.catalog.contenders.values()
    folders = [c.folder for c in contenders if c.manifest.language == language]
    return [context.catalog.harness_folder(language), *folders]


def locked_jars(folder: Path) -> list[Jar]:
    """The jars that the lock file in `folder` names; none without one. Raises Unavailable."""
    try:
        lines = (folder / LOCK).read_text("utf-8").splitlines()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"the lock file {LOCK} of {folder.name} cannot be read: {error}") from error
    found = []
    for line in lines:
        parts = _LINE.fullmatch(line)
        if parts is None or not parts[4].startswith(f"{parts[2]}-{parts[3]}"):
            raise Unavailable(f"the lock file {LOCK} of {folder.name} has a line that names no file: {line}")
        group, artifact, version, file, sha256, size = parts.groups()
        found.append(Jar(group.strip("/").replace("/", "."), artifact, version, file, sha256, int(size)))
    return found


def _jar(folder: Path, name: str) -> Jar:
    found = [jar for jar in locked_jars(folder) if jar.name == name]
    if len(found) != 1:
        raise Unavailable(f"{name} is not in the lock file {LOCK} of {folder.name}, or twice")
    return found[0]


def place(jar: Jar, cache: Path) -> Path:
    """Where `jar` is, or will be once it is fetched."""
    return cache.absolute() / "sources" / "jars" / jar.sha256 / jar.file


def jars(folder: Path, cache: Path) -> list[Path]:
    """The jars of the lock in `folder`, in its order. Raises Unavailable if one is not here."""
    return _here([jar for jar in locked_jars(folder) if jar.type == "jar"], folder, cache)


def program(folder: Path, cache: Path) -> Path:
    """The program of the lock in `folder` for this machine. Raises Unavailable if there is none."""
    wanted = [jar for jar in locked_jars(folder) if jar.type == "exe" and jar.is_wanted]
    if not wanted:
        raise Unavailable(f"{folder.name} has no program for {platform.machine()} in {LOCK}")
    (found,) = _here(wanted, folder, cache)
    return found


def _here(wanted: Sequence[Jar], folder: Path, cache: Path) -> list[Path]:
    found = [place(jar, cache) for jar in wanted]
    missing = [path.name for path in found if not path.is_file()]
    if missing:
        raise Unavailable(f"{' and '.join(missing)} of {folder.name}: not here, see ./serbench setup")
    return found


def fetch(folder: Path, cache: Path) -> None:
    """Fetch what the lock in `folder` names, unless it is here. Raises Unavailable, kept for an hour."""
    wanted = [jar for jar in locked_jars(folder) if jar.is_wanted and not place(jar, cache).is_file()]
    if not wanted:
        return
    must_be_allowed(f"the jars of {folder.name} are")
    home = cache.absolute() / "sources" / "jars"
    with locked(home):
        known = hashlib.sha256((folder / LOCK).read_bytes()).hexdigest()[:32]
        reason = recall_failure(home, known, _RETRY_AFTER)
        if reason is not None:
            raise Unavailable(reason)
        try:
            with scratch(home) as made:
                done = _maven(wanted, cache, made, f"{_PLUGIN}:copy-dependencies", _FETCH_SECONDS)
                for jar in wanted:
                    _keep(jar, made / jar.file, done, cache)
        except Unavailable as error:
            keep_failure(home, known, f"the jars of {folder.name} could not be fetched: {error.reason}")
            raise


def _keep(jar: Jar, fetched: Path, done: Finished, cache: Path) -> None:
    """Put a fetched file into its place, if it is what the lock says. Raises Unavailable."""
    if not fetched.is_file():
        raise Unavailable(f"Maven did not fetch {jar.file}: {_complaint(done)}")
    data = fetched.read_bytes()
    if len(data) != jar.size or hashlib.sha256(data).hexdigest() != jar.sha256:
        raise Unavailable(
            f"{jar.file} is not the file that the lock names: {len(data)} bytes, not {jar.size}"
        )
    target = place(jar, cache)
    target.parent.mkdir(parents=True, exist_ok=True)
    if jar.type == "exe":
        fetched.chmod(0o755)
    fetched.replace(target)


def _maven(jars: Sequence[Jar], cache: Path, folder: Path, goal: str, seconds: float) -> Finished:
    """Let Maven do `goal` with `jars` as the dependencies of a project in `folder`; or Unavailable."""
    program = shutil.which("mvn")
    if program is None:
        raise Unavailable("needs Maven, which fetches jars: sudo apt-get install maven")
    listed = [
        _DEPENDENCY.format(
            *(escape(text) for text in (jar.group, jar.artifact, jar.version, jar.type)),
            f"<classifier>{escape(jar.classifier)}</classifier>" if jar.classifier else "",
        )
        for jar in jars
    ]
    (folder / "pom.xml").write_text(_PROJECT.format("".join(listed)), "utf-8")
    words = ["--batch-mode", "--quiet", f"-Dmaven.repo.local={cache.absolute() / 'maven'}"]
    words += [f"-DoutputDirectory={folder}", f"-DoutputFile={folder / 'list'}", goal]
    return run([program, *words], cwd=folder, timeout=seconds)


def _complaint(done: Finished) -> str:
    lines = [line.removeprefix("[ERROR]").strip() for line in done.said.splitlines() if "[ERROR]" in line]
    return lines[0][:300] if lines else done.tail(1)[:300]


def _newest(name: str, cache: Path) -> str | Unavailable:
    group, _, artifact = name.partition(":")
    asked = Jar(group, artifact, "RELEASE", f"{artifact}-RELEASE.jar", "", 0)
    cache.mkdir(parents=True, exist_ok=True)
    with scratch(cache) as folder:
        try:
            done = _maven([asked], cache, folder, f"{_PLUGIN}:list", _ASK_SECONDS)
        except Unavailable as error:
            return error
        said = (folder / "list").read_text("utf-8") if (folder / "list").is_file() else ""
    found = re.search(rf"{re.escape(name)}:jar:([\w.-]+):", said)
    return found[1] if found else Unavailable(f"Maven does not say what is new of {name}: {_complaint(done)}")
