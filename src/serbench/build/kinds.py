"""The builders of harnesses that are not native, by the name that a harness's manifest gives."""

from serbench.build.bench import Bench, BuildRow
from serbench.build.javascript import build_javascript
from serbench.build.zig import build_zig, build_zig_static

__all__ = ["BUILDERS", "STATIC_BUILDERS", "Bench", "BuildRow"]

BUILDERS: dict[str, BuildRow] = {"javascript": build_javascript, "zig": build_zig}

STATIC_BUILDERS: dict[str, BuildRow] = {"zig": build_zig_static}
"""The same for a program that is linked statically, for its size; what has none is not here."""
