"""What the gate is given and what it says."""

from pathlib import Path
from typing import Literal

import msgspec

from serbench.catalog.records import Row
from serbench.verify.proof_cache import Costs
from serbench.worker.records import Doubles, Losses

Status = Literal["ok", "failed", "unavailable", "unsupported"]


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """A row that was built and can be started."""

    row: Row
    command: tuple[str, ...]
    preload: tuple[str, ...] = ()
    """Libraries that come before the system's allocator."""
    configuration: str = ""
    """Tells the builds of one row apart."""
    digest: str = ""
    """The digest of everything that went into its build; empty if nothing of it may be cached."""

    @property
    def key(self) -> str:
        """Names the subject among all that go through the gate together."""
        return f"{self.row.id}@{self.configuration}" if self.configuration else self.row.id


class Verdict(msgspec.Struct, kw_only=True):
    """What the gate found out about one row on one dataset."""

    status: Status
    reason: str = ""
    output: str = ""
    """The last that a failing worker wrote to standard error."""
    labels: list[str] = []
    library_version: str = ""
    bytes: int | None = None
    """The size of the input that a reader decoded, or of the output that a writer made."""
    hash: str = ""
    """The content_hash that a reader found, or the hash of a writer's output."""
    content_hash: str = ""
    exact_hash: str = ""
    verified_by: str = ""
    doubles: Doubles | None = None
    losses: Losses | None = None
    input: Path | None = None
    """The file that the worker is given as its encoded input."""
    input_sha256: str = ""
    words: Path | None = None
    """The file of the words that the worker is given to hash: of the baseline of a reader."""
    written: Path | None = None
    """Where a writer's output stands while the run goes on; None for a large one that was read back."""
    written_sha256: str = ""
    max_rss: int = 0
    """The most memory that the worker had, in bytes."""
    start_seconds: float = 0.0
    """Processor time that it took to start and to load the data, and ..."""
    iteration_seconds: float = 0.0
    """... for one iteration, roughly: what measuring will cost."""

    @property
    def exact(self) -> bool:
        """Whether the row is right and loses nothing."""
        return self.status == "ok" and self.doubles is None and self.losses is None

    def fail(self, reason: str, output: str = "") -> None:
        """The row failed for this reason."""
        self.status, self.reason, self.output = "failed", reason, output

    def take(self, proof: Costs) -> None:
        """Take over of which library a proof is, and what it cost."""
        for name in Costs.__struct_fields__:
            setattr(self, name, getattr(proof, name))
