"""What the probes of fidelity, of the payload limit and of strictness find out.

These records stand here, and not with their kinds of run, so that every run file can be read.
"""

from typing import Any, Literal

import msgspec

from serbench.records import Natural, Record

Mark = Literal["same", "form", "changed", "refused", "polluted", "failed"]
"""What became of a value; a `form` is the same value as another type, `failed` a process that ended."""
CarriedKind = Literal[
    "class", "prototype", "getter", "wrapper", "renamed", "own", "inherited", "missing", "changed"
]

FailureClass = Literal[
    "",
    "heap",
    "memory",
    "string length",
    "buffer length",
    "array length",
    "stack",
    "range error",
    "wrong hash",
    "time",
    "crash",
    "error",
    "input",
]
"""Why a payload was too large. `memory` is the machine's; `input`: what should be read could not be made."""


Direction = Literal["encode", "decode"]

CaseKind = Literal[
    "structure",
    "numbers",
    "strings",
    "UTF-8",
    "nesting",
    "truncation",
    "trailing bytes",
    "duplicate keys",
    "non-minimal forms",
]
Expected = Literal["accept", "refuse", "either"]
"""What a specification wants of a reader; `either` where it leaves that to the reader."""
Ending = Literal["crash", "bad access", "undefined behaviour", "hang", "memory"]
"""How a reader's process ended over a document; a sanitizer tells `bad access` and `undefined behaviour`."""
Outcome = Literal[
    "taken", "changed", "refused", "crash", "bad access", "undefined behaviour", "hang", "memory"
]
"""What a reader did with a document; `changed` where it found another value than the document's."""


class Carried(Record):
    """Something that a decoded document has in addition to its data, or lacks."""

    kind: CarriedKind
    """`class` (another one than the language's own), `prototype` (of a foreign class), `getter`,
    `wrapper` (a value behind a method), `renamed`, `own` (further own properties), `inherited`,
    `missing` or `changed`."""
    where: str = ""
    """The place in the document: `items[].x`; empty for its root."""
    what: str = ""
    """Names or values."""


class Fate(Record):
    """What became of one value."""

    probe: str
    """The value's name: `2^53+1n`, a BigInt."""
    mark: Mark
    """`same`, `form` (the same value as another type), `changed` (silently), `refused` (an error),
    `polluted` (the data set an object's prototype) or `failed` (the process ended)."""
    at: Literal["", "write", "read"] = ""
    """`write` or `read`: where it was refused."""
    found: str = ""
    """What came back, or what the library said."""
    peer: str = ""
    """Another library of the format, which brings the value through; its bytes were read too."""
    peer_mark: Literal["", "same", "form", "changed", "refused", "polluted", "failed"] = ""
    """What became of it."""
    peer_found: str = ""
    """What came back from its bytes."""


class Library(Record, kw_only=True):
    """Which library is probed."""

    contender: str
    """Name of the library as shown."""
    contender_id: str
    """`language/contender`."""
    format: str
    """Id of the format."""
    format_name: str = ""
    """The format as shown."""
    library_version: str = ""
    """The version of the package."""

    @property
    def language(self) -> str:
        """The id of its language."""
        return self.contender_id.partition("/")[0]

    @property
    def names(self) -> dict[str, Any]:
        """These fields, for what was found out about the library."""
        return {name: getattr(self, name) for name in Library.__struct_fields__}


class ProbeResult(Library, kw_only=True):
    """What was found out about a library, or why it was not."""

    status: Literal["ok", "failed", "unavailable"] = "ok"
    """Whether it could be probed."""
    reason: str = ""
    """Why it is not `ok`."""


class Fidelity(ProbeResult, kw_only=True):
    """What one library, in one variant, does to odd values, and what its decoded objects carry."""

    variant: str = ""
    """The variant; empty for the plain tests."""
    carries: list[Carried] = msgspec.field(default_factory=list)
    """What was found by looking at decoded records."""
    values: list[Fate] = msgspec.field(default_factory=list)
    """Those that the format has; a schema's has no Date, for example."""


class Attempt(Record):
    """One size that was tried, in a process of its own."""

    megabytes: float
    """Size as JSON; where it failed, an estimate."""
    failure: FailureClass = ""
    """Class of the failure; empty when it went well."""
    seconds: float = 0.0
    """How long it took, with making the data."""


class Payload(ProbeResult, kw_only=True):
    """How large a document one library takes, in one direction, with one heap.

    It `failed` where not even the smallest size went well. The reason is what the library or its runtime
    said at the smallest size that failed, or why none was tried.
    """

    direction: Direction
    """Which of the two."""
    heap_mb: int | None = None
    """Megabytes that were allowed; None for the language's default."""
    heap_limit: int | None = None
    """The limit of the heap in bytes, as the language's runtime reports it."""
    megabytes: float | None = None
    """The largest size that goes, as JSON, of 1,048,576 bytes."""
    rows: int | None = None
    """Its rows."""
    bytes: int | None = None
    """Its encoding's size."""
    failed_megabytes: float | None = None
    """The smallest size that failed; None where the largest that is tried goes."""
    failure: FailureClass = ""
    """Class of that failure: `heap`, `memory` (the machine's), `string length`, `buffer length`, `array
    length`, `stack`, `range error`, `wrong hash`, `time`, `crash`, `error`, or `input` (what is to be
    read cannot be made)."""
    limited_by_input: bool = False
    """The objects alone, or the encoded input, could not be made at the size that failed."""
    attempts: list[Attempt] = msgspec.field(default_factory=list)
    """Every size that was tried, in order."""


class Judged(Record):
    """What a reader did with one document of the cases, where that must be known."""

    case: str
    """The document's name in formats/cases."""
    kind: CaseKind
    """What is unusual about the document."""
    expected: Expected
    """`either` where the specification leaves it to the reader."""
    outcome: Outcome
    """What it did, or how its process ended; `changed` where it found another value than the
    document's."""
    said: str = ""
    """Why it refused the document, how it ended, or that it put other text in the place of invalid UTF-8."""


class ProcessEnd(Record):
    """One way in which a reader ended over damaged encodings."""

    kind: Ending
    """How it ended."""
    times: Natural
    """How often."""
    said: str = ""
    """What the system or the sanitizer said."""
    example: str = ""
    """The first encoding that did it, in hexadecimal digits."""


class Damage(Record):
    """What a reader did with damaged encodings of a document."""

    tried: Natural
    """How many damaged encodings it was given: fewer than `wanted` where it had ended so often that no
    more were tried."""
    wanted: Natural
    """How many it should have been given; it gets no more once it has ended too often."""
    taken: Natural
    """How many it took."""
    sanitizer: Literal["library", "caller", "none"]
    """What the address sanitizer watched: the library too, or only the code that calls it."""
    ends: list[ProcessEnd] = msgspec.field(default_factory=list)
    """How its process ended, and how often."""


class Strict(ProbeResult, kw_only=True):
    """What one reader takes and refuses of the documents that its format allows and forbids."""

    row: str
    """The row's id, `c/mpack:tree:variant`."""
    test: str
    """The row's test."""
    variant: str = ""
    """The row's variant."""
    toolchain: str = ""
    """The compiler or engine of the program that was asked; what another one does is not known."""
    cases: Natural = 0
    """How many documents it was given."""
    judged: list[Judged] = msgspec.field(default_factory=list)
    """Those with which it did not what the specification wants, and those left to it that it took."""
    damage: Damage | None = None
    """What damaged encodings did to it; None where it was given none."""
