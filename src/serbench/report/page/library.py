"""The charting library of the page and of the static plots: Vega, as the package vl-convert-python carries
it.

One package, pinned and hashed like every other, has both: the script for the page, and the program that
draws the same charts as SVG and PNG without a browser. Vega's expressions can be interpreted in place of
being compiled, so the page's security policy need not allow `eval`.
"""

import json
from functools import cache
from importlib.resources import files
from types import ModuleType
from typing import Any

from serbench.errors import UserError

CHARTS = files("serbench.report.page") / "assets" / "charts"
CHART_NAMES = ("ranking", "pareto", "samples", "improvement", "bandwidth", "gain", "targets", "growth")
_EXPORTED = "globalThis.vegaEmbed = vegaEmbed;"


def _library() -> ModuleType:
    try:
        import vl_convert  # 90 MB, which no other command should load
    except ImportError as error:
        raise UserError(f"the page's charts cannot be made: {error}") from error
    return vl_convert


@cache
def script() -> str:
    """Return the library as one script that sets `vegaEmbed`. It takes a second or more the first time."""
    return str(_library().javascript_bundle(_EXPORTED))


@cache
def _chart_text(name: str) -> str:
    return (CHARTS / f"{name}.json").read_text(encoding="utf-8")


def chart(name: str) -> dict[str, Any]:
    """Return the Vega specification of a chart, one of CHART_NAMES; its data `rows` are empty."""
    made: dict[str, Any] = json.loads(_chart_text(name))
    return made


@cache
def theme(name: str) -> dict[str, Any]:
    """Return the Vega configuration `light` or `dark`."""
    themes: dict[str, dict[str, Any]] = json.loads(_chart_text("themes"))
    return themes[name]


def svg(spec: dict[str, Any]) -> str:
    """Return the picture that `spec` describes as SVG."""
    return str(_library().vega_to_svg(spec))


def png(spec: dict[str, Any], scale: float = 2.0) -> bytes:
    """Return the picture that `spec` describes as PNG, `scale` pixels to the unit."""
    return bytes(_library().vega_to_png(spec, scale=scale))
