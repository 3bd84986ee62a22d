"""harness/<language>/harness.toml: what serbench is told of a language."""

from typing import Any, Literal

from serbench.catalog.manifest import Manifest

Place = Literal["host", "microcontroller"]


class Tool(Manifest, frozen=True, kw_only=True):
    """A program or a shared library of the project's own, built with the harness's toolchain."""

    sources: list[str]
    include: list[str] = []
    library: str = ""
    """The id of a contender whose library it is built with."""
    libraries: list[str] = []
    """System libraries to link after it."""
    shared: bool = False
    """A shared library, to be preloaded."""


class Capabilities(Manifest, frozen=True, kw_only=True):
    """What serbench can do with the workers of a harness. What a manifest does not state, it cannot."""

    allocators: bool = False
    """Whether its workers take their memory from libc, so that another allocator can be preloaded."""
    compilers: list[str] = []
    """What --compiler chooses from; where it is empty, there is no choice."""
    cpu: bool = False
    """Whether its workers can be built for a level of the processor, which --cpu names."""
    cross: bool = False
    """Whether its workers can be built for another processor."""
    instructions: Literal["callgrind", "none"] = "none"
    """What counts the instructions of its workers."""
    code_size: Literal["static", "bundle", "none"] = "none"
    """What code size is: text and data of a statically linked worker, or the bytes of a compressed bundle."""
    sanitizers: bool = False
    """Whether its workers can be built with sanitizers for addresses and undefined behaviour."""
    heap: Literal["preload", "command", "none"] = "none"
    """What counts allocations: a preloaded library, or another command of the worker, which counts itself."""
    load: Literal["command", "none"] = "none"
    """What tells how long loading a library takes and how many bytes of it are installed: a command."""


class Build(Manifest, frozen=True, kw_only=True):
    """How workers are built: docs/build-contract.md."""

    options: dict[str, Any] = {}
    """What the program is told with every request; serbench does not look at it."""


class Toolchain(Manifest, frozen=True, kw_only=True):
    """What a harness needs to build and run its workers, beside its Debian packages."""

    parts: list[str] = []
    """Optional parts of the set-up (`./serbench setup PART`)."""
    given: bool = False
    """Whether it is wherever serbench is, so that its rows may prove those of any language."""
    lock: str = ""
    """A package lock in the harness's folder, which its contenders share, for example `package-lock.json`."""
    download_mb: int = 0
    """The size of these packages to download, ..."""
    disk_mb: int = 0
    """... and on the disk."""


class Growth(Manifest, frozen=True, kw_only=True):
    """What `serbench growth` measures of a harness."""

    reference: str
    """The id of the contender that the others are compared with."""
    contenders: list[str]
    """Those that take part where --contenders names none, ..."""
    settings: list[str] = []
    """... and those that are added where the data have another shape than maps."""


class Probes(Manifest, frozen=True, kw_only=True):
    """Programs that load a harness's contenders to examine them, as paths in the harness's folder."""

    fidelity: str
    """What `serbench fidelity` starts, or the folder of what it is built from, ..."""
    built: bool = False
    """... if the build program makes it for each contender that has a `module`, ..."""
    limits: str = ""
    """What `serbench limits` starts; empty where a heap cannot be limited."""
    limits_options: list[str] = []
    """Options of the program that runs it."""
    heap_option: str = ""
    """The one that limits the heap, with {mb} in the place of its megabytes."""
    module: str = ""
    """The file of a contender's folder that writes and reads the values: where no probe is `built`,
    those of its format's schema."""


class HarnessManifest(Manifest, frozen=True, kw_only=True):
    """harness/<language>/harness.toml: what is written once per language."""

    languages: dict[str, str]
    """The languages that it serves: their ids and how they are shown, `cpp = "C++"`."""
    build: Build = Build()
    place: Place = "host"
    """Where its contenders run: on this machine (with the capability `cross` on an emulated Linux, too), or
    on microcontrollers."""
    baseline: str
    """The id of the contender whose time is subtracted from all rows of these languages."""
    reference: str = ""
    """The id of the one that theirs are compared with: where the rows of a group do not fit into memory
    together, it is in every block, as the baseline is."""
    statistic: Literal["shortest-chunk", "mean"] = "shortest-chunk"
    """A launch's figure: the median of the shortest chunks, or the mean (garbage collection)."""
    warmup_seconds: float = 0.0
    """How long a new worker runs untimed before its first sample, and ..."""
    warmup_calls: int = 0
    """... how many iterations at least."""
    chunk_ms: float = 0.0
    """The shortest chunk, where one of these languages needs longer ones than others."""
    suffix: str = ""
    """The ending of a contender's files where it is not the language's id."""
    packages: list[str] = []
    """Debian packages with the toolchain, which serbench itself needs if it is given or has `tools`, ..."""
    library_packages: list[str] = []
    """... and those that fetch the sources of its contenders' libraries and build them."""
    sources_mb: int = 0
    """The size of these sources to download, which a run fetches."""
    messages: bool = False
    """Whether its workers can handle a dataset of messages one by one."""
    datasets: list[str] = []
    """What is measured where rows of these languages alone are asked for and no data are; else the usual."""
    quick_seconds: float = 0.0
    """The time of a quick run of these languages alone, with proofs, without a --budget; 0: as any run."""
    tools: dict[str, Tool] = {}
    capabilities: Capabilities = Capabilities()
    toolchain: Toolchain = Toolchain()
    emitters: dict[str, list[str]] = {}
    """As a format's: commands that write the code of these languages for a schema."""
    growth: Growth | None = None
    """None where `serbench growth` has nothing to measure."""
    probes: Probes | None = None
    """None where its contenders cannot be probed."""
