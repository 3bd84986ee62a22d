"""The builders of harnesses that are not native, by the name that a harness's manifest gives."""

from serbench.build.bench import Bench, BuildRow
from serbench.build.javascript import build_javascript
from serbench.build.zig import build_zig

__all__ = ["BUILDERS", "Bench", "BuildRow"]

BUILDERS: dict[str, BuildRow] = {"javascript": build_javascript, "zig": build_zig}
