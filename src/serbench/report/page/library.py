"""The charting library of the page and of the static plots: Vega, as the package vl-convert-python carries
it.

One package, pinned and hashed like every other, has both: the script for the page, and the program that
draws the same charts as SVG and PNG without a browser. Vega's expressions can be interpreted in place of
being compiled, so the page's security policy need not allow `eval`.
"""

import json
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, NamedTuple

from serbench.errors import UserError
from serbench.kinds import found

CHARTS = files("serbench.report.page") / "assets" / "charts"
CHART_NAMES = ("ranking", "pareto", "samples", "improvement", "bandwidth", "gain", "targets")
"""The charts of the page; kinds of run add theirs."""
_EXPORTED = "globalThis.vegaEmbed = vegaEmbed;"


class KindChart(NamedTuple):
    """A chart that a kind of run adds to the page and the plots."""

    name: str
    file: Traversable
    """Its Vega specification."""


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
    of_kinds = {chart.name: chart.file for chart in found(KindChart)}
    return of_kinds.get(name, CHARTS / f"{name}.json").read_text(encoding="utf-8")


def chart(name: str) -> dict[str, Any]:
    """Return the Vega specification of a chart, one of the page's or of the static plots'.

    Its data `rows` are empty.
    """
    made: dict[str, Any] = json.loads(_chart_text(name))
    return made


def page_charts() -> dict[str, dict[str, Any]]:
    """Return the specifications of the page's charts by their names."""
    return {name: chart(name) for name in (*CHART_NAMES, *(each.name for each in found(KindChart)))}


@cache
def theme(name: str) -> dict[str, Any]:
    """Return the Vega configuration `light` or `dark`."""
    themes: dict[str, dict[str, Any]] = json.loads(_chart_text("themes"))
    return themes[name]


def svg(spec: dict[str, Any]) -> str:
    """Return the picture that `spec` describes as SVG."""
    return str(_library().vega_to_svg(spec))


def png(spec: dict[str, Any]) -> bytes:
    """Return the picture that `spec` describes as PNG, two pixels to the unit."""
    return bytes(_library().vega_to_png(spec, scale=2.0))
