"""Links between documents lead somewhere, and the page of the architecture has every package."""

import re

from markdown_it import MarkdownIt

from serbench.project import ROOT
from serbench.publish.site.manual import PATTERNS
from tests.catalog.test_imports import ORDER

README_BYTES, METHOD_BYTES, CHANGELOG_BYTES = 7_000, 16_000, 5_000
"""README is a first screen, METHOD is read in ten minutes, CHANGELOG is a page."""


def anchors(text):
    """The anchors that hosting services give to the headings of a document."""
    tokens = MarkdownIt("commonmark").parse(text)
    titles = [tokens[n + 1].children for n, token in enumerate(tokens) if token.type == "heading_open"]
    words = ["".join(each.content for each in title).lower() for title in titles]
    return {re.sub(r"[^\w\- ]", "", title).replace(" ", "-") for title in words}


def test_every_link_leads_to_a_file_and_a_heading():
    wrong, links = [], 0
    for pattern in PATTERNS:
        for path in sorted(ROOT.glob(pattern)):
            for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
                name, _, anchor = target.partition("#")
                if name.startswith(("http:", "https:")):
                    continue
                links += 1
                file = path.parent / name if name else path
                if not file.exists() or (anchor and anchor not in anchors(file.read_text("utf-8"))):
                    wrong.append(f"{path.relative_to(ROOT)}: {target}")
    assert links > 100 and not wrong


def test_the_architecture_has_every_package_and_every_document():
    page = (ROOT / "docs/architecture.md").read_text("utf-8")
    stages = page.partition("| stage |")[2].partition("\n\n")[0]
    assert {*re.findall(r"(?m)^\|[^|]*\| `(\w+)/", stages)} == {*ORDER, "kinds"}
    known = {*re.findall(r"\]\(([\w.-]+\.md)\)", page)}
    missing = {path.name for path in (ROOT / "docs").glob("*.md")} - known - {"architecture.md"}
    assert not missing


def test_what_is_read_first_is_short():
    for name, most in (
        ("README.md", README_BYTES),
        ("METHOD.md", METHOD_BYTES),
        ("CHANGELOG.md", CHANGELOG_BYTES),
    ):
        assert (ROOT / name).stat().st_size <= most, name
