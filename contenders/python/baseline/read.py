"""What every reader pays even if decoding cost nothing: its values are hashed."""

from typing import Any

from serbench_core import Given, Words


def reader(work: Any) -> Given:
    """Yields the words that the hash mixes for the document's values."""
    return Given(Words(work.words))
