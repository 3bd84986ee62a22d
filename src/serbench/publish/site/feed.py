"""The proved changes as an Atom feed (RFC 4287)."""

import re
import uuid
from collections.abc import Sequence
from urllib.parse import urljoin
from xml.etree import ElementTree

from serbench import text
from serbench.publish.history.report import versions_of
from serbench.publish.history.timeline import Change

ATOM = "http://www.w3.org/2005/Atom"
"""A namespace, and no address that anything is loaded from."""
MOST_ENTRIES = 100
NEVER = "1970-01-01T00:00:00Z"
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def sentence(change: Change) -> str:
    """Return a change in words."""
    found = change.point.judgement
    name = f"{change.series.contender}: {change.series.name}"
    if found is None or change.point.event == "no figures":
        return f"{name} has no figures any more: {change.point.reason or change.point.status}"
    ratio = "" if found.ratio is None else f", {found.ratio:.3f} times the time"
    interval = "" if found.low is None else f" ({found.low:.3f} to {found.high:.3f})"
    version = versions_of(change)
    return f"{name} is {change.point.event}{ratio}{interval}" + (f"; version {version}" if version else "")


def feed(changes: Sequence[Change], links: Sequence[str], address: str) -> bytes:
    """Return the feed of `changes`, the newest first, with the page of each.

    `address` is the site's; without it links are relative.
    """
    ElementTree.register_namespace("", ATOM)
    root = ElementTree.Element(f"{{{ATOM}}}feed")
    _add(root, "title", "serbench: proved changes")
    _add(root, "id", f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, address or 'serbench')}")
    _add(root, "updated", _date(changes[0].run.started if changes else ""))
    _add(_add(root, "author"), "name", "serbench")
    if address:
        _add(root, "link", rel="self", href=urljoin(address, "feed.xml"))
    _add(root, "link", rel="alternate", href=urljoin(address, "changes.html"))
    for change, link in list(zip(changes, links, strict=True))[:MOST_ENTRIES]:
        entry = _add(root, "entry")
        said = text.visible(sentence(change))
        _add(entry, "title", said)
        name = f"{change.run.digest} {change.old.digest} {change.point.row}"
        _add(entry, "id", f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, name)}")
        _add(entry, "updated", _date(change.run.started))
        _add(entry, "link", rel="alternate", href=urljoin(address, link))
        old, machine = map(text.visible, (change.old.day, change.run.machine.title))
        _add(entry, "summary", f"{said}. Compared with the run of {old} on {machine}.")
    ElementTree.indent(root)
    return bytes(ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)) + b"\n"


def _date(started: str) -> str:
    return started if _DATE.fullmatch(started) else NEVER


def _add(parent: ElementTree.Element, name: str, content: str = "", **attributes: str) -> ElementTree.Element:
    made = ElementTree.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
    made.text = content or None
    return made
