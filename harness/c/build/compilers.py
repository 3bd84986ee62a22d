"""The compilers of this machine, and the options that make a profile."""

import os
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

import msgspec

from serbench.build.contract import Cross
from serbench.build.processor import Level
from serbench.build.records import BuildFailed
from serbench.catalog.records import Profile
from serbench.provision import toolchain
from serbench.provision.process import once, run

_PROFILES: dict[Profile, list[str]] = {
    "speed": ["-O3", "-flto"],
    "size": ["-Os", "-flto"],
    "check": ["-O0", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"],
}
CXX_SUFFIXES = (".cc", ".cpp", ".cxx")
_TOOLS = {"CC": "gcc", "CXX": "g++", "AR": "gcc-ar", "RANLIB": "gcc-ranlib"}
_ZIG_TOOLS = {"CC": "cc", "CXX": "c++", "AR": "ar", "RANLIB": "ranlib"}


class Compilers(msgspec.Struct, frozen=True, kw_only=True):
    """The programs that build: commands as one would type them."""

    c: str = "gcc"
    cxx: str = "g++"
    ar: str = "gcc-ar"
    ranlib: str = "gcc-ranlib"
    c_version: str = ""
    """`gcc 12.2.0`; empty when there is no such compiler."""
    cxx_version: str = ""
    link: tuple[str, ...] = ()
    """Further options for linking."""
    identity: str = ""
    """All that the compilers say of themselves, for the key of a build."""
    libcxx: bool = False
    """Whether C++ is linked with libc++, with which the distribution's own C++ libraries cannot be linked."""
    system_first: bool = False
    """Whether it looks into /usr/include before the folders that `-isystem` names, as zig does."""
    cross: bool = False
    """Whether they build for another machine than this."""
    machine: str = ""
    """What the C compiler builds for, in its own words: `arm-linux-gnueabihf`."""
    levels: str = "x86-64-"
    """What stands before v2, v3 and v4 in its option -march."""
    cmake: tuple[str, ...] = ()
    """Further options for CMake, which must know when it builds for another machine."""

    @property
    def for_arm32(self) -> bool:
        """Whether they build for 32-bit ARM, whose 64-bit loads want addresses that are even."""
        return self.machine.startswith("arm") and not self.machine.startswith("arm64")

    def of(self, source: Path | str) -> str:
        """The compiler for a source file."""
        return self.cxx if str(source).endswith(CXX_SUFFIXES) else self.c


def find_compilers(environ: Mapping[str, str] | None = None) -> Compilers:
    """The compilers that CC and CXX of `environ` name, gcc and g++ if they name none.

    AR and RANLIB count in an `environ` that is given, not in this process's own: the usual ones cannot
    read what link-time optimisation leaves.
    """
    own = environ or {}
    environ = os.environ if environ is None else environ
    c, cxx = environ.get("CC") or "gcc", environ.get("CXX") or "g++"
    said = [run([command, "--version"]).output for command in (c, cxx)]
    return Compilers(
        c=c,
        cxx=cxx,
        ar=own.get("AR") or _companion(c, "ar"),
        ranlib=own.get("RANLIB") or _companion(c, "ranlib"),
        c_version=_version(said[0]),
        cxx_version=_version(said[1]),
        # GNU ld has no plugin for clang's bitcode unless one installs it; lld needs none.
        link=("-fuse-ld=lld",) if Path(c).name.startswith("clang") else (),
        identity="\n".join([c, cxx, *said]),
        machine=run([c, "-dumpmachine"]).output.strip(),
    )


@once
def compilers_of(name: str, root: Path, cache: Path) -> Compilers:
    """The compilers that --compiler names. Raises BuildFailed with the remedy if they are not installed."""
    if name in ("", "gcc"):
        return find_compilers() if name == "" else find_compilers({})
    if name == "clang":
        if shutil.which("clang") is None or shutil.which("ld.lld") is None:
            raise BuildFailed("there is no clang with lld here: sudo apt-get install clang lld llvm")
        return find_compilers({"CC": "clang", "CXX": "clang++"})
    if name != "zig":
        raise BuildFailed(f"the harness of C and C++ knows no compiler {name}")
    zig = toolchain.find(root, cache, "zig")
    if zig is None:
        raise BuildFailed("there is no Zig compiler here: ./serbench setup zig")
    # By default zig builds for this very processor, which no other compiler here does. A later -march wins.
    baseline = ["-mcpu=baseline"]
    commands = {
        variable: [*zig.programs["zig"], word, *(baseline if variable in ("CC", "CXX") else [])]
        for variable, word in _ZIG_TOOLS.items()
    }
    names = {variable: f"zig-{word}" for variable, word in _ZIG_TOOLS.items()}
    found = find_compilers(_scripts(cache / "zig-cc", names, commands))
    return msgspec.structs.replace(found, libcxx=True, system_first=True, levels="x86_64_")


@once
def cross_compilers(cross: Cross, cache: Path) -> Compilers:
    """The compilers of another machine."""
    commands = {
        variable: [cross.tools + tool, *(cross.flags if variable in ("CC", "CXX") else [])]
        for variable, tool in _TOOLS.items()
    }
    found = find_compilers(_scripts(cache / "cross" / cross.name, _TOOLS, commands))
    return msgspec.structs.replace(
        found,
        cross=True,
        identity="\n".join([found.identity, *cross.flags]),
        cmake=(
            "-DCMAKE_SYSTEM_NAME=Linux",
            f"-DCMAKE_SYSTEM_PROCESSOR={cross.processor}",
            f"-DCMAKE_FIND_ROOT_PATH=/usr/{cross.tools.rstrip('-')}",
            "-DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER",
            *(f"-DCMAKE_FIND_ROOT_PATH_MODE_{kind}=ONLY" for kind in ("LIBRARY", "INCLUDE", "PACKAGE")),
        ),
    )


def _scripts(folder: Path, names: Mapping[str, str], commands: Mapping[str, list[str]]) -> dict[str, str]:
    """Small scripts in `folder` that make each command one word, as builds want it; their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths: dict[str, str] = {}
    for variable, command in commands.items():
        script = folder / names[variable]
        text = f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'
        if not script.exists() or script.read_text("utf-8") != text:
            script.write_text(text, "utf-8")
            script.chmod(0o755)
        paths[variable] = str(script)
    return paths


def _companion(compiler: str, tool: str) -> str:
    """The archiver that understands what `compiler` leaves for link-time optimisation."""
    name = Path(compiler).name
    if "clang" in name:
        candidates = [name.replace("clang", f"llvm-{tool}"), f"llvm-{tool}"]
    else:
        candidates = [re.sub(r"gcc", f"gcc-{tool}", name), f"gcc-{tool}"] if "gcc" in name else []
    return next((found for found in candidates if shutil.which(found)), f"gcc-{tool}")


def _version(said: str) -> str:
    """`gcc 12.2.0` from the first line of what `gcc --version` prints."""
    words = said.partition("\n")[0].split()
    number = re.search(r"(\d+\.\d+(\.\d+)?)\s*$", " ".join(words)) or re.search(r"\d+\.\d+\S*", said)
    if not words or number is None:
        return ""
    name = "clang" if "clang" in said.partition("\n")[0] else words[0]
    return f"{name} {number.group(1) if number.lastindex else number.group(0)}"


def profile_flags(profile: Profile) -> list[str]:
    """The options that a profile consists of, as a report shows them."""
    return _PROFILES[profile]


def level_flags(level: Level, compilers: Compilers) -> list[str]:
    """The options for a level of the processor; none for the baseline, compilers' own default."""
    if level in ("baseline", "native"):
        return ["-march=native"] if level == "native" else []
    return [f"-march={compilers.levels}{level}"]


def common_flags(profile: Profile) -> list[str]:
    """The options for everything that is compiled: libraries, harness and contenders."""
    if profile == "check":  # Assertions stay on, and the lines of a finding are shown.
        return [*_PROFILES[profile], "-fno-omit-frame-pointer"]
    return [*_PROFILES[profile], "-DNDEBUG", "-g0", "-ffunction-sections", "-fdata-sections"]
