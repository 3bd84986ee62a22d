"""Upstream's repositories: what is fetched, what is refused, and what is tried only once.

Every repository here is made by its test.
"""

import datetime
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from typer.testing import CliRunner

from serbench import cli
from serbench.catalog.load import load_catalog
from serbench.catalog.source import Source, Submodule
from serbench.commands import setting_up
from serbench.commands.progress import shown_progress
from serbench.commands.scaffold import new_contender
from serbench.project import ROOT
from serbench.provision import Provided, Unavailable, forbid_downloads, git, prefetch, provide
from serbench.provision.downloads import forget_failures, keep_failure
from serbench.run.context import BuildContext
from tests.provision.conftest import LIBRARY, NO_HOST, Programs, Upstream, absent_host, contender

pytestmark = pytest.mark.usefixtures("a_new_start")


@pytest.fixture
def setting(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """Sets one of git's settings as a user does by hand, in the environment."""

    def set_(key: str, value: str) -> None:
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", key)
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", value)

    return set_


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """How often git was started for a subcommand since the last question."""
    asked: list[str] = []
    real = git.run

    def counted(command, **options):
        asked.extend(map(str, command))
        return real(command, **options)

    monkeypatch.setattr(git, "run", counted)

    def count(word: str) -> int:
        found = asked.count(word)
        asked.clear()
        return found

    return count


def refused(source: Source, cache: Path) -> str:
    with pytest.raises(Unavailable) as caught:
        provide(contender(source), cache)
    return caught.value.reason


def tree_of(found: Provided) -> dict[str, str]:
    assert found.root is not None
    return {
        str(path.relative_to(found.root)): path.read_text()
        for path in found.root.rglob("*")
        if path.is_file()
    }


def test_the_commit_is_fetched_without_its_history(upstream: Upstream, cache: Path) -> None:
    upstream.commit({"src/old.c": "old\n"})
    (upstream.folder / "src/old.c").unlink()
    commit = upstream.commit(LIBRARY, "v1.5")
    upstream.commit({"src/a.c": "newer\n"})
    found = provide(contender(upstream.source(commit)), cache)
    assert tree_of(found) == LIBRARY
    assert (found.version, found.origin) == ("1.5", f"git lib v1.5, commit {commit[:8]}")
    assert found.source.files == ["src/a.c", "src/b.c"] and not found.distribution_build
    repository = cache / "git" / commit / f"{commit}.git"
    assert git.git("rev-list", "--count", "HEAD", repository=repository).output == "1\n"


def test_a_second_start_fetches_nothing(upstream: Upstream, cache: Path, calls: Callable[[str], int]) -> None:
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    first = provide(contender(source), cache)
    assert calls("fetch") == 1
    upstream.folder.rename(upstream.folder.with_name("gone"))
    forbid_downloads()
    try:
        assert provide(contender(source), cache) == first and calls("fetch") == 0
        cache.rename(cache.with_name("moved"))
        assert "--no-install fetches nothing" in refused(source, cache)
    finally:
        forbid_downloads(False)


@pytest.mark.parametrize(
    ("tag", "version"), [("v1.5", "1.5"), ("lib-1.5-2024", "1.5-2024"), ("1.5", "1.5"), ("odd", "odd")]
)
def test_the_version_is_in_the_tag(tag: str, version: str, upstream: Upstream, cache: Path) -> None:
    source = upstream.source(upstream.commit(LIBRARY, tag), tag)
    assert provide(contender(source), cache).version == version


def test_without_a_tag_the_commit_is_the_version(upstream: Upstream, cache: Path) -> None:
    commit = upstream.commit(LIBRARY)
    assert provide(contender(upstream.source(commit, tag="")), cache).version == commit[:8]


def test_a_commit_that_does_not_exist(upstream: Upstream, cache: Path, calls: Callable[[str], int]) -> None:
    upstream.commit(LIBRARY)
    source = upstream.source("0123456789" * 4, tag="")
    reason = refused(source, cache)
    said = f"{upstream.folder.as_uri()} at 01234567 could not be fetched ("
    assert reason.startswith(said)
    assert calls("fetch") == 1
    assert refused(source, cache) == reason and calls("fetch") == 0  # remembered, ...
    forget_failures(cache)
    # ... until the set-up is asked for; git's own words differ with which of its two processes ends first.
    assert refused(source, cache).startswith(said) and calls("fetch") == 1


def test_a_tag_that_was_moved(upstream: Upstream, cache: Path) -> None:
    upstream.commit(LIBRARY, "v1.5")
    now = upstream.commit({"src/a.c": "changed\n"}, "v1.5")
    reason = refused(upstream.source("f" * 40), cache)
    assert reason == f"{upstream.folder.as_uri()} has no commit ffffffff: its tag v1.5 is {now[:8]} now"
    assert not list((cache / "git").glob("*/tree"))


def test_the_tag_is_fetched_where_a_host_gives_no_single_commits(
    upstream: Upstream, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = upstream.commit(LIBRARY, "v1.5")
    upstream.commit({"src/a.c": "newer\n"})
    monkeypatch.setitem(git._FIXED, "protocol.version", "0")  # in which this is the rule
    assert tree_of(provide(contender(upstream.source(commit)), cache)) == LIBRARY
    other = upstream.source(upstream.run("rev-parse", "HEAD"), tag="")
    upstream.commit({"src/a.c": "newest\n"})
    assert "could not be fetched (" in refused(other, cache)


@pytest.mark.parametrize("wrong", ["abc", "A" * 40, "main", "--upload-pack=touch", f"{'a' * 40}\n"])
def test_a_commit_is_a_whole_id(wrong: str, upstream: Upstream, cache: Path) -> None:
    assert "a commit has 40 hexadecimal digits" in refused(upstream.source(wrong), cache)


@pytest.mark.parametrize(
    "url",
    [
        "--upload-pack=touch /tmp/x",
        "-c",
        "http://example.org/lib",
        "ssh://example.org/lib",
        "ext::sh -c touch",
        "git@example.org:lib",
        "https://user:secret@example.org/lib",
        "https://-example.org/lib",
        "https://example.org/../lib",
        "/srv/lib",
        "file:///srv/li b",
    ],
)
def test_an_address_is_https_or_a_file(url: str, cache: Path, calls: Callable[[str], int]) -> None:
    reason = refused(Source(kind="git", name=url, commit="a" * 40), cache)
    assert "is not an https or file address of a git repository" in reason and calls("git") == 0


@pytest.mark.parametrize("tag", ["-f", "--all", "v1 2", "refs:x", "v1^{}"])
def test_a_tag_is_a_plain_name(tag: str, upstream: Upstream, cache: Path) -> None:
    assert "is not the name of a tag" in refused(upstream.source("a" * 40, tag), cache)


def test_a_file_whose_name_begins_with_a_dash(upstream: Upstream, cache: Path) -> None:
    files = {**LIBRARY, "-o.c": "int o;\n", "src/--help": "help\n"}
    source = upstream.source(upstream.commit(files, "v1.5"), files=("*.c",))
    found = provide(contender(source), cache)
    assert tree_of(found) == files and found.source.files == ["-o.c"]


def test_a_part_that_the_commit_lacks(upstream: Upstream, cache: Path) -> None:
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"), files=("lib/*.c",))
    assert refused(source, cache).endswith(" has no lib/*.c")


def test_the_day_of_the_commit_is_verified(upstream: Upstream, cache: Path) -> None:
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    right = msgspec.structs.replace(source, date=datetime.date(2024, 5, 6))
    assert provide(contender(right), cache).version == "1.5"
    wrong = msgspec.structs.replace(source, date=datetime.date(2024, 5, 7))
    assert refused(wrong, cache).endswith("is of 2024-05-06, and its manifest says 2024-05-07")


def test_a_link_out_of_the_tree_leads_nowhere(upstream: Upstream, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret\n")
    (upstream.folder / "out").symlink_to(tmp_path)
    (upstream.folder / "one").symlink_to("../../../../secret")
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    found = provide(contender(source), cache)
    files = tree_of(found)
    assert files["out"] == str(tmp_path) and files["one"] == "../../../../secret"
    assert found.root is not None and not any(path.is_symlink() for path in found.root.rglob("*"))


def spoil_text(tree: Path, repository: Path) -> None:
    (tree / "src/a.c").write_text("spoiled and longer\n")


def lose_a_file(tree: Path, repository: Path) -> None:
    (tree / "src/a.c").unlink()


def add_a_header(tree: Path, repository: Path) -> None:
    (tree / "include/stdio.h").write_text("#error\n")


def add_what_is_ignored(tree: Path, repository: Path) -> None:
    (tree / "src/a.o").write_text("object\n")


def lose_the_index(tree: Path, repository: Path) -> None:
    (repository / "index").unlink()


def cut_the_objects(tree: Path, repository: Path) -> None:
    pack = next(repository.glob("objects/pack/*.pack"))
    pack.chmod(0o644)
    pack.write_bytes(pack.read_bytes()[:40])


@pytest.mark.parametrize(
    ("spoil", "fetched"),
    [
        (spoil_text, 0),
        (lose_a_file, 0),
        (add_a_header, 0),
        (add_what_is_ignored, 0),
        (lose_the_index, 0),
        (cut_the_objects, 1),
    ],
)
def test_a_damaged_cache_is_repaired(
    spoil: Callable[[Path, Path], None],
    fetched: int,
    upstream: Upstream,
    cache: Path,
    calls: Callable[[str], int],
) -> None:
    files = {**LIBRARY, ".gitignore": "*.o\n"}
    source = upstream.source(upstream.commit(files, "v1.5"))
    found = provide(contender(source), cache)
    assert found.root is not None and calls("fetch") == 1
    spoil(found.root, cache / "git" / source.commit / f"{source.commit}.git")
    assert tree_of(provide(contender(source), cache)) == files
    assert calls("fetch") == fetched


@pytest.fixture
def nested(upstream: Upstream, tmp_path: Path) -> Source:
    """A library that has another repository in its folder deps/part."""
    part = Upstream(tmp_path / "part")
    inner = part.commit({"part.c": "int part;\n"}, "v3")
    upstream.run("submodule", "--quiet", "add", part.folder.as_uri(), "deps/part")
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"), files=("src/*.c", "deps/part/part.c"))
    module = Submodule(git=part.folder.as_uri(), path="deps/part", commit=inner, tag="v3")
    return msgspec.structs.replace(source, submodules=[module])


def test_a_submodule_comes_at_the_commit_that_the_tree_states(
    nested: Source, cache: Path, calls: Callable[[str], int]
) -> None:
    found = provide(contender(nested), cache)
    assert tree_of(found)["deps/part/part.c"] == "int part;\n"
    assert "deps/part/part.c" in found.source.files and calls("fetch") == 2
    assert found.root is not None
    (found.root / "deps/part/part.c").write_text("spoiled\n")
    (found.root / "src/a.c").write_text("spoiled\n")
    assert tree_of(provide(contender(nested), cache)) == tree_of(found) and calls("fetch") == 0
    assert (found.root / "deps/part/part.c").read_text() == "int part;\n"


def test_without_its_submodule_a_library_lacks_a_part(nested: Source, cache: Path) -> None:
    alone = msgspec.structs.replace(nested, submodules=[])
    assert refused(alone, cache).endswith("has no deps/part/part.c")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"commit": "e" * 40}, "the repository has no submodule deps/part at eeeeeeee"),
        ({"path": "src"}, "the repository has no submodule src at "),
        ({"path": ":(top)deps/part"}, "the repository has no submodule"),
        ({"path": "../part"}, "'../part' is not a folder in the repository"),
        ({"path": "/part"}, "'/part' is not a folder in the repository"),
        ({"path": "."}, "'.' is not a folder in the repository"),
        ({"path": "./"}, "'./' is not a folder in the repository"),
        ({"path": ""}, "'' is not a folder in the repository"),
        ({"git": "ext::sh -c x"}, "is not an https or file address"),
    ],
)
def test_a_submodule_that_the_tree_does_not_state(
    change: dict[str, str], reason: str, nested: Source, cache: Path
) -> None:
    wrong = msgspec.structs.replace(nested.submodules[0], **change)
    assert reason in refused(msgspec.structs.replace(nested, submodules=[wrong]), cache)


def mirrored(source: Source) -> Source:
    """The same source at an address that this machine does not have."""
    return msgspec.structs.replace(source, name="https://upstream.invalid/lib")


def test_a_place_that_the_user_names_instead_is_obeyed(
    upstream: Upstream, cache: Path, setting: Callable[[str, str], None]
) -> None:
    source = mirrored(upstream.source(upstream.commit(LIBRARY, "v1.5")))
    setting(f"url.{upstream.folder.parent.as_uri()}/.insteadOf", "https://upstream.invalid/")
    assert tree_of(provide(contender(source), cache)) == LIBRARY


def test_a_place_in_the_settings_file_is_obeyed_and_nothing_else_there(
    upstream: Upstream, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = mirrored(upstream.source(upstream.commit({**LIBRARY, ".gitattributes": "* filter=x\n"}, "v1.5")))
    ran = tmp_path / "ran"
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {ran}\n")
        (hooks / name).chmod(0o755)
    settings = tmp_path / "settings"
    settings.write_text(
        f'[url "{upstream.folder.parent.as_uri()}/"]\ninsteadOf = https://upstream.invalid/\n'
        f'[core]\nhooksPath = {hooks}\nfsmonitor = "touch {ran}; false"\n'
        f'[filter "x"]\nsmudge = "touch {ran}; cat"\nclean = "touch {ran}; cat"\n'
        f"[init]\ntemplateDir = {hooks}\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(hooks))
    monkeypatch.setenv("GIT_DIR", str(upstream.folder / ".git"))
    assert set(tree_of(provide(contender(source), cache))) == {*LIBRARY, ".gitattributes"}
    assert not ran.exists()


def test_no_other_protocol_comes_in_by_the_settings(
    upstream: Upstream, cache: Path, tmp_path: Path, setting: Callable[[str, str], None]
) -> None:
    setting(f"url.ext::sh -c touch% {tmp_path}/ran% .insteadOf", upstream.folder.parent.as_uri())
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    assert tree_of(provide(contender(source), cache)) == LIBRARY
    assert not (tmp_path / "ran").exists()


def test_a_host_that_the_network_does_not_have_is_asked_once(
    upstream: Upstream, cache: Path, programs: Programs
) -> None:
    asked = absent_host(programs, NO_HOST)
    commits = [upstream.commit({**LIBRARY, "src/a.c": digit}) for digit in "abc"]
    several = [
        contender(mirrored(upstream.source(digit * 40)), upstream.source(commit))
        for digit, commit in zip("abc", commits, strict=True)
    ]
    prefetch(several, cache)
    found = [provide(one, cache) for one in several]
    assert {one.skipped_sources for one in found} == {("upstream.invalid cannot be reached",)}
    assert len(asked.read_text().splitlines()) == 1
    git._reached.clear()  # as in a second start
    assert provide(several[0], cache) == found[0] and len(asked.read_text().splitlines()) == 1
    forget_failures(cache)
    assert provide(several[0], cache) == found[0] and len(asked.read_text().splitlines()) == 2


def test_a_host_that_does_not_answer_costs_a_few_seconds(
    upstream: Upstream, cache: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "_HOST_SECONDS", 0.5)
    asked = absent_host(programs, "exec sleep 1000")
    reason = refused(mirrored(upstream.source("a" * 40)), cache)
    assert reason == "upstream.invalid cannot be reached"
    assert git.unreachable(cache) == {reason: "git: stopped after 0.5 s"}
    assert "fetch" not in asked.read_text()


def test_a_repository_that_a_host_does_not_have_says_nothing_of_the_host(
    upstream: Upstream, cache: Path, programs: Programs
) -> None:
    answer = "echo \"fatal: repository 'https://upstream.invalid/lib/' not found\" >&2; exit 128"
    asked = absent_host(programs, answer)
    for digit in "ab":
        reason = refused(mirrored(upstream.source(digit * 40, tag="")), cache)
        assert "could not be fetched (repository 'https://upstream.invalid/lib/' not found)" in reason
    assert [" fetch " in line for line in asked.read_text().splitlines()] == [False, True, True]


@pytest.mark.parametrize("status", [403, 429, 503])
def test_an_http_error_of_one_repository_costs_the_others_of_its_host_nothing(
    status: int, upstream: Upstream, cache: Path, programs: Programs
) -> None:
    said = f"unable to access 'https://upstream.invalid/lib/': The requested URL returned error: {status}"
    asked = absent_host(programs, f'echo "fatal: {said}" >&2; exit 128')
    for digit in "ab":
        reason = refused(mirrored(upstream.source(digit * 40, tag="")), cache)
        assert f"could not be fetched (The requested URL returned error: {status})" in reason
    assert git.unreachable(cache) == {}
    assert [" fetch " in line for line in asked.read_text().splitlines()] == [False, True, True]


def test_without_git_the_next_source_is_taken(cache: Path, programs: Programs) -> None:
    programs.alone()
    assert "git: No such file or directory" in refused(
        Source(kind="git", name="https://upstream.invalid/lib", commit="a" * 40), cache
    )


def test_what_is_fetched_in_the_place_of_what_is_absent_comes_together(
    upstream: Upstream, cache: Path, programs: Programs
) -> None:
    absent_host(programs, NO_HOST)
    commit = upstream.commit(LIBRARY, "v1.5")
    prefetch([contender(mirrored(upstream.source("a" * 40)), upstream.source(commit))], cache)
    assert (cache / "git" / commit / "tree/src/a.c").is_file()


def test_the_set_up_tries_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep_failure(cache / "git", "host upstream.invalid", "no route")
    monkeypatch.setattr(setting_up, "CACHE", cache)
    assert git.unreachable(cache) == {"upstream.invalid cannot be reached": "no route"}
    assert CliRunner().invoke(cli.app, ["setup"]).exit_code == 0
    assert git.unreachable(cache) == {}


def test_a_host_that_is_absent_is_said_in_one_line(
    cache: Path, programs: Programs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent_host(programs, NO_HOST)
    text = '[[source]]\ngit = "https://upstream.invalid/lib"\ncommit = "{}"\n\n[tests]'
    folders = []
    for digit in "ab":
        folders.append(new_contender(load_catalog(ROOT), "c", f"tiny-{digit}", tmp_path))
        manifest = folders[-1] / "contender.toml"
        manifest.write_text(manifest.read_text().replace("[tests]", text.format(digit * 40)))
    catalog = load_catalog(ROOT, folders)
    rows = [row for row in catalog.rows() if row.contender.id.startswith("c/tiny-")]
    with shown_progress(Console(stderr=True, width=200)) as progress:
        ready = progress.build(BuildContext(catalog, cache), rows)
    assert {item.status for item in ready.values()} == {"unavailable"} and len(ready) > 2
    said = [line for line in capsys.readouterr().err.splitlines() if "upstream.invalid" in line]
    assert said == [
        "upstream.invalid cannot be reached (Could not resolve host): "
        "libraries come from their next source; ./serbench setup tries again"
    ]
