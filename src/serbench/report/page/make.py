"""From runs to the one file: script, style, charting library and data put together."""

import base64
import gzip
import hashlib
import re
from functools import cache
from importlib.resources import files
from itertools import chain, count
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from serbench import __version__
from serbench.report.page.data import metrics_data, orders_data, records_data, run_data, run_samples
from serbench.report.page.library import page_charts, script, theme
from serbench.results.schema import SCHEMA_VERSION, SUMMARY_VERSION, Answer, Run
from serbench.results.summary import summary_of
from serbench.text import visible

ASSETS = files("serbench.report.page") / "assets"
MOST_BYTES = 5_000_000


@cache
def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def digest_of(text: str) -> str:
    """Return what the page's security policy calls an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(scripts: list[str], style: str) -> str:
    allowed = " ".join(digest_of(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {digest_of(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _packed(content: bytes) -> str:
    """Return `content` compressed, in letters that mean nothing in HTML."""
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


@cache
def _packed_library() -> str:
    """Return the charting library, which the page unpacks and runs when its tables stand."""
    return _packed(script().encode())


def _assembled(data: dict[str, Any], samples: list[Any], answer: Answer) -> str:
    own = _asset("page.js")
    if re.search(r"</script|<!--", own, re.IGNORECASE):
        raise ValueError("a script of the page would end before its end")
    style = _asset("page.css")
    environment = Environment(
        loader=PackageLoader("serbench.report.page", "assets"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters["visible"] = visible
    return environment.get_template("page.html.j2").render(
        answer=answer,
        policy=Markup(_policy([script(), own], style)),  # noqa: S704 - made above, of digests
        style=Markup(style),  # noqa: S704 - our own source
        library=_packed_library(),
        application=Markup(own),  # noqa: S704 - our own
        data=_packed(msgspec.json.encode(data)),
        samples=_packed(msgspec.json.encode(samples)),
        version=__version__,
    )


def _with_distinct_ids(runs: list[Run]) -> list[Run]:
    """Return `runs` with ids that differ, as the page gives them to dropped files: `name`, `name (2)`."""
    taken: set[str] = set()
    made = []
    for run in runs:
        names = chain([run.id], (f"{run.id} ({number})" for number in count(2)))
        name = next(name for name in names if name not in taken)
        taken.add(name)
        made.append(run if name == run.id else msgspec.structs.replace(run, id=name))
    return made


def page(runs: list[Run]) -> str:
    """Return the page of `runs` as HTML, at most MOST_BYTES of it.

    Where the samples of all rounds do not fit, those of every second, fourth, ... are kept; all figures
    stay those of all samples, and the page says it.
    """
    runs = _with_distinct_ids(runs)
    data = {
        "schema": SCHEMA_VERSION,
        "summary": SUMMARY_VERSION,
        "records": records_data(),
        "metrics": metrics_data(),
        "charts": page_charts(),
        "themes": {name: theme(name) for name in ("light", "dark")},
        "runs": [run_data(run) for run in runs],
        "orders": orders_data(runs),
    }
    answer = summary_of(runs[0]).answer or Answer() if runs else Answer()
    rounds = max((sample.round for run in runs for sample in run.samples), default=0)
    every = 1
    while True:
        made = _assembled({**data, "every": every}, [run_samples(run, every) for run in runs], answer)
        if len(made.encode()) <= MOST_BYTES or every > rounds:
            return made
        every *= 2
