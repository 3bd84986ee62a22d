"""Stand-ins: programs on the PATH, contenders, upstream's repositories, and one of source packages."""

import hashlib
import os
import shutil
import stat
import subprocess
import tarfile
from pathlib import Path

import pytest

from serbench.catalog.contender import ContenderManifest
from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.provision import debian, git
from serbench.provision.providers import debian_source

ODD = "a b'ü$x"
"""A folder's name with a space, a quote, a letter that is not ASCII, and a dollar sign."""


def contender(*sources: Source, name: str = "Odd") -> Contender:
    manifest = ContenderManifest(
        name=name, language="c", format="json", source=list(sources), tests={"write": "write.c"}
    )
    return Contender(id="c/odd-lib", folder=Path("/nowhere/odd-lib"), manifest=manifest)


class Programs:
    """Scripts that come first, or alone, on the PATH."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._monkeypatch = monkeypatch
        folder.mkdir()

    def add(self, name: str, body: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def first(self) -> None:
        self._monkeypatch.setenv("PATH", f"{self.folder}{os.pathsep}{os.environ['PATH']}")

    def alone(self) -> None:
        self._monkeypatch.setenv("PATH", str(self.folder))

    def installed(self, versions: dict[str, str]) -> None:
        """Let dpkg-query know exactly these packages, and apt offer every package."""
        cases = "\n".join(f"{name}) printf 'ii \\t{version}\\n' ;;" for name, version in versions.items())
        self.add("apt-cache", "echo '  Candidate: 1'")
        self.add("dpkg-query", f"for name; do :; done\ncase $name in\n{cases}\n*) exit 1 ;;\nesac")
        self.first()


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path / "programs", monkeypatch)


class Repository:
    """A folder of source packages that apt reads as if it were a distribution's mirror."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def add(self, name: str, member: str = "lib.c") -> None:
        """Add `name` 1.5-2, whose upstream file says 1 and whose patch makes it 2."""
        place = self.folder.parent / f"making-{name}"
        tree = place / f"{name}-1.5"
        (tree / "debian/patches").mkdir(parents=True)
        (tree / "debian/source").mkdir()
        (tree / "lib.c").write_text("int answer = 1;\n")
        with tarfile.open(place / f"{name}_1.5.orig.tar.gz", "w:gz") as tar:
            tar.add(tree / "lib.c", arcname=f"{name}-1.5/{member}")
        (tree / "debian/source/format").write_text("3.0 (quilt)\n")
        (tree / "debian/control").write_text(
            f"Source: {name}\nMaintainer: A <a@example.org>\nStandards-Version: 4.6.0\n\n"
            f"Package: {name}-dev\nArchitecture: any\nDescription: a library\n"
        )
        (tree / "debian/changelog").write_text(
            f"{name} (1.5-2) unstable; urgency=low\n\n  * Change.\n\n"
            " -- A <a@example.org>  Mon, 01 Jan 2024 00:00:00 +0000\n"
        )
        (tree / "debian/patches/series").write_text("two.patch\n")
        (tree / "debian/patches/two.patch").write_text(
            "--- a/lib.c\n+++ b/lib.c\n@@ -1 +1 @@\n-int answer = 1;\n+int answer = 2;\n"
        )
        (tree / "lib.c").write_text("int answer = 2;\n")
        if member == "lib.c":
            subprocess.run(["dpkg-source", "-b", tree.name], cwd=place, check=True, capture_output=True)
        else:
            self._describe_by_hand(place, name)
        for path in place.glob(f"{name}_*"):
            shutil.copy(path, self.folder)

    def _describe_by_hand(self, place: Path, name: str) -> None:
        """Write the .dsc of an archive that dpkg-source would not take."""
        archive = place / f"{name}_1.5.orig.tar.gz"
        data = archive.read_bytes()
        listed = f"{len(data)} {archive.name}"
        (place / f"{name}_1.5-2.dsc").write_text(
            f"Format: 3.0 (quilt)\nSource: {name}\nBinary: {name}-dev\nArchitecture: any\nVersion: 1.5-2\n"
            "Maintainer: A <a@example.org>\nStandards-Version: 4.6.0\n"
            f"Checksums-Sha256:\n {hashlib.sha256(data).hexdigest()} {listed}\n"
            f"Files:\n {hashlib.md5(data).hexdigest()} {listed}\n"  # noqa: S324  (the format wants it)
        )

    def publish(self) -> None:
        """Write the index with its checksums; what changes afterwards has been tampered with."""
        done = subprocess.run(
            ["dpkg-scansources", "."], cwd=self.folder, check=True, capture_output=True, text=True
        )
        (self.folder / "Sources").write_text(done.stdout)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for program in ("apt-get", "dpkg-source", "dpkg-scansources"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    made = Repository(tmp_path / "repository")
    monkeypatch.setattr(debian, "source_lines", lambda *_: [f"deb-src [trusted=yes] copy:{made.folder} ./"])
    monkeypatch.setattr(debian_source, "_private", {})
    return made


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make apt-get unreachable from now on; the list tells who tried it."""
    tried: list[str] = []

    def refuse(_self: object, names: list[str], _folder: Path) -> None:
        tried.extend(names)
        raise AssertionError(f"apt was asked for {names}")

    monkeypatch.setattr(debian_source.PrivateApt, "download", refuse)
    return tried


LIBRARY = {"src/a.c": "int a;\n", "src/b.c": "int b;\n", "include/lib.h": "extern int a;\n"}


class Upstream:
    """A repository of a library."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.run("init", "--quiet", "--initial-branch=main")

    def run(self, *words: str) -> str:
        who = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
        who |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
        when = {"GIT_AUTHOR_DATE": "2024-05-06T07:08:09Z", "GIT_COMMITTER_DATE": "2024-05-06T07:08:09Z"}
        words = ("git", "-c", "protocol.file.allow=always", "-C", str(self.folder), *words)
        env = {**os.environ, **who, **when}
        return subprocess.run(words, env=env, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self, files: dict[str, str], tag: str = "") -> str:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.run("add", "--all")
        self.run("commit", "--quiet", "--message", "files")
        if tag:
            self.run("tag", "--force", tag)
        return self.run("rev-parse", "HEAD")

    def source(self, commit: str, tag: str = "v1.5", files: tuple[str, ...] = ("src/*.c",)) -> Source:
        return Source(
            kind="git",
            name=self.folder.as_uri(),
            tag=tag,
            commit=commit,
            files=list(files),
            include=["include"],
        )


@pytest.fixture
def upstream(tmp_path: Path) -> Upstream:
    return Upstream(tmp_path / "lib")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


@pytest.fixture
def a_new_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """No settings of the user who runs the tests, and no host that has answered."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setattr(git, "_reached", set())


def absent_host(programs: Programs, answer: str) -> Path:
    """A git that has no network: `answer` is what it does when it asks a host; returns its list of calls."""
    asked = programs.folder / "asked"
    real = subprocess.run(["sh", "-c", "command -v git"], capture_output=True, text=True, check=True)
    programs.add(
        "git",
        f"""case "$*" in
*--get-url*) ;;
*"ls-remote -- https:"*|*"fetch "*https:*) echo "$*" >> '{asked}'; {answer} ;;
esac
exec {real.stdout.strip()} "$@\"""",
    )
    programs.first()
    return asked


NO_HOST = (
    "echo \"fatal: unable to access 'https://upstream.invalid/lib/': Could not resolve host\" >&2; exit 128"
)
