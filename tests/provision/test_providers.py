"""The table of providers, and toolchains."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Contender
from serbench.catalog.source import Source
from serbench.errors import UserError
from serbench.project import ROOT
from serbench.provision import Provided, Unavailable, prefetch, provide, toolchain
from serbench.provision.providers import PROVIDERS
from serbench.provision.providers.provider import Provider
from serbench.provision.records import Context
from tests.provision.conftest import ODD

MANIFEST = """\
name = "Odd"
language = "c"
format = "json"
[[source]]
{source}
[tests]
write = "write.c"
"""


class Orchard(Provider):
    """A registry that only this test knows."""

    kind = "orchard"
    fetched: tuple[str, ...] = ()

    def provide(self, contender: Contender, source: Source, context: Context) -> Provided:
        if source.name not in self.fetched:
            raise Unavailable(f"the orchard has no {source.name}")
        return Provided(source=source, root=context.cache / source.subdir, origin=f"orchard {source.name}")

    def prefetch(self, sources: Sequence[Source], context: Context) -> list[Source]:
        self.fetched = tuple(source.name for source in sources)
        return []


def odd(folder: Path, source: str) -> Contender:
    """A contender in a folder outside of the project, with one source."""
    folder.mkdir()
    (folder / "contender.toml").write_text(MANIFEST.format(source=source))
    return load_catalog(ROOT, [folder]).contenders[f"c/{folder.name}"]


def test_a_further_registry_is_one_entry_of_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = odd(tmp_path / "odd", 'orchard = "apple"\nsubdir = "tree"')
    with pytest.raises(Unavailable, match=r"a \[\[source\]\] with 'orchard'; known are git, debian-source, "):
        provide(one, tmp_path)
    monkeypatch.setitem(PROVIDERS, "orchard", Orchard())
    with pytest.raises(Unavailable, match="the orchard has no apple"):
        provide(one, tmp_path)
    prefetch([one, odd(tmp_path / "even", 'orchard = "pear"')], tmp_path)
    found = provide(one, tmp_path)
    assert (found.origin, found.root) == ("orchard apple", tmp_path / "tree")
    assert PROVIDERS["orchard"].fetched == ("apple", "pear")  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('files = ["a.c"]', "nothing"),
        ('npm = "a"\nwheel = "b"', "npm, wheel"),
        ("npm = 3", "npm"),
        ('npm = ""', "npm"),
        ("checkout = false", "checkout"),
        ('kind = "npm"\nname = "a"', "kind, name"),
        ('npm = "a"\nlables = ["b"]', "npm, lables"),
    ],
)
def test_a_source_names_one_place(source: str, found: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=rf"a source names one place .* and this one {found}$"):
        odd(tmp_path / "odd", source)


def test_every_source_of_the_project_has_a_provider() -> None:
    contenders = load_catalog(ROOT).contenders.values()
    kinds = {source.kind for contender in contenders for source in contender.manifest.source}
    assert len(kinds) > 4 and kinds <= set(PROVIDERS)


PART = """\
title = "a press"
lock = "press.lock"
folder = "press"
file = "bin/press"
download-mb = 1
disk-mb = 2
tool = "a press"
version = ["press", "--version"]
{wanted}
[programs]
press = ["bin/press"]
"""


def make(folder: Path, version: str) -> Path:
    """The program `press`, which prints `version`."""
    folder.mkdir(parents=True)
    program = folder / "press"
    program.write_text(f"#!/bin/sh\necho press v{version}\n")
    program.chmod(0o755)
    return program


@pytest.mark.parametrize(
    ("wanted", "version", "suits"),
    [
        ('least = "2.10"', "2.10.0", True),
        ('least = "2.10"', "10", True),
        ('least = "2.10"', "2.9.9", False),
        ('least = "2.10"', "unknown", False),
        ('series = "2.1"', "2.1.7", True),
        ('series = "2.1"', "2.10", False),
    ],
)
def test_a_toolchain_in_path_counts_if_its_version_suits(
    wanted: str, version: str, suits: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, cache = tmp_path / "project", tmp_path / ODD
    (root / "setup").mkdir(parents=True)
    (root / "setup/fruit.toml").write_text(PART.format(wanted=wanted))
    monkeypatch.setenv("PATH", f"{make(tmp_path / 'programs', version).parent}:/usr/bin:/bin")
    found = toolchain.find(root, cache, "fruit")
    assert (found is not None) == suits
    own = make(cache / "press/bin", "2.1.1" if "series" in wanted else "3")
    chosen = toolchain.need(root, cache, ["fruit"], "press")
    preferred = tmp_path / "programs/press" if suits and "least" in wanted else own
    assert chosen.programs == {"press": (str(preferred),)}


def test_without_a_toolchain_one_line_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "setup").mkdir()
    (tmp_path / "setup/fruit.toml").write_text(PART.format(wanted='least = "1"'))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match=r"^needs a press: install it, or \./serbench setup fruit$"):
        toolchain.need(tmp_path, tmp_path, ["fruit"], "press")
    with pytest.raises(Unavailable, match="no toolchain with the program juice"):
        toolchain.need(tmp_path, tmp_path, ["fruit"], "juice")
