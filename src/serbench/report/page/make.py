"""From runs to the one file: sources, charting library and data put together."""

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
from serbench.report.page.data import run_data, run_samples
from serbench.report.page.library import CHART_NAMES, chart, script, theme
from serbench.results.schema import SCHEMA_VERSION, Run

SOURCES = files("serbench.report.page") / "sources"
MOST_BYTES = 5_000_000
FIRST_MODULE = "main.mjs"
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./([a-z]+\.mjs)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE)


def _source(name: str) -> str:
    return (SOURCES / name).read_text(encoding="utf-8")


def _wrapped(name: str, source: str) -> str:
    """Return a module as a function's body, whose value is an object of what the module exports."""
    exported = ", ".join(_EXPORT.findall(source))
    taken = _IMPORT.sub(lambda m: f"const {m[1].replace(' as ', ': ')} = {_variable(m[2])};\n", source)
    body = _EXPORT.sub("", taken)
    return f"const {_variable(name)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def _variable(name: str) -> str:
    return "$" + name.removesuffix(".mjs")


@cache
def application() -> str:
    """Return the page's own modules as one script, each after those that it imports.

    A file that is opened from disk cannot import its parts; each keeps a scope of its own here.
    """
    parts: dict[str, str] = {}

    def add(name: str, under: tuple[str, ...]) -> None:
        if name in under:
            raise ValueError(f"modules import each other: {' '.join([*under, name])}")
        if name not in parts:
            source = _source(name)
            for _, needed in _IMPORT.findall(source):
                add(needed, (*under, name))
            parts[name] = _wrapped(name, source)

    add(FIRST_MODULE, ())
    return '"use strict";\n' + "".join(parts.values())


def _digest(text: str) -> str:
    """Return what the page's security policy calls an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _policy(scripts: list[str], style: str) -> str:
    allowed = " ".join(_digest(script) for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_digest(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )


def _packed(content: bytes) -> str:
    """Return `content` compressed, in letters that mean nothing in HTML."""
    return base64.b64encode(gzip.compress(content, mtime=0)).decode()


@cache
def _packed_library() -> str:
    """Return the charting library, which the page unpacks and runs when its tables stand."""
    return _packed(script().encode())


def by_field(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the values of `rows`, which all have the same fields, field by field.

    So names stand there once: half as much to unpack, and a third less to send.
    """
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def _assembled(data: dict[str, Any], samples: list[Any]) -> str:
    own = application()
    if re.search(r"</script|<!--", own, re.IGNORECASE):
        raise ValueError("a script of the page would end before its end")
    style = _source("page.css")
    environment = Environment(
        loader=PackageLoader("serbench.report.page", "sources"), autoescape=True, undefined=StrictUndefined
    )
    return environment.get_template("page.html.j2").render(
        policy=Markup(_policy([script(), own], style)),  # noqa: S704 - made above, of digests
        style=Markup(style),  # noqa: S704 - our own source
        library=_packed_library(),
        application=Markup(own),  # noqa: S704 - our own
        data=_packed(msgspec.json.encode(data)),
        samples=_packed(msgspec.json.encode(samples)),
        version=__version__,
    )


def _told_apart(runs: list[Run]) -> list[Run]:
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
    runs = _told_apart(runs)
    every = 1
    while True:
        whole = [run_data(run, every) for run in runs]
        made = _assembled(
            {
                "schema": SCHEMA_VERSION,
                "charts": {name: chart(name) for name in CHART_NAMES},
                "themes": {name: theme(name) for name in ("light", "dark")},
                "runs": [data | {"rows": by_field(data["rows"])} for data in whole],
            },
            [run_samples(run, every) for run in runs],
        )
        rounds = max((sample.round for run in runs for sample in run.samples), default=0)
        if len(made.encode()) <= MOST_BYTES or every > rounds:
            return made
        every *= 2
