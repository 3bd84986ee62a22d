"""Rows for another processor: the ordinary workers, linked statically and started under the emulator."""

from pathlib import Path

import msgspec

from serbench.build import Builder, Built
from serbench.catalog.records import Catalog, Profile, Row, Source
from serbench.linux.platforms import cross_compilers
from serbench.linux.records import LinuxPlatform
from serbench.measure.codesize import text_and_data
from serbench.provision.process import run
from serbench.provision.records import Provided

_NOTHING = Provided(source=Source())
"""The library of a row that needs none."""


class CrossBuilder(Builder):
    """Builds native rows for one platform; the command of each begins with the emulator's."""

    def __init__(self, catalog: Catalog, cache: Path, platform: LinuxPlatform) -> None:
        super().__init__(catalog, cache, compilers=cross_compilers(platform, cache))
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
        language = row.contender.manifest.language
        whole = self.whole_size(row, provided, profile, language)
        return whole - self.whole_size(baseline, _NOTHING, profile, language)

    def whole_size(self, row: Row, provided: Provided, profile: Profile, language: str) -> int:
        """Text and data of the worker of `row`, linked as a program in `language` is.

        Raises BuildFailed and NotMeasurable.
        """
        program = self.build_static(row, provided, profile, language).command[0]
        return text_and_data(Path(program), f"{self.platform.manifest.tools}size")
