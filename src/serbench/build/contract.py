"""What serbench asks the build program of a harness, and what that answers: docs/build-contract.md."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from serbench.build.processor import Level
from serbench.catalog.harness import Tool
from serbench.catalog.records import Profile
from serbench.catalog.source import Replacement
from serbench.catalog.tests import Test
from serbench.provision.records import Provided

Tree = Any
"""A document's value: None, bool, int, float, str, a list of trees, or a dict of trees by str."""
OUT = "\x01out\x01"
"""Stands for the folder of the recipe itself in its steps."""


class Message(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The base of requests, answers and what is in them."""


class Cross(Message, frozen=True, kw_only=True):
    """Another machine to build for."""

    name: str
    """Its platform."""
    tools: str
    """What the names of its tools begin with: `arm-linux-gnueabihf-`."""
    flags: tuple[str, ...]
    """Options of its compilers."""
    processor: str = ""
    """What `uname -m` says there; empty for a microcontroller, which alone has what follows."""
    folder: Path = Path()
    """The platform's folder."""
    sources: tuple[str, ...] = ()
    """C files in it that are part of every program."""
    link: tuple[str, ...] = ()
    """Options for linking, in which {folder} is that folder."""
    libraries: tuple[str, ...] = ()
    arena: int = 0
    """Bytes that a library may have for its document."""
    identity: str = ""
    """The versions of its tools and its C library, for the key of a build."""


class Data(Message, frozen=True, kw_only=True):
    """A document that is part of the program, as on a microcontroller, which has no files."""

    name: str
    tree: Tree
    format: str
    input: bytes
    """Its encoding in this format."""
    room: int
    """Bytes of the buffer that the library writes into."""
    needs_tree: bool = False
    """Whether the library writes from the tree, because it has no document of its own."""


class Kin(Message, frozen=True, kw_only=True):
    """The row whose baseline is built: the two are comparable only if built alike."""

    language: str
    standard: str


class Request(Message, frozen=True, kw_only=True):
    """One thing that a build program is asked for. All paths are absolute."""

    want: Literal["describe", "worker", "static", "bundle", "probe", "tool", "project"]
    root: Path
    """The project's folder."""
    harness: Path
    """The harness's folder."""
    cache: Path
    """The project's cache, with the set-up parts below it."""
    options: dict[str, Any] = {}
    """The table `build.options` of harness.toml."""
    compiler: str = ""
    """The one that --compiler names."""
    cpu: Level = "baseline"
    """What --cpu names: everything that is compiled is compiled for it, the library too."""
    cross: Cross | None = None
    profile: Profile = "speed"
    language: str = ""
    test: Test = "write"
    source: Path = Path()
    """The contender's file of this test."""
    folder: Path = Path()
    """The contender's folder."""
    defines: list[str] = []
    standard: str = ""
    schemas: list[str] = []
    schema: Path | None = None
    """What code of the row is generated from: a file of serbench.schemas.model, named by its content."""
    library: Provided | None = None
    """None for an encoder beside its format, which needs none."""
    kin: Kin | None = None
    data: Data | None = None
    rows: list["Request"] = []
    """For a project: the requests for the workers of its rows."""
    name: str = ""
    """The name of a tool."""
    tool: Tool | None = None


class Content(Message, frozen=True, kw_only=True):
    """The digest of a file or a folder, as an input of a recipe."""

    of: Literal["file", "folder", "tree"]
    """A file's bytes; the names and bytes of a folder's files, manifests left out; or, for large libraries,
    the names, sizes and times of a folder's files."""
    path: Path
    without: str = ""
    """The name of a file of a folder that does not count, because it is no part of what is made."""
    label: str = ""
    """A word before the digest."""


Input = str | Content


class Put(Message, frozen=True, kw_only=True):
    """What is put into a recipe's folder before its steps: a text, a copy of a folder, or a link."""

    to: str = ""
    """The path in the recipe's folder."""
    text: str | None = None
    copy: Path | None = None
    without: str = ""
    """Names that are not copied, with blanks between them."""
    replace: list[Replacement] = []
    """Texts that are replaced in the copy."""
    link: Path | None = None


class Recipe(Message, frozen=True, kw_only=True):
    """How something is made: commands, and all that they read.

    Steps, inputs and texts may name the folder and the digest of an earlier recipe of the plan.
    """

    steps: list[list[str]] = []
    inputs: list[Input] = []
    """Digests and texts of everything that goes in."""
    products: list[str]
    """The files that must be there in the end, below the recipe's folder."""
    keep: list[str] | None = None
    """What is kept of the folder; everything when None."""
    put: list[Put] = []
    """The inputs must tell what it puts."""
    reasons: dict[str, str] = {}
    """By a text in the output of a failed step, the reason that is shown for the failure."""


class Answer(Message, frozen=True, kw_only=True):
    """A plan. Where there is none, the program raises BuildFailed."""

    recipes: list[Recipe] = []
    """Made in this order; the last is the thing itself."""
    command: list[str] = []
    """What starts the worker or the tool; it may name the folders of recipes."""
    interpreter: list[str] = []
    """What starts a script of the harness, such as a probe, on what the worker runs on."""
    labels: list[str] = []
    """What a reader must know of how the row is built or run."""
    heap_command: list[str] = []
    """What counts the heap, where that is another command and needs no counting library."""
    load_command: list[str] = []
    """What loads the library once, and tells in JSON `load_ns` and `installed_bytes` (or null)."""
    module: str = ""
    """The file that the harness loads, where there is such a thing: probes load it too."""
    size_of: str = ""
    """For static and bundle, the file whose size is the code size."""
    generated: list[str] = []
    """Files that were generated from the row's schema; they may name the folders of recipes."""
    compiler: str = ""
    """`gcc 12.2.0`."""
    flags: str = ""
    """The profile's options, as a report shows them."""
    digest: list[Input] = []
    """Everything that goes into the worker; the digest of the last recipe if empty."""
    compilers: dict[str, str] = {}
    """For describe: the versions of the compilers by language, empty for one that is not installed."""


class Plan:
    """Collects the recipes of an answer."""

    def __init__(self) -> None:
        self.recipes: list[Recipe] = []

    def add(self, recipe: Recipe) -> tuple[Path, str]:
        """Add `recipe`; return marks for its folder and its digest."""
        place = len(self.recipes)
        self.recipes.append(recipe)
        return Path(f"\x01folder {place}\x01"), f"\x01digest {place}\x01"


def resolved(text: str, made: Sequence[tuple[Path, str]]) -> str:
    """`text` with the folders and digests of the recipes that were `made`."""
    if "\x01" in text:
        for place, (folder, digest) in enumerate(made):
            text = text.replace(f"\x01folder {place}\x01", str(folder))
            text = text.replace(f"\x01digest {place}\x01", digest)
    return text


def checked(answer: Answer) -> Answer:
    """The same, with every field of its type. Raises msgspec.ValidationError."""
    built_in = msgspec.to_builtins(answer, enc_hook=str)
    return msgspec.convert(built_in, Answer, dec_hook=lambda kind, value: kind(value))
