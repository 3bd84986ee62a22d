"""The builders of harnesses that are not native, by the name that a harness's manifest gives."""

from serbench.build.bench import Bench, BuildRow, Bundle
from serbench.build.javascript import build_javascript, bundle_javascript
from serbench.build.zig import build_zig, build_zig_static

__all__ = ["BUILDERS", "BUNDLERS", "STATIC_BUILDERS", "Bench", "BuildRow"]

BUILDERS: dict[str, BuildRow] = {"javascript": build_javascript, "zig": build_zig}

STATIC_BUILDERS: dict[str, BuildRow] = {"zig": build_zig_static}
"""The same for a program that is linked statically, for its size; what has none is not here."""

BUNDLERS: dict[str, Bundle] = {"javascript": bundle_javascript}
"""Where what is shipped is a bundle of sources and no executable."""
