"""Compiling and linking firmware, and the two counters that run beside the emulators."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from serbench.build.records import BuildFailed
from serbench.build.replace import copy_replaced
from serbench.catalog.records import Row
from serbench.platforms.firmware.nanopb import GeneratorFailed, write_message
from serbench.platforms.firmware.schema import Message
from serbench.platforms.records import Microcontroller
from serbench.provision.process import run
from serbench.provision.records import Provided

SIZE_FLAGS = ["-Os", "-ffunction-sections", "-fdata-sections"]
CXX_FLAGS = ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-nostdinc++"]
"""No target is set up with a C++ library, which is a large download and for most does not exist."""
STANDARDS = {".c": "-std=gnu11", ".cpp": "-std=gnu++17"}
FIRST_QEMU_OF_SECOND_PLUGINS = 9
"""From this major version on QEMU refuses plugins of the first version of its interface."""


class FirmwareFailed(Exception):
    """A firmware that cannot be built or run: a sentence, and what the program in question said."""

    def __init__(self, reason: str, output: str = "") -> None:
        self.reason, self.output = reason, output
        super().__init__(reason)


class Program(msgspec.Struct, frozen=True, kw_only=True):
    """A linked firmware."""

    path: Path
    begin: str
    """Addresses of the two marker functions, hexadecimal."""
    end: str
    flash: int
    """Text and data."""


class FirmwareBuilder:
    """Builds for one target, in one folder; every object is compiled once."""

    def __init__(self, root: Path, target: Microcontroller, folder: Path) -> None:
        """Compile what all programs share. Raises FirmwareFailed."""
        self.target = target
        self.folder = folder
        self._include = [
            f"-I{path}" for path in (root / "harness/c/include", root / "harness/firmware/include")
        ]
        self._source = root / "harness/firmware/src"
        stated = target.manifest
        sources = [self._source / name for name in ("main.c", "heap.c", "marker.c")]
        sources += [target.folder / name for name in (stated.board, *stated.sources)]
        self._shared = [
            self.compile(source.resolve(), "shared", [f"-I{self._source}", "-Wall", "-Wextra"])
            for source in sources
        ]

    @property
    def flags(self) -> list[str]:
        """What every source is compiled with."""
        stated = self.target.manifest
        return [*stated.flags, *SIZE_FLAGS, "-DSB_NARROW", f"-DFW_ARENA={stated.arena}"]

    def version(self) -> str:
        """The first line that the compiler says of itself."""
        return run([f"{self.target.manifest.tools}gcc", "--version"]).output.partition("\n")[0]

    def compile(self, source: Path, group: str, more: Sequence[str]) -> Path:
        """The object of `source`; `group` keeps those of the same name apart. Raises FirmwareFailed."""
        made = self.folder / group / f"{source.stem}.o"
        made.parent.mkdir(exist_ok=True)
        cxx = source.suffix == ".cpp"
        words = [self.target.manifest.tools + ("g++" if cxx else "gcc"), STANDARDS[source.suffix]]
        words += [*self.flags, *(CXX_FLAGS if cxx else []), *more, *self._include]
        done = run([*words, "-c", source, "-o", made], timeout=300)
        if not done.ok:
            stated = re.search(r'error: #error "?(.*?)"?$', done.errors, re.MULTILINE)
            why = f": {stated[1]}" if stated else ""
            raise FirmwareFailed(f"{source.name} does not compile{why}", done.tail())
        return made

    def library(self, row: Row, provided: Provided, group: str, defines: Sequence[str]) -> list[Path]:
        """The objects of a contender and its library, in the folder `group`. Raises FirmwareFailed."""
        more = [f"-D{macro}" for macro in defines]
        own = []
        root = provided.root
        if root is not None:
            if provided.source.replace:
                copy = self.folder / f"{group}-source"
                try:
                    copy_replaced(root, provided.source.replace, copy)
                except BuildFailed as error:
                    raise FirmwareFailed(str(error)) from error
                root = copy
            more += [word for name in provided.source.include for word in ("-I", str(root / name))]
            files = [path for name in provided.source.files for path in sorted(root.glob(name))]
            own = [self.compile(path, group, [*more, "-w"]) for path in files]
        return [*own, self.compile(row.source, group, [*more, "-Wall", "-Wextra"])]

    def message(self, row: Row, provided: Provided, schema: Message, name: str) -> list[Path]:
        """The objects of the code that is generated from a document's schema. Raises FirmwareFailed."""
        folder = self.folder / f"message-{name}"
        try:
            sources = write_message(schema, folder)
        except GeneratorFailed as error:
            raise FirmwareFailed(error.reason, error.output) from error
        more = [f"-D{macro}" for macro in row.defines] + ["-I", str(folder)]
        if provided.root is not None:
            more += [word for name in provided.source.include for word in ("-I", str(provided.root / name))]
        return [self.compile(path, folder.name, [*more, "-Wall", "-Wextra"]) for path in sources]

    def document(self, text: str, name: str) -> Path:
        """The object of a document's source. Raises FirmwareFailed."""
        source = self.folder / f"{name}.c"
        source.write_text(text, "utf-8")
        return self.compile(source, "documents", [f"-I{self._source}"])

    def link(self, objects: Iterable[Path], name: str) -> Program:
        """The firmware of `objects` and what all share. Raises FirmwareFailed."""
        stated = self.target.manifest
        made = self.folder / f"{name}.elf"
        words = [f"{stated.tools}gcc", *stated.flags, "-Wl,--gc-sections"]
        words += [word.replace("{folder}", str(self.target.folder)) for word in stated.link]
        libraries = [f"-l{library}" for library in stated.libraries]
        done = run([*words, *self._shared, *objects, *libraries, "-o", made], timeout=120)
        if not done.ok:
            room = re.search(r"(overflowed by|will not fit|is not within region)", done.errors)
            raise FirmwareFailed("it does not fit the target" if room else "it does not link", done.tail())
        addresses = {
            words[2]: words[0]
            for line in run([f"{stated.tools}nm", made]).output.splitlines()
            if len(words := line.split()) == 3
        }
        sizes = run([f"{stated.tools}size", made]).output.splitlines()[-1].split()
        return Program(
            path=made,
            begin=addresses["fw_begin"],
            end=addresses["fw_end"],
            flash=int(sizes[0]) + int(sizes[1]),
        )


def build_counter(root: Path, target: Microcontroller, folder: Path) -> Path:
    """The counter for the target's emulator, built for this machine. Raises FirmwareFailed."""
    if target.manifest.counter != "avr":
        return build_plugin(root, target.manifest.emulator[0], folder)
    made = folder / "avr_run"
    source = root / "harness/firmware/emulator/avr_run.c"
    return _compiled(["gcc", "-std=gnu11", "-O2", source, "-o", made, "-lsimavr", "-lelf"], made, "simavr")


def build_plugin(root: Path, emulator: str, folder: Path) -> Path:
    """The plugin that counts in the QEMU of the name `emulator`. Raises FirmwareFailed."""
    made = folder / "libcount.so"
    version = plugin_version(run([emulator, "--version"]).output)
    words: list[str | Path] = ["gcc", "-std=gnu11", "-O2", "-shared", "-fPIC"]
    words += [f"-DQEMU_PLUGIN_VERSION={version}", root / "harness/firmware/emulator/count.c", "-o", made]
    return _compiled(words, made, emulator)


def _compiled(words: Sequence[str | Path], made: Path, emulator: str) -> Path:
    done = run(words, timeout=120)
    if not done.ok:
        raise FirmwareFailed(f"the counter for {emulator} cannot be built", done.tail())
    return made


def plugin_version(said: str) -> int:
    """The version of the plugin interface for a QEMU that says `said` of itself."""
    found = re.search(r"version (\d+)\.", said)
    return 2 if found and int(found[1]) >= FIRST_QEMU_OF_SECOND_PLUGINS else 1
