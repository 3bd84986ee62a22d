"""What is known of a contender beside its limits and labels: `[known]` and `[[since]]` of its manifest."""

from serbench.catalog.manifest import Manifest


class Since(Manifest, frozen=True, kw_only=True):
    """What no longer holds from a version of the library on."""

    version: str
    """The first one, for example `7.0.0`."""
    without_labels: list[str] = []
    outputs: dict[str, list[str]] = {}
    """In place of those in `Expected`."""


class Fault(Manifest, frozen=True, kw_only=True):
    """What a library does wrong with documents that its limits allow."""

    documents: list[str]
    """The names of documents of the tests."""
    rows: list[str] = []
    """Tests with their variants, such as `write:reuse`; all if none is named."""
    label: str = ""
    """Only rows that have this label, such as one of a source."""
    ends: str = ""
    """How the reason ends for which the proof fails."""
    why: str = ""


class Expected(Manifest, frozen=True, kw_only=True):
    """What tests expect of a contender beside its limits and labels; rows are named `write` or `write:reuse`.

    A row that does otherwise is a finding: its library has changed, or its adapter.
    """

    moves_keys: list[str] = []
    """Readers of a native language that lose the order of keys."""
    outputs: dict[str, list[str]] = {}
    """By writer: hash and bytes of what it makes of generated:2, and of generated:4."""
    other_bytes: dict[str, str] = {}
    """By row of `serialize`: why it writes other bytes than the library's own writer."""
    mistakes: list[Fault] = []
    """Documents for which the proof fails."""
    unseen: list[Fault] = []
    """Documents beyond its limits for which the proof does not fail."""
