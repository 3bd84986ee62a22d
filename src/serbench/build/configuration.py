"""What a row is built with and for: profile, compiler, allocator and level, each a column to compare by."""

import ctypes.util
import sys
from collections.abc import Sequence

import msgspec

from serbench.build.processor import Level
from serbench.catalog.records import Profile
from serbench.errors import UserError
from serbench.provision.process import run

ALLOCATORS = ("system", "jemalloc", "mimalloc")
DEFAULT_PROFILES: tuple[Profile, ...] = ("speed",)
DEFAULT_LEVELS: tuple[Level, ...] = ("baseline",)
_PACKAGES = {"jemalloc": "libjemalloc2", "mimalloc": "libmimalloc3 (on Debian 12 libmimalloc2.0)"}


class Configuration(msgspec.Struct, frozen=True, kw_only=True):
    """One way to build and run every row. An empty toolchain is the one that CC and CXX name, or gcc."""

    profile: Profile = "speed"
    toolchain: str = ""
    allocator: str = "system"
    cpu: Level = "baseline"


def configurations(
    profiles: Sequence[Profile],
    toolchains: Sequence[str],
    allocators: Sequence[str],
    levels: Sequence[Level] = (),
) -> list[Configuration]:
    """Every combination, in the order given; an empty list means its default."""
    return [
        Configuration(profile=profile, toolchain=toolchain, allocator=allocator, cpu=level)
        for profile in dict.fromkeys(profiles or DEFAULT_PROFILES)
        for toolchain in dict.fromkeys(toolchains or [""])
        for allocator in dict.fromkeys(allocators or ["system"])
        for level in dict.fromkeys(levels or DEFAULT_LEVELS)
    ]


def preload_of(allocator: str) -> str | None:
    """The library to preload for `allocator`; None for the system's own.

    Raises UserError with the remedy if it is not installed or cannot be preloaded.
    """
    if allocator == "system":
        return None
    library = ctypes.util.find_library(allocator)
    if library is None:
        raise UserError(f"there is no {allocator} here: sudo apt-get install {_PACKAGES[allocator]}")
    tried = run(["true"], extra={"LD_PRELOAD": library}, timeout=10)
    if tried.errors:  # the loader goes on without it, and says so
        raise UserError(f"{allocator} cannot be preloaded: {tried.errors.strip()}")
    return library


_ASK = """
import ctypes
own = ctypes.CDLL(None)
if hasattr(own, "mi_version"):
    number = own.mi_version()
    print(f"{number // 100}.{number // 10 % 10}.{number % 10}")
else:
    text, size = ctypes.c_char_p(), ctypes.c_size_t(ctypes.sizeof(ctypes.c_void_p))
    own.mallctl(b"version", ctypes.byref(text), ctypes.byref(size), None, ctypes.c_size_t(0))
    print(text.value.decode())
"""


def allocator_version(allocator: str, library: str) -> str:
    """The version that the preloaded `library` states; the library's own name where it states none."""
    asked = run([sys.executable, "-I", "-S", "-c", _ASK], extra={"LD_PRELOAD": library}, timeout=10)
    said = asked.output.strip()
    return said if asked.ok and said else f"{allocator} of unknown version ({library})"
