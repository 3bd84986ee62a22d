"""The gate for firmware: what a target read and wrote must have the host's hashes."""

import struct

from serbench.catalog.records import Contender
from serbench.datasets.float32 import narrowed
from serbench.platforms.firmware.decode import numbers
from serbench.platforms.firmware.documents import Document, narrow_hash
from serbench.platforms.firmware.emulate import FirmwareFailed, Report
from serbench.platforms.records import Microcontroller

LARGEST_CHANGE = 1e-4
"""A decimal that is further off than this, relatively, is wrong and not rounded."""


def why_unsupported(contender: Contender, target: Microcontroller, document: Document) -> str:
    """Why the library cannot take the document by what its manifest states; empty if it can."""
    if contender.manifest.firmware.needs_double > target.double_bits:
        return f"it needs doubles of 64 bits, and this target's have {target.double_bits}"
    if contender.generated:
        made = document.canonical(contender.manifest.format)
        if made.unsupported:
            return made.reason
        if made.encoded is not None and not made.encoded.bytes:
            return "as a message it has no bytes: a null is an absent field"
    return unsupported_data(contender, document, double_bits=target.double_bits)


def unsupported_data(contender: Contender, document: Document, *, double_bits: int) -> str:
    """Why the library cannot take the document if doubles have `double_bits` bits; empty if it can."""
    limit = contender.manifest.limits.depth
    if limit and document.depth > limit:
        return f"it takes containers nested {limit} deep at most, and these are {document.depth} deep"
    least, largest = document.integers
    if contender.manifest.firmware.integers == "32-bit" and not -(2**31) <= least <= largest < 2**32:
        return "integers have 32 bits in its embedded mode"
    if contender.manifest.firmware.integers == "double":
        bits = 53 if double_bits == 64 else 24
        if any(isinstance(n, int) and not _fits(n, bits) for n in numbers(document.tree)):
            return f"its numbers are doubles, which on this target hold integers of {bits} bits"
    return ""


def _fits(integer: int, bits: int) -> bool:
    """Whether a float with a mantissa of `bits` bits holds the integer."""
    magnitude = abs(integer)
    return (
        magnitude >> max(0, magnitude.bit_length() - bits) << max(0, magnitude.bit_length() - bits)
        == magnitude
    )


def judge(document: Document, format_id: str, report: Report) -> list[str]:
    """The labels that a row earns; raises FirmwareFailed with the reason if it is wrong."""
    content, exact = document.hashes
    labels: list[str] = []
    wanted = [narrowed(number) for number in numbers(document.tree)]
    if report.content != content:
        raise FirmwareFailed(f"it decoded wrong values: content_hash {report.content}, not {content}")
    if report.exact != exact:
        read = [struct.unpack("<f", struct.pack("<I", bits))[0] for bits in report.numbers]
        labels.append(f"changes decimals when reading, by up to {_change(wanted, read):.1g}")
    try:
        tree = document.decoded(report.output, format_id)
    except (ValueError, struct.error, RecursionError) as error:
        raise FirmwareFailed(f"its output cannot be read: {error}") from error
    found = narrow_hash(tree, exact=False)
    if found != content:
        raise FirmwareFailed(f"it encoded wrong values: content_hash {found}, not {content}")
    if narrow_hash(tree, exact=True) != exact:
        change = _change(wanted, [narrowed(number) for number in numbers(tree)])
        labels.append(f"changes decimals when writing, by up to {change:.1g}")
    return labels


def _change(wanted: list[float], found: list[float]) -> float:
    """The largest relative difference. Raises FirmwareFailed for one that no rounding explains."""
    if len(wanted) != len(found):
        raise FirmwareFailed(f"it has {len(found)} numbers where the document has {len(wanted)}")
    differences = [abs(a - b) / max(abs(a), abs(b)) for a, b in zip(wanted, found, strict=True) if a != b]
    largest = max(differences, default=0.0)
    if not largest <= LARGEST_CHANGE:
        raise FirmwareFailed(f"it changes decimals by up to {largest:.1g}")
    return largest
