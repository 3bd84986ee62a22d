"""The cases of `serbench strict`: documents that a specification allows or forbids (formats/cases/)."""

from collections.abc import Mapping
from pathlib import Path

import msgspec

from serbench.catalog.load import read_manifest
from serbench.catalog.manifest import Manifest
from serbench.errors import UserError
from serbench.results.probes import CaseKind, Expected


class _Stated(Manifest, frozen=True, kw_only=True):
    """A case as its file has it: a text, or bytes in hexadecimal digits, around which levels may stand."""

    name: str
    paragraph: str
    """The paragraph of the specification."""
    text: str = ""
    hex: str = ""
    open: str = ""
    """What stands before it as many times as there are levels, and `close` after it; hexadecimal digits."""
    close: str = ""
    levels: int = 0
    value: str = ""

    @property
    def document(self) -> bytes:
        """The bytes of the case. Raises ValueError for what are no hexadecimal digits."""
        inner = bytes.fromhex(self.hex) or self.text.encode()
        return bytes.fromhex(self.open) * self.levels + inner + bytes.fromhex(self.close) * self.levels


class _Cases(Manifest, frozen=True, kw_only=True):
    """formats/cases/<format>.toml."""

    specification: str
    cases: Mapping[CaseKind, Mapping[Expected, list[_Stated]]]


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """A document, and what a reader is to do with it."""

    name: str
    kind: CaseKind
    expected: Expected
    document: bytes
    paragraph: str
    value: str = ""
    """What the reader must find, as JSON; empty where only it is asked whether it takes the document."""


def load_cases(root: Path, format_id: str) -> list[Case]:
    """The cases of a format; none where it has no file of them. Raises UserError for a bad file."""
    path = root / "formats" / "cases" / f"{format_id}.toml"
    if not path.is_file():
        return []
    stated = read_manifest(path, _Cases)
    try:
        cases = [
            Case(
                name=each.name,
                kind=kind,
                expected=expected,
                document=each.document,
                paragraph=f"{stated.specification}, {each.paragraph}",
                value=each.value,
            )
            for kind, by_expected in stated.cases.items()
            for expected, listed in by_expected.items()
            for each in listed
        ]
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    if not any(case.expected == "accept" and case.value is not None for case in cases):
        raise UserError(f"{path}: no case to accept has a value")
    if len({(case.kind, case.name) for case in cases}) < len(cases):
        raise UserError(f"{path}: two cases of a kind have the same name")
    return cases
