"""The builders of harnesses that are not native, by the name that a harness's manifest gives."""

from collections.abc import Callable

import msgspec

from serbench.build.records import Built
from serbench.build.store import Fingerprints, Store
from serbench.catalog.records import Catalog, Profile, Row
from serbench.provision.records import Provided


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """What every builder works with."""

    catalog: Catalog
    store: Store
    prints: Fingerprints


BuildRow = Callable[[Bench, Row, Provided, Profile], Built]
"""Builds one row. Raises BuildFailed."""

BUILDERS: dict[str, BuildRow] = {}
