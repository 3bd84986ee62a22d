"""The project's documentation as HTML: Markdown files whose links lead to each other."""

import base64
import posixpath
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

PATTERNS = ("README.md", "METHOD.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/*.md", "docs/results/*.md")
COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
"""Marks between which a program writes."""
PICTURES = {".svg": "image/svg+xml", ".png": "image/png"}


class Manual(NamedTuple):
    """A document."""

    title: str
    html: str


def manual(root: Path) -> dict[str, Manual]:
    """Return the documents of the project at `root`, by their paths from there, `docs/metrics.md`.

    A link to another document leads to its page; one to any other file of the project is none.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parsed = {
        path.relative_to(root).as_posix(): parser.parse(COMMENT.sub("", path.read_text(encoding="utf-8")))
        for pattern in PATTERNS
        for path in sorted(root.glob(pattern))
    }
    anchors = {name: _name_headings(tokens) for name, tokens in parsed.items()}
    made = {}
    for name, tokens in parsed.items():
        for token in tokens:
            if token.children:
                token.children = _working_links(token.children, name, anchors, root)
            if token.type == "table_open":  # it may be scrolled
                token.attrSet("tabindex", "0")
            if "right" in str(token.attrs.pop("style", "")):  # a page allows no style of an element
                token.attrSet("class", "right")
        title = next((tokens[n + 1].content for n, token in enumerate(tokens) if token.tag == "h1"), name)
        made[name] = Manual(title, parser.renderer.render(tokens, parser.options, {}))
    return made


def _name_headings(tokens: Sequence[Token]) -> set[str]:
    """Give headings the anchors that hosting services give them, and return these."""
    found: dict[str, int] = {}
    for number, token in enumerate(tokens):
        if token.type != "heading_open":
            continue
        words = "".join(each.content for each in tokens[number + 1].children or [])
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
        times = found[anchor] = found.get(anchor, -1) + 1
        token.attrSet("id", f"{anchor}-{times}" if times else anchor)
    return {f"{anchor}-{n}" if n else anchor for anchor, times in found.items() for n in range(times + 1)}


def _working_links(
    tokens: Sequence[Token], name: str, anchors: dict[str, set[str]], root: Path
) -> list[Token]:
    """Return the tokens of a line with links that lead somewhere, and pictures that are whole."""
    made: list[Token] = []
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")), name, anchors)
            kept.append(target is not None)
            if target is None:
                continue
            token.attrSet("href", target)
        elif token.type == "link_close" and not kept.pop():
            continue
        elif token.type == "image":
            path = (root / name).parent / str(token.attrGet("src"))
            data = base64.b64encode(path.read_bytes()).decode()
            token.attrSet("src", f"data:{PICTURES[path.suffix]};base64,{data}")
        made.append(token)
    return made


def _target(href: str, name: str, anchors: dict[str, set[str]]) -> str | None:
    """Return where a link of the document `name` leads on the site; None for a file that is not there."""
    parts = urlsplit(href)
    if parts.scheme:
        return href if parts.scheme in ("http", "https") else None
    folder = posixpath.dirname(name)
    path = posixpath.normpath(posixpath.join(folder, parts.path)) if parts.path else name
    if path not in anchors:
        return None
    fragment = f"#{parts.fragment}" if parts.fragment in anchors[path] else ""
    page = posixpath.relpath(path, folder or ".").removesuffix(".md") + ".html"
    return fragment if path == name and fragment else page + fragment
