"""`serbench pins`: what is pinned, and what upstream has released since."""

import datetime
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from typer.testing import CliRunner

from serbench import cli
from serbench.catalog.harness import Place
from serbench.catalog.load import load_catalog
from serbench.catalog.source import Source
from serbench.commands import pins as command
from serbench.project import ROOT
from serbench.provision import git
from serbench.provision.parts import load_parts
from serbench.provision.pins import newest, pins_of, pins_of_parts
from serbench.provision.providers import PROVIDERS, npm
from serbench.provision.providers.npm import Npm
from serbench.provision.providers.pypi import Pypi
from serbench.provision.providers.sdist import Sdist
from serbench.provision.records import Context, Pin, Unavailable
from tests.provision.conftest import LIBRARY, NO_HOST, Programs, Upstream, absent_host, contender

pytestmark = pytest.mark.usefixtures("a_new_start")

TWO_LINES = ("https://github.com/msgpack/msgpack-c",)
"""Repositories whose tags begin with the name of one of two libraries."""


def upstream_has(source: Source, cache: Path) -> str | Unavailable:
    context = Context(cache=cache)
    (pin,) = pins_of([contender(source)], context)
    return newest([pin], context)[pin]


@pytest.mark.parametrize(
    ("tag", "others", "newer"),
    [
        ("v1.9.2", ["v1.10.0", "v1.9.10"], "v1.10.0"),
        ("v1.9.2", ["v1.9.1", "v2.0-rc1", "v3-beta", "1.8", "doc-9.9"], "v1.9.2"),
        ("v1.3.1", ["1.4", "v1.3"], "1.4"),
        ("lib-1.5-2024", ["lib-1.6-2025", "other-2.0"], "lib-1.6-2025"),
        ("r1_0", ["r1_1"], "r1_1"),
        ("odd", ["even"], "odd"),
    ],
)
def test_a_newer_tag_is_one_that_is_written_alike(
    tag: str, others: list[str], newer: str, upstream: Upstream, cache: Path
) -> None:
    commit = upstream.commit(LIBRARY, tag)
    for other in others:
        upstream.run("tag", other)
    assert upstream_has(upstream.source(commit, tag), cache) == newer


def test_an_annotated_tag_is_its_commit(upstream: Upstream, cache: Path) -> None:
    commit = upstream.commit(LIBRARY)
    upstream.run("tag", "--annotate", "--message", "a release", "v1.5")
    assert upstream_has(upstream.source(commit), cache) == "v1.5"


def test_a_tag_that_was_moved_or_removed_is_told(upstream: Upstream, cache: Path) -> None:
    old = upstream.commit(LIBRARY, "v1.5")
    now = upstream.commit({"src/a.c": "changed\n"}, "v1.5")
    assert upstream_has(upstream.source(old), cache) == f"v1.5 is {now[:8]} now"
    upstream.run("tag", "--delete", "v1.5")
    assert upstream_has(upstream.source(old), cache) == "v1.5 is gone now"


def test_without_a_tag_the_newest_commit_counts(upstream: Upstream, cache: Path) -> None:
    source = upstream.source(upstream.commit(LIBRARY), tag="")
    assert upstream_has(source, cache) == source.commit[:8]
    now = upstream.commit({"src/a.c": "changed\n"})
    assert upstream_has(source, cache) == now[:8]


def test_every_lock_of_the_project_is_pinned() -> None:
    catalog = load_catalog(ROOT)
    pins = pins_of(catalog.contenders.values(), Context(cache=ROOT, catalog=catalog))
    packages = {s.name for c in catalog.contenders.values() for s in c.manifest.source if s.kind == Npm.kind}
    assert {pin.name for pin in pins if pin.kind == Npm.kind} == packages and len(packages) > 20
    parts = load_parts(ROOT)
    pinned = {name for name, part in parts.items() if part.registry != "debian-unpacked"}  # by the archive
    assert {names[0] for names in pins_of_parts(ROOT).values()} == pinned
    assert {pin.name for pin in pins if pin.kind == "crate"} >= {"serde_json", "simd-json"}


def test_all_pins_of_a_repository_agree() -> None:
    pins: dict[tuple[str, str], set[str]] = {}
    for place in get_args(Place):
        catalog = load_catalog(ROOT, place=place)
        for pin in pins_of(catalog.contenders.values(), Context(cache=ROOT, catalog=catalog)):
            line = re.split(r"\d", pin.version)[0] if pin.name in TWO_LINES else ""
            if pin.commit and not pin.held:
                pins.setdefault((pin.name, line), set()).add(f"{pin.version} {pin.commit}")
    assert {line for name, line in pins if name in TWO_LINES} == {"c-", "cpp-"}
    assert [each for each, versions in pins.items() if len(versions) > 1] == []


def test_npm_is_asked_once_for_a_lock(programs: Programs, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    programs.add("node", "echo v22.0.0")
    answer = '{"a": {"wanted": "1.0", "latest": "2.0"}, "b": {"wanted": "1.0", "latest": "1.0"}}'
    programs.add("npm", f"echo $PWD >> {asked}; echo '{answer}'; exit 1")
    programs.first()
    catalog = load_catalog(ROOT)
    folder = next(ROOT / "harness" / n for n, h in catalog.harnesses.items() if h.toolchain.lock)
    pins = [Pin(kind=Npm.kind, name=name, version="1.0", folder=folder) for name in "abc"]
    assert Npm().newest(pins, Context(cache=tmp_path, catalog=catalog)) == ["2.0", "1.0", "1.0"]
    assert asked.read_text().splitlines() == [str(folder)]


@pytest.mark.parametrize("ends", ["exit 1", "echo '{}'; exit 7", "exec sleep 1000", "echo '{}'; kill -9 $$"])
def test_npm_that_fails_does_not_say_that_nothing_is_new(
    ends: str, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npm, "_ASK_SECONDS", 0.5)
    programs.add("node", "echo v22.0.0")
    programs.add("npm", ends)
    programs.first()
    catalog = load_catalog(ROOT)
    folder = next(ROOT / "harness" / n for n, h in catalog.harnesses.items() if h.toolchain.lock)
    pin = Pin(kind=Npm.kind, name="a", version="1.0", folder=folder)
    (said,) = Npm().newest([pin], Context(cache=tmp_path, catalog=catalog))
    assert isinstance(said, Unavailable) and said.reason.startswith("npm did not say what is new for ")


@pytest.fixture
def pinned(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Callable[[Source], None]:
    """Lets the project have one contender, with one source, and no parts."""

    def set_(source: Source) -> None:
        catalog = load_catalog(ROOT)
        one = msgspec.structs.replace(catalog, contenders={"c/odd-lib": contender(source)})
        none = msgspec.structs.replace(catalog, contenders={})
        monkeypatch.setattr(
            command, "load_catalog", lambda _root, place="host": one if place == "host" else none
        )
        monkeypatch.setattr(command, "pins_of_parts", lambda _root: {})
        monkeypatch.setattr(command, "CACHE", cache)

    return set_


def test_the_command_tells_what_is_behind_and_ends_with_1(
    upstream: Upstream, pinned: Callable[[Source], None]
) -> None:
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    pinned(msgspec.structs.replace(source, date=datetime.date(2024, 5, 6)))
    table = CliRunner().invoke(cli.app, ["pins"])
    assert table.exit_code == 0 and "v1.5" in table.output and "2024-05-06" in table.output
    level = CliRunner().invoke(cli.app, ["pins", "--behind"])
    assert (level.exit_code, level.output) == (0, "0 of 1 pinned versions are behind upstream.\n")
    upstream.run("tag", "v1.6")
    behind = CliRunner().invoke(cli.app, ["pins", "--behind"])
    assert behind.exit_code == 1 and "v1.6" in behind.output
    assert behind.output.splitlines()[-1] == "1 of 1 pinned versions are behind upstream."


def test_what_is_held_is_shown_and_does_not_count(
    upstream: Upstream, pinned: Callable[[Source], None]
) -> None:
    source = upstream.source(upstream.commit(LIBRARY, "v1.5"))
    pinned(msgspec.structs.replace(source, held="the next one needs C23"))
    upstream.run("tag", "v1.6")
    behind = CliRunner().invoke(cli.app, ["pins", "--behind"])
    assert behind.exit_code == 0 and "v1.6" in behind.output
    assert "Odd v1.5: the next one needs C23" in behind.output
    assert behind.output.splitlines()[-1] == "0 of 1 pinned versions are behind upstream. 1 more are held."
    upstream.commit({"src/a.c": "changed\n"}, "v1.5")
    moved = CliRunner().invoke(cli.app, ["pins", "--behind"])
    assert moved.exit_code == 1 and "1 of 1 pinned versions are behind upstream." in moved.output


def test_without_the_host_the_command_says_so_in_one_line_and_ends_with_2(
    pinned: Callable[[Source], None], programs: Programs
) -> None:
    absent_host(programs, NO_HOST)
    pinned(Source(kind="git", name="https://upstream.invalid/lib", tag="v1.5", commit="a" * 40))
    for _ in range(2):  # the second asks again
        git._reached.clear()
        found = CliRunner().invoke(cli.app, ["pins", "--behind"])
        assert found.exit_code == 2
        assert found.output.splitlines() == [
            "serbench: upstream.invalid cannot be reached (Could not resolve host)",
            "0 of 0 pinned versions are behind upstream.",
        ]


def test_what_is_not_pinned_has_no_pin(cache: Path) -> None:
    pinned = ("git", Npm.kind, Sdist.kind, Pypi.kind)
    sources = [Source(kind=kind, name="odd") for kind in PROVIDERS if kind not in pinned]
    assert pins_of([contender(source) for source in sources], Context(cache=cache)) == {}
