"""git, run in such a way that no setting of the user's, the system's or a repository's starts a program.

Only those of the user's settings are passed on that say where something is: `url.<base>.insteadOf` with an
https or file address, proxies, and certificates. They may stand wherever git reads settings, in a file or
in the environment. No other setting, hook, template, credential helper or protocol is used.
"""

import os
import re
import threading
from collections.abc import Sequence
from functools import cache as once
from pathlib import Path
from urllib.parse import urlsplit

from serbench.provision.downloads import keep_failure, recall_failure
from serbench.provision.process import Finished, run
from serbench.provision.records import Unavailable

RETRY_AFTER = 3600.0
"""Seconds for which it is remembered that something cannot be fetched."""
_HOST_SECONDS = 8.0
_URL = re.compile(r"https://[A-Za-z0-9][A-Za-z0-9.-]*(:\d+)?/[A-Za-z0-9._~/+-]+|file:///[^\s\\]+")
_OBEYED = r"^(url\..+\.insteadof|http\.(.+\.)?(proxy|sslcainfo|sslcapath|sslverify))$"
_INSTEAD = re.compile(r"url\.((https|file)://|/)")
_FIXED = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.symlinks": "false",  # A link becomes a file with its target as text, so that none leads outside.
    "fetch.fsckObjects": "true",
    "gc.auto": "0",
    "http.lowSpeedLimit": "1",
    "http.lowSpeedTime": "30",
    "maintenance.auto": "false",
}
_ABSENT = " cannot be reached"
_reached: set[str] = set()
_asking: dict[str, threading.Lock] = {}


def git(
    *words: str | Path, repository: Path | None = None, tree: Path | None = None, timeout: float = 60
) -> Finished:
    """Run git with `words`, in `repository` with the files in `tree`, and return how it ended."""
    place = [f"--git-dir={repository}"] if repository else []
    place += [f"--work-tree={tree}"] if tree else []
    settings = [*_obeyed(), *_FIXED.items()]
    extra = {
        "HOME": os.devnull,
        "XDG_CONFIG_HOME": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_COUNT": str(len(settings)),
        "GIT_ALLOW_PROTOCOL": "https:file",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
    }
    for number, (key, value) in enumerate(settings):
        extra |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return run(["git", *place, "--literal-pathspecs", *words], cwd=Path("/"), timeout=timeout, extra=extra)


def _obeyed() -> list[tuple[str, str]]:
    """The user's settings that are passed on."""
    names = [name for name in os.environ if name.startswith("GIT_CONFIG") or name.endswith("HOME")]
    return _read(tuple((name, os.environ[name]) for name in sorted(names)))


@once
def _read(places: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
    said = run(["git", "config", "--null", "--get-regexp", _OBEYED], cwd=Path("/"), extra=dict(places))
    pairs = (entry.partition("\n") for entry in said.output.split("\0") if entry)
    return [(key, value) for key, _, value in pairs if not key.startswith("url.") or _INSTEAD.match(key)]


def check_url(url: str) -> None:
    """Raises Unavailable unless `url` is the https or file address of a repository, without a password."""
    if not _URL.fullmatch(url) or ".." in url:
        raise Unavailable(f"'{url}' is not an https or file address of a git repository")


def must_answer(url: str, cache: Path) -> None:
    """Raises Unavailable if the network does not have the host of `url`.

    A host is asked once per process, for at most a few seconds. That it did not answer is remembered in the
    cache for a while.
    """
    actual = urlsplit(git("ls-remote", "--get-url", "--", url).output.strip())
    host = actual.netloc.rpartition("@")[2]
    if actual.scheme != "https" or host in _reached:
        return
    notes, name = cache / "git", f"host {host}"
    with _asking.setdefault(host, threading.Lock()):
        if host in _reached:
            return
        if recall_failure(notes, name, RETRY_AFTER) is None:
            answer = git("ls-remote", "--", url, "HEAD", timeout=_HOST_SECONDS)
            if answer.ok or not (answer.status in (124, 127) or _is_absent(answer.errors)):
                _reached.add(host)
                return
            keep_failure(notes, name, complaint(answer))
    raise Unavailable(f"{host}{_ABSENT}")


def _is_absent(errors: str) -> bool:
    """Whether git says that no host answered. An HTTP error, such as 403 or 503, is the answer of one."""
    return "unable to access" in errors and "The requested URL returned error" not in errors


def unreachable(cache: Path) -> dict[str, str]:
    """What git said of each host that did not answer lately, by the reason that libraries give."""
    hosts = [path.stem.removeprefix("host ") for path in sorted((cache / "git").glob("host *.missing"))]
    known = {host: recall_failure(cache / "git", f"host {host}", RETRY_AFTER) for host in hosts}
    return {f"{host}{_ABSENT}": said for host, said in known.items() if said is not None}


def complaint(answer: Finished) -> str:
    """What git complained about, in its own first words."""
    lines = [line.strip() for line in answer.errors.splitlines() if line.strip()]
    for mark in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(mark):
                # "unable to access 'URL': why" names the address, which stands before it already.
                return re.sub(r"^unable to access '[^']*': ", "", line.removeprefix(mark))
    return lines[-1] if lines else f"git ended with status {answer.status}"


def settle(repository: Path, tree: Path) -> bool:
    """Whether the files in `tree` are those of `repository`'s commit, after mending what differs."""
    if _is_same(repository, tree):
        return True
    tree.mkdir(parents=True, exist_ok=True)
    git("reset", "--quiet", "--hard", "HEAD", repository=repository, tree=tree, timeout=300)
    git("clean", "-ffdxq", repository=repository, tree=tree)
    return _is_same(repository, tree)


def _is_same(repository: Path, tree: Path) -> bool:
    words: Sequence[str] = ("status", "--porcelain", "--ignored", "--untracked-files=all")
    answer = git(*words, repository=repository, tree=tree) if tree.is_dir() else None
    return answer is not None and answer.ok and not answer.output
