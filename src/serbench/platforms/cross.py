"""Rows for another processor: the ordinary workers, linked statically and started under the emulator."""

import shlex
from pathlib import Path

import msgspec

from serbench.build import Builder, Built
from serbench.build.contract import Cross
from serbench.catalog.records import Catalog, Contender, Profile, Row, Source
from serbench.measure.codesize import text_and_data
from serbench.platforms.records import LinuxPlatform
from serbench.provision.process import run
from serbench.provision.records import Provided
from serbench.results.schema import Platform

_NOTHING = Provided(source=Source())
"""The library of a row that needs none."""


def cross_of(platform: LinuxPlatform) -> Cross:
    """The platform as build programs are told of it."""
    stated = platform.manifest
    return Cross(
        name=platform.name, tools=stated.tools, flags=tuple(stated.flags), processor=stated.processor
    )


def describe_platform(platform: LinuxPlatform) -> Platform:
    """What a run file says of the platform."""
    stated = platform.manifest
    return Platform(
        name=platform.name,
        title=stated.title,
        stands_for=stated.stands_for,
        unit="instructions",
        compiler=run([f"{stated.tools}gcc", "--version"]).output.partition("\n")[0],
        flags=shlex.join([*stated.flags, "-static"]),
        emulator=run([stated.emulator[0], "--version"]).output.partition("\n")[0],
    )


def can_cross_build(source: Source) -> bool:
    """Whether the library is compiled by us, and so can be for another processor."""
    return bool(source.files or source.cmake or source.header_only)


def cross_catalog(catalog: Catalog) -> tuple[Catalog, dict[str, str]]:
    """The catalog with the sources that can be cross-built; by id, why a contender has none of them."""
    contenders: dict[str, Contender] = {}
    reasons: dict[str, str] = {}
    for name, contender in catalog.contenders.items():
        stated = contender.manifest.source
        kept = [source for source in stated if can_cross_build(source)]
        if stated and not kept:
            names = [source.name for source in stated if source.kind == "debian-package"]
            names += ["an installed copy"] if any(source.kind == "installed" for source in stated) else []
            what = ", ".join(names)
            reasons[name] = f"has no source that can be cross-compiled: {what} is built for this machine only"
        manifest = msgspec.structs.replace(contender.manifest, source=kept or stated)
        contenders[name] = msgspec.structs.replace(contender, manifest=manifest)
    return msgspec.structs.replace(catalog, contenders=contenders), reasons


class CrossBuilder(Builder):
    """Builds native rows for one platform; the command of each begins with the emulator's."""

    def __init__(self, catalog: Catalog, cache: Path, platform: LinuxPlatform) -> None:
        super().__init__(catalog, cache, cross=cross_of(platform))
        self.platform = platform
        self._emulator = run([platform.manifest.emulator[0], "--version"]).output.partition("\n")[0]

    def build_row(self, row: Row, provided: Provided, profile: Profile) -> Built:
        """The worker of `row` under the emulator. Raises BuildFailed."""
        built = self.build_static(row, provided, profile)
        words = self.platform.manifest.emulator
        return msgspec.structs.replace(
            built,
            command=[*words, *built.command],
            digest=" ".join([built.digest, *words, self._emulator]),
        )

    def code_size(self, row: Row, provided: Provided, baseline: Row, profile: Profile) -> int:
        """Text and data of the worker of `row` less those of `baseline`, linked as the row is.

        Raises BuildFailed and NotMeasurable.
        """
        return self.whole_size(row, provided, profile) - self.whole_size(baseline, _NOTHING, profile, row)

    def whole_size(self, row: Row, provided: Provided, profile: Profile, kin: Row | None = None) -> int:
        """Text and data of the worker of `row`, built as `kin` is if that is given.

        Raises BuildFailed and NotMeasurable.
        """
        program = self.build_sized(row, provided, profile, kin)
        return text_and_data(program, f"{self.platform.manifest.tools}size")
