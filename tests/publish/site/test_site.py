"""A site of run files: every link of it leads somewhere, it asks for nothing, and a browser shows it well."""

import json
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urljoin, urlsplit
from xml.etree import ElementTree

import msgspec
import pytest

from serbench.errors import UserError
from serbench.project import ROOT
from serbench.publish.site.build import build
from serbench.publish.site.feed import ATOM
from serbench.publish.site.folder import LIST, write_site
from tests.page.conftest import chromium, node, packages, toolchain_of_node  # noqa: F401 - fixtures
from tests.page.runs import emulated_run, written
from tests.publish.history.runs import small_run, write
from tests.publish.history.test_history import hostile

HERE = Path(__file__).parent
LOADING = {"src", "srcset", "poster", "data", "action", "background"}
"""Attributes that a browser loads, or sends to, at once."""


class Page(HTMLParser):
    """Links, anchors, and what a page loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take what a tag names."""
        found = {name: value or "" for name, value in attrs}
        self.anchors += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.loads += [found[name] for name in LOADING & found.keys()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of five runs of one machine, two hostile ones of another, one of counts and a damaged file."""
    folder = tmp_path_factory.mktemp("runs")
    runs = [small_run(0), small_run(1), small_run(2, MPack=1.3), small_run(3, MPack=1.3)]
    write(folder, *runs, small_run(4, MPack=0.8))
    for number in (1, 2):
        (folder / f"hostile {number}.json").write_bytes(written(hostile(number)))
    (folder / "emulated.json").write_bytes(written(emulated_run()))
    (folder / "damaged.json").write_text("{")
    target = tmp_path_factory.mktemp("site")
    write_site(build(folder, folder / "store", ROOT, "https://example.org/results/"), target)
    return target


def test_every_link_leads_somewhere_and_nothing_is_loaded(site: Path):
    names = (site / LIST).read_text().splitlines()
    assert sorted(names) == sorted(
        p.relative_to(site).as_posix() for p in site.rglob("*") if p.is_file() and p.name != LIST
    )
    pages = {name: Page((site / name).read_text("utf-8")) for name in names if name.endswith(".html")}
    count = 0
    for name, page in pages.items():
        assert not [each for each in page.loads if not each.startswith("data:image/")], name
        if name.startswith("runs/"):  # which its script fills
            continue
        assert len(set(page.anchors)) == len(page.anchors), name
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("http", "https"), (name, link)
                continue
            target = urljoin(name, parts.path) if parts.path else name
            assert target in names, (name, link)
            assert not parts.fragment or parts.fragment in pages[target].anchors, (name, link)
            count += 1
    assert count > 500
    listed = {urljoin("runs.html", link) for link in pages["runs.html"].links}
    assert {name for name in pages if name.startswith("runs/")} <= listed
    assert len(listed & pages.keys() - {"runs.html"}) >= 8


def test_the_first_page_answers_and_tells_what_changed(site: Path):
    text = re.sub(r"<[^>]+>", " ", (site / "index.html").read_text("utf-8"))
    words = " ".join(text.split())
    assert "MPack: tree generated:2 is faster, 0.6" in words and "is slower, 1.3" in words
    assert re.search(r"MessagePack language fastest to read C MPack 4\.0\d µs", words)
    assert re.search(r"MessagePack 2,367 0\.744", words)
    other = (site / "machine-2.html").read_text("utf-8")
    assert "Other machines, whose figures are never compared" in words and "4.00 µs" not in other


def test_the_feed_has_the_changes(site: Path):
    root = ElementTree.fromstring((site / "feed.xml").read_bytes())  # noqa: S314 - our own
    entries = root.findall(f"{{{ATOM}}}entry")
    titles = [entry.findtext(f"{{{ATOM}}}title") or "" for entry in entries]
    assert [title.split(",")[0] for title in titles] == [
        "MPack: tree generated:2 is faster",
        "MPack: tree generated:2 is slower",
    ]
    assert [entry.findtext(f"{{{ATOM}}}updated") for entry in entries] == [
        "2026-01-06T03:04:05Z",
        "2026-01-04T03:04:05Z",
    ]
    links = [entry.find(f"{{{ATOM}}}link") for entry in entries]
    assert {each.get("href") for each in links if each is not None} == {
        "https://example.org/results/libraries/c-mpack.html"
    }
    assert len({entry.findtext(f"{{{ATOM}}}id") for entry in entries}) == 2


def test_a_folder_with_other_files_is_refused_and_an_earlier_site_replaced(tmp_path: Path):
    pages = [("index.html", b"1"), ("a/b.html", b"2")]
    assert write_site(pages, tmp_path / "site") == 2
    (tmp_path / "site" / "mine").write_text("precious")
    (tmp_path / "precious").write_text("precious")
    with (tmp_path / "site" / LIST).open("a") as file:
        file.write(f"../precious\n{tmp_path}/precious\n")
    write_site(pages[:1], tmp_path / "site")
    left = {path.name for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert left == {"index.html", "mine", LIST} and (tmp_path / "precious").exists()
    with pytest.raises(UserError, match="has other files than those of a site"):
        write_site(pages, tmp_path)
    with pytest.raises(UserError, match="it is not a folder"):
        write_site(pages, tmp_path / "precious")


def test_in_a_browser(
    site: Path,
    node: Path,  # noqa: F811
    packages: Path,  # noqa: F811
    chromium: str,  # noqa: F811
    tmp_path: Path,
):
    """At a phone's width and at a desk's: no request, no error, nothing too wide, and axe is content."""
    evil = next((site / "libraries").glob("*script*")).name
    pages = ["index.html", "machine-2.html", "changes.html", "libraries.html", "runs.html"]
    pages += ["libraries/c-mpack.html", f"libraries/{evil}", "manual/METHOD.html", "manual/README.html"]
    plan = tmp_path / "plan.json"
    told = {"packages": str(packages), "chromium": chromium, "site": str(site), "pages": pages}
    plan.write_text(json.dumps(told))
    done = subprocess.run(
        [node, HERE / "drive.mjs", plan],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    assert len(found) == 2 * len(pages)
    assert not [each for each in found if each["wrong"]]
