"""apt-get source with folders of its own, so that it needs no root and leaves the system's state alone."""

import time
from collections.abc import Sequence
from pathlib import Path

from serbench.provision import debian
from serbench.provision.process import Finished, run
from serbench.provision.records import Unavailable

_DAY = 24 * 3600
_FETCH_SECONDS = 600.0


class PrivateApt:
    """The apt state below `home`: its lists, its cache and the deb-src entries that it reads."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._updated = False
        self._failure: Unavailable | None = None

    def download(self, names: Sequence[str], folder: Path) -> Finished:
        """Download the source packages `names` into `folder` and return what apt-get said.

        apt ends with an error if one file of many is missing, so the caller checks which files
        arrived. Raises Unavailable if there are no package lists and none can be fetched.
        """
        self._prepare()
        answer = self._source(names, folder)
        if not answer.ok and not self._updated:  # The lists may be older than what the mirror holds.
            self._update()
            answer = self._source(names, folder)
        return answer

    def checksums(self, names: Sequence[str]) -> dict[str, dict[str, str]]:
        """What the signed lists say: for each known package of `names`, the SHA-256 of its files by name."""
        answer = self._apt(["source", "--print-uris", "--only-source", "--", *names], self.home)
        return parse_uris(answer.output)

    def _source(self, names: Sequence[str], folder: Path) -> Finished:
        return self._apt(["source", "--download-only", "--only-source", "--", *names], folder)

    def _apt(self, words: Sequence[str], folder: Path) -> Finished:
        options = {
            "Dir::State": self.home / "state",
            "Dir::State::lists": self.home / "lists",
            "Dir::Cache": self.home / "cache",
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": self.home / "parts",
            "APT::Sandbox::User": "root",
            "Acquire::Languages": "none",
            "Acquire::Retries": "1",
            "Acquire::http::Timeout": "20",
            "Acquire::https::Timeout": "20",
        }
        given = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        return run(["apt-get", *given, *words], cwd=folder, timeout=_FETCH_SECONDS)

    def _prepare(self) -> None:
        """Make sure that there are package lists, at most a day old."""
        if self._failure:
            raise self._failure
        for folder in ("state/lists/partial", "lists/partial", "cache/archives/partial", "parts"):
            (self.home / folder).mkdir(parents=True, exist_ok=True)
        stamp = self.home / "updated"
        if not stamp.is_file() or time.time() - stamp.stat().st_mtime > _DAY:
            self._update()

    def _update(self) -> None:
        lines = debian.source_lines(debian.index_targets(), debian.system_ids())
        try:
            if not lines:
                raise Unavailable(
                    "apt has no package lists of this distribution, from which to tell where its sources "
                    "are: sudo apt-get update"
                )
            (self.home / "parts/serbench.list").write_text("\n".join(lines) + "\n")
            self._updated = True
            answer = self._apt(["update"], self.home)
            if not any(self.home.glob("lists/*Sources*")):
                raise Unavailable(
                    f"the lists of the distribution's source packages could not be fetched "
                    f"({complaint(answer)}): check the network, then start again"
                )
        except Unavailable as error:  # Asking again for every library would only take time.
            self._failure = error
            raise
        if answer.ok and not any(w in answer.output + answer.errors for w in ("Failed to fetch", "Err:")):
            (self.home / "updated").touch()


def parse_uris(said: str) -> dict[str, dict[str, str]]:
    """The lines `'address' file size SHA256:checksum` of apt-get, by package and file."""
    packages: dict[str, dict[str, str]] = {}
    for line in said.splitlines():
        words = line.rsplit(maxsplit=3)
        if len(words) != 4 or not line.startswith("'") or not words[3].startswith("SHA256:"):
            continue
        file = words[1]
        if "/" not in file and "_" in file:  # A package's name has no underscore; its files begin with it.
            packages.setdefault(file.partition("_")[0], {})[file] = words[3].removeprefix("SHA256:")
    return packages


def not_on_mirror(answer: Finished, name: str) -> bool:
    """Whether the mirror said that it lacks a file of the package `name`."""
    return any(f"/{name}_" in line and " 404 " in line for line in answer.errors.splitlines())


def complaint(answer: Finished, name: str = "") -> str:
    """What apt complained about, in its own first words, about the package `name` if it did."""
    lines = [line.strip() for line in (answer.errors + "\n" + answer.output).splitlines() if line.strip()]
    about = [line for line in lines if f"/{name}_" in line] if name else []
    for mark in ("E: ", "W: ", "Err:"):
        for line in about + lines:
            if line.startswith(mark):
                return line.removeprefix(mark)
    return lines[0] if lines else f"apt-get ended with status {answer.status}"
