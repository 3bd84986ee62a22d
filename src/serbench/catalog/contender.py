"""What contender.toml states, field by field."""

from typing import Literal

from serbench.catalog.expected import Expected, Since
from serbench.catalog.manifest import Manifest
from serbench.catalog.source import Source
from serbench.catalog.tests import Test

Role = Literal["contender", "baseline", "floor"]
MOST_PADDING = 65_536
"""As the harnesses have it."""


class Limits(Manifest, frozen=True, kw_only=True):
    """What a format or a library cannot take; data beyond a limit makes a row `unsupported`.

    Each limit is probed by a test: it must really be one.
    """

    depth: int | None = None
    """The deepest nesting of containers; a flat array has depth 1."""
    megabytes: int | None = None
    """The largest encoding, in units of 2^20 bytes; of messages each may be as large."""
    integers: Literal["u64", "i64", "63-bit", "53-bit"] = "u64"
    """The widest integers: all of 64 bits, signed 64 bits, signed ones but for -2^63, or +-(2^53 - 1).

    Who makes wider ones the nearest doubles has no limit: the proof finds out how many it changes."""
    nul: Literal["any", "values", "none"] = "any"
    """Where a NUL character may stand: anywhere, in strings but not in keys, or nowhere."""
    root: Literal["any", "container", "map"] = "any"


class Firmware(Manifest, frozen=True, kw_only=True):
    """What must be known of a contender to put it on a microcontroller."""

    tree: bool = False
    """Whether it writes from the harness's value tree, because it has no document of its own."""
    integers: Literal["64-bit", "32-bit", "double"] = "64-bit"
    """The widest integers that it takes: those beyond make a row `unsupported`."""
    needs_double: Literal[32, 64] = 32
    """The narrowest doubles that it compiles with."""


class Variant(Manifest, frozen=True, kw_only=True):
    """A configuration of a contender, measured as rows of its own."""

    tests: list[Test]
    format: str = ""
    """The format, where it is not the contender's own."""
    sources: dict[Test, str] = {}
    """Sources in place of the plain test's, where macros do not suffice."""
    defines: list[str] = []
    labels: list[str] = []
    without_labels: list[str] = []
    """Labels of the contender that do not hold for this variant."""
    limits: Limits | None = None
    adds: str = ""
    """What more of the library this variant uses, in words. It is then no row: only its code is sized, and a
    label of the plain row says by how much it grows."""


class ContenderManifest(Manifest, frozen=True, kw_only=True):
    """contender.toml: one library in one language for one format."""

    like: str = ""
    """The folder of a contender of the same family, such as `../jackson`, whose manifest says what this one
    does not, and whose files count where this folder has none of the same name."""
    name: str
    language: str
    format: str
    homepage: str = ""
    license: str = ""
    api: str = ""
    """Which of the library's APIs was chosen, and why it is the natural one."""
    left_out: str = ""
    """Which of them were not, and why."""
    role: Role = "contender"
    common: bool = False
    """Whether a run measures it in which the user names no contenders."""
    source: list[Source] = []
    tests: dict[Test, str]
    """Each test and its source file in the contender's folder."""
    variants: dict[str, Variant] = {}
    defines: list[str] = []
    schemas: list[str] = []
    """For a contender that needs a schema: those of the datasets that it can take, for example `records`; or
    `any`, if its code is generated from the schema that serbench infers."""
    standard: str = ""
    """The language standard where it is not the harness's own, for example `gnu++17`."""
    labels: list[str] = []
    """Honesty labels that no probe can find."""
    test_labels: dict[Test, list[str]] = {}
    """Further labels for one test's rows."""
    limits: Limits = Limits()
    test_limits: dict[Test, Limits] = {}
    """In place of `limits` where a test has others."""
    since: list[Since] = []
    """What newer versions of the library do better."""
    padding: int = 1
    """Zero bytes that a reader needs after its input, 1 to MOST_PADDING."""
    firmware: Firmware = Firmware()
    """What a contender for microcontrollers states."""
    known: Expected = Expected()


class Unusable(Manifest, frozen=True, kw_only=True):
    """A library that was tried and is no contender."""

    name: str
    homepage: str
    reason: str


class UnusableLibraries(Manifest, frozen=True, kw_only=True):
    """contenders/<language>/unusable.toml."""

    library: list[Unusable]
