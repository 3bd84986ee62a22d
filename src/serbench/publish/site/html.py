"""Pages from templates: each is one file with its style, and loads nothing."""

import base64
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from serbench import __version__
from serbench.report.document import Footnotes, Table
from serbench.report.page.make import digest_of
from serbench.text import visible

PLACES = {
    "index.html": "Answers",
    "changes.html": "Changes",
    "libraries.html": "Libraries",
    "runs.html": "Runs",
    "manual/METHOD.html": "Method",
}


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    right: bool
    link: str = ""


class Grid(NamedTuple):
    """A table as a template shows it."""

    title: str
    heads: list[Cell]
    rows: list[list[Cell]]
    notes: list[str]


def grid(table: Table, links: list[str] | None = None, at: int = 0) -> Grid:
    """Return `table` for a template; `links` has where the cell of column `at` leads in each row."""
    used = table.used
    columns = [table.columns[number] for number in used]
    has_notes = any(row.notes for row in table.rows)
    notes = Footnotes()
    rows = []
    for number, row in enumerate(table.rows):
        link = links[number] if links else ""
        cells = [
            Cell(visible(column.show(row.cells[place])), column.align != "left", link if place == at else "")
            for place, column in zip(used, columns, strict=True)
        ]
        rows.append([*cells, Cell(notes.marks(row.notes, ", "), False)] if has_notes else cells)
    heads = [Cell(visible(column.name or column.title), column.align != "left") for column in columns]
    heads += [Cell("notes", False)] if has_notes else []
    return Grid(visible(table.title), heads, rows, list(map(visible, notes.sentences)))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("serbench.publish.site", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["visible"] = visible
    return made


@cache
def _style() -> str:
    return (files("serbench.publish.site") / "assets" / "site.css").read_text(encoding="utf-8")


def picture(svg: str) -> str:
    """Return a picture as an address that holds all of it."""
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def page(template: str, path: str, title: str, **values: object) -> bytes:
    """Return the page at `path` of the site, made of a template of assets/."""
    policy = f"default-src 'none'; style-src {digest_of(_style())}; img-src data:; base-uri 'none'; "
    return (
        _environment()
        .get_template(f"{template}.html.j2")
        .render(
            policy=Markup(policy + "form-action 'none'"),  # noqa: S704 - made of a digest
            style=Markup(_style()),  # noqa: S704 - our own
            title=title,
            root="../" * path.count("/"),
            here=path,
            places=PLACES.items(),
            version=__version__,
            **values,
        )
        .encode()
    )
