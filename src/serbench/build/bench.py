"""What the builders of harnesses that are not native are given, and what they are."""

from collections.abc import Callable
from pathlib import Path

import msgspec

from serbench.build.records import Built
from serbench.build.store import Fingerprints, Store
from serbench.catalog.records import Catalog, Profile, Row
from serbench.provision.records import Provided


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """What every builder works with."""

    catalog: Catalog
    store: Store
    fingerprints: Fingerprints


BuildRow = Callable[[Bench, Row, Provided, Profile], Built]
"""Builds one row. Raises BuildFailed."""

Bundle = Callable[[Bench, Built], Path]
"""Makes the compressed bundle of a built row. Raises BuildFailed."""
