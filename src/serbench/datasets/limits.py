"""Whether a dataset is within the limits that a format or a library states."""

from collections.abc import Sequence

from serbench.catalog.contender import Limits
from serbench.catalog.records import ANY_SCHEMA
from serbench.datasets.store import Facts

I64_MAX, U64_MAX = 2**63 - 1, 2**64 - 1
SAFE = 2**53 - 1
MEBIBYTE = 2**20


def without_schema(schemas: Sequence[str], schema: str) -> str | None:
    """Why a contender that needs one of `schemas` cannot take data with `schema`; None if it can."""
    if not schemas or schema in schemas or ANY_SCHEMA in schemas:
        return None
    if not schema:
        return "it needs a schema, and this dataset has none"
    return f"its schema is not that of this dataset ({schema})"


def beyond(limits: Limits, facts: Facts, encoded_bytes: int | None = None) -> str | None:
    """Which of the `limits` the dataset exceeds, as the end of a sentence; None if none.

    `encoded_bytes` is the size of its canonical encoding, None if that is not known.
    """
    if limits.megabytes is not None and (encoded_bytes or 0) > limits.megabytes * MEBIBYTE:
        return f"takes {(encoded_bytes or 0) / MEBIBYTE:.0f} MiB, and {limits.megabytes} MiB is the most"
    if limits.depth is not None and facts.depth > limits.depth:
        return f"is nested {facts.depth} deep, and {limits.depth} is the most"
    if limits.integers in ("i64", "63-bit") and facts.largest_positive > I64_MAX:
        return f"has integers above 2^63-1 ({facts.largest_positive})"
    if limits.integers == "63-bit" and facts.most_negative < -I64_MAX:
        return "has the integer -2^63"
    if limits.integers == "53-bit" and max(facts.largest_positive, -facts.most_negative) > SAFE:
        return "has integers beyond 2^53-1"
    if limits.nul == "none" and facts.nul_in_values:
        return "has a NUL in a string"
    if limits.nul in ("none", "values") and facts.nul_in_keys:
        return "has a NUL in a key"
    if limits.root == "map" and facts.root != "map":
        return f"has {'an' if facts.root == 'array' else 'a'} {facts.root} at its root"
    return None
