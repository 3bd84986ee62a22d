"""Upstream's repository at a pinned commit: fetched without its history into the project's cache."""

import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from serbench.catalog.records import Contender
from serbench.catalog.source import Source, Submodule
from serbench.files import scratch
from serbench.provision.downloads import keep_failure, locked, must_be_allowed, recall_failure
from serbench.provision.git import RETRY_AFTER, check_url, complaint, git, must_answer, settle
from serbench.provision.layout import missing_part, with_files
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context, Moved, Pin, Provided, Unavailable

_COMMIT = re.compile(r"[0-9a-f]{40}")
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/+-]*")
_FETCH_SECONDS = 600.0
_ASK_SECONDS = 30.0
_AT_A_TIME = 4
_SHORT = 8
"""Digits of a commit's id that are shown."""


class Git(Provider):
    """The files of a commit, known by its full id."""

    kind = "git"

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        """The commit's files, with those of its submodules that the manifest names."""
        tree = fetch(source, context.cache)
        absent = missing_part(source, tree)
        if absent:
            raise Unavailable(f"{_title(source)} has no {absent}")
        return Provided(
            source=with_files(source, tree),
            root=tree / source.subdir,
            version=version_of(source),
            origin=_title(source),
            digest="+".join([source.commit, *(module.commit for module in source.submodules)]),
        )

    def prefetch(self, sources: Sequence[Source], context: Context) -> list[Source]:
        """Fetch several at a time; return those that could not be fetched."""

        def is_lost(source: Source) -> bool:
            try:
                fetch(source, context.cache)
            except (Unavailable, OSError):
                return True
            return False

        wanted = list({source.commit: source for source in sources}.values())
        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            lost = dict(zip((source.commit for source in wanted), pool.map(is_lost, wanted), strict=True))
        return [source for source in sources if lost[source.commit]]

    def pin(self, contender: Contender, source: Source, context: Context) -> Pin | None:
        """The commit, called by its tag if it has one."""
        day = source.date.isoformat() if source.date else ""
        version = source.tag or source.commit[:_SHORT]
        return Pin(
            kind=self.kind,
            name=source.name,
            version=version,
            commit=source.commit,
            date=day,
            held=source.held,
        )

    def newest(self, pins: Sequence[Pin], context: Context) -> list[str | Unavailable]:
        """The newest tag that is written as the pinned one; the newest commit where no tag is pinned."""

        def ask(pin: Pin) -> str | Unavailable:
            try:
                return _newest(pin, _references(pin.name, context.cache))
            except Unavailable as error:
                return error

        with ThreadPoolExecutor(_AT_A_TIME) as pool:
            return list(pool.map(ask, pins))


def _references(url: str, cache: Path) -> dict[str, str]:
    """The commits of the tags of a repository, and of its HEAD, by name. Raises Unavailable."""
    check_url(url)
    must_answer(url, cache)
    answer = git("ls-remote", "--", url, "HEAD", "refs/tags/*", timeout=_ASK_SECONDS)
    if not answer.ok:
        raise Unavailable(f"{url} did not say what it has ({complaint(answer)})")
    lines = (line.partition("\t") for line in answer.output.splitlines())
    # An annotated tag has a second line, NAME^{}, with the commit.
    return {name.removeprefix("refs/tags/").removesuffix("^{}"): commit for commit, _, name in lines}


def _newest(pin: Pin, references: Mapping[str, str]) -> str:
    if pin.commit.startswith(pin.version):
        return references.get("HEAD", "")[:_SHORT]
    if references.get(pin.version) != pin.commit:
        return Moved(f"{pin.version} is {references.get(pin.version, 'gone')[:_SHORT]} now")
    letters = re.split(r"\d", pin.version)[0]
    letters = "v?" if letters in ("", "v") else re.escape(letters)  # Some projects write both.
    alike = [name for name in references if re.fullmatch(rf"{letters}\d+([._-]\d+)*", name)]
    return max([pin.version, *alike], key=lambda name: [int(n) for n in re.findall(r"\d+", name)])


def version_of(source: Source) -> str:
    """The version in the tag, `1.1` of `v1.1` or `mylib-1.1`; the commit's first digits without a tag."""
    return re.sub(r"^\D+(?=\d)", "", source.tag) or source.commit[:_SHORT]


def _title(source: Source) -> str:
    name = source.name.rstrip("/").rpartition("/")[2].removesuffix(".git")
    return f"git {name} {source.tag or 'without a tag'}, commit {source.commit[:_SHORT]}"


def fetch(source: Source, cache: Path) -> Path:
    """The folder with the files of `source`'s commit and submodules, fetched unless it is there and whole.

    Raises Unavailable or OSError.
    """
    modules = [Submodule(git=source.name, path=".", commit=source.commit, tag=source.tag), *source.submodules]
    for module in modules:
        _check(module)
    for module in source.submodules:
        _check_folder(module)
    home = cache.absolute() / "git" / source.commit
    tree = home / "tree"
    with locked(home):
        for module in modules:
            repository = home / f"{module.commit}.git"
            if module is not modules[0]:
                _must_have(home / f"{source.commit}.git", module)
            if not (repository.is_dir() and settle(repository, tree / module.path)):
                shutil.rmtree(repository, ignore_errors=True)
                _fetch(module, repository, cache)
                if not settle(repository, tree / module.path):
                    raise Unavailable(
                        f"the files of {module.git} at {module.commit[:_SHORT]} cannot be written"
                    )
    day = git("show", "-s", "--format=%cs", "HEAD", repository=home / f"{source.commit}.git").output.strip()
    if source.date is not None and day != source.date.isoformat():
        raise Unavailable(f"{_title(source)} is of {day}, and its manifest says {source.date}")
    return tree


def _check(module: Submodule) -> None:
    """Raises Unavailable for an address, a commit or a tag that is not written as one."""
    check_url(module.git)
    if not _COMMIT.fullmatch(module.commit):
        raise Unavailable(f"{module.git}: a commit has 40 hexadecimal digits, unlike '{module.commit}'")
    if module.tag and not _TAG.fullmatch(module.tag):
        raise Unavailable(f"{module.git}: '{module.tag}' is not the name of a tag")


def _check_folder(module: Submodule) -> None:
    """Raises Unavailable unless the folder of `module` is one in the repository, and not all of it."""
    path = Path(module.path)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise Unavailable(f"{module.git}: '{module.path}' is not a folder in the repository")


def _must_have(repository: Path, module: Submodule) -> None:
    """Raises Unavailable unless the tree of `repository`'s commit has the submodule at this very commit."""
    answer = git("ls-tree", "-z", "HEAD", "--", module.path, repository=repository)
    if answer.output != f"160000 commit {module.commit}\t{module.path}\0":
        raise Unavailable(
            f"{module.git}: the repository has no submodule {module.path} at {module.commit[:_SHORT]}"
        )


def _fetch(module: Submodule, repository: Path, cache: Path) -> None:
    """Fetch the commit alone into a new `repository`. Raises Unavailable, now and for a while."""
    known = recall_failure(cache / "git", module.commit, RETRY_AFTER)
    if known is not None:
        raise Unavailable(known)
    must_be_allowed(f"{module.git} at {module.commit[:_SHORT]} is")
    must_answer(module.git, cache)
    with scratch(repository.parent) as temporary:
        made = temporary / "made"
        git("init", "--quiet", "--bare", "--template=", made)
        try:
            _fetch_commit(module, made)
        except Unavailable as error:
            keep_failure(cache / "git", module.commit, error.reason)
            raise
        made.rename(repository)


def _fetch_commit(module: Submodule, repository: Path) -> None:
    """Fetch the commit by its id, or by its tag where the host gives no single commits."""
    words = ["fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", module.git]
    answer = git(*words, module.commit, repository=repository, timeout=_FETCH_SECONDS)
    if not answer.ok and answer.status != 124 and module.tag:
        answer = git(*words, f"refs/tags/{module.tag}", repository=repository, timeout=_FETCH_SECONDS)
    if not answer.ok:
        raise Unavailable(
            f"{module.git} at {module.commit[:_SHORT]} could not be fetched ({complaint(answer)})"
        )
    found = git("rev-parse", "--verify", "FETCH_HEAD^{commit}", repository=repository).output.strip()
    if found != module.commit:
        commit, now = module.commit[:_SHORT], found[:_SHORT]
        raise Unavailable(f"{module.git} has no commit {commit}: its tag {module.tag} is {now} now")
    git("update-ref", "--no-deref", "HEAD", module.commit, repository=repository)
