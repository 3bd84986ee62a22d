"""The sizes of ten documents that were published with the times of six boards in 2021, and ours.

The documents themselves are ours: of the same kinds, with other texts.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.kinds.conformance2016.hashes import Finding, Outcome
from serbench.platforms.firmware.decode import numbers
from serbench.platforms.firmware.documents import Document, Stated, narrow_hash
from serbench.provision.process import run

BOARDS = "2021 boards with ArduinoJson 6.18.0 (bytes of JSON and MessagePack)"
LIBRARY = "ArduinoJson"
"""What wrote the documents then."""
WRITERS = {f"{LIBRARY} 6": "arduinojson-6", f"{LIBRARY} 7": "arduinojson-7"}
"""The tools (harness/c/harness.toml) that write them with a major version of it."""
FORMATS = ("json", "messagepack")
"""Those whose sizes were published, in this order."""


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """What a library makes of the documents, or why that is not known."""

    name: str
    """The library with its version."""
    outputs: list[tuple[bytes, bytes]] = []
    """Each document in FORMATS, in the documents' order."""
    reason: str = ""
    """Why there are no outputs."""


def written_by(name: str, tool: Path, files: Sequence[Path]) -> Written:
    """What one of WRITERS, built as `tool`, makes of the JSON documents in `files`."""
    done = run([tool, *files])
    version, *lines = done.output.splitlines() or [""]
    if not done.ok:
        return Written(name=name, reason=f"it ends with status {done.status}: {done.tail(1)}")
    if f"{LIBRARY} {version}".partition(".")[0] != name:
        return Written(name=name, reason=f"the copy that was found is version {version}")
    pairs = [[bytes.fromhex(output) for output in line.split()] for line in lines]
    return Written(name=f"{LIBRARY} {version}", outputs=[(json, packed) for json, packed in pairs])


def sizes_published(
    stated: Sequence[Stated], documents: Sequence[Document], writers: Sequence[Written]
) -> list[Finding]:
    """A finding for each pair of published sizes and our encodings, and each of `writers`.

    `stated` are `documents`, in the same order. Sizes are bytes of JSON and of MessagePack.
    """
    own = [_encodings(document) for document in documents]
    found: list[Finding] = []
    for number, (one, encodings) in enumerate(zip(stated, own, strict=True)):
        found.append(_finding(one, "our encodings", _sizes(encodings)))
        for writer in writers:
            if writer.reason:
                found.append(_finding(one, writer.name, "", writer.reason, "unavailable"))
                continue
            output = writer.outputs[number]
            wide = _wide_floats(output, encodings, documents[number])
            outcome: Outcome = "explained" if wide else "unexplained"
            found.append(_finding(one, writer.name, _sizes(output), wide, outcome))
    return found


def _encodings(document: Document) -> tuple[bytes, bytes]:
    json, packed = (document.encoded(name) for name in FORMATS)
    return json, packed


def _sizes(pair: tuple[bytes, bytes]) -> str:
    return " ".join(str(len(output)) for output in pair)


def _wide_floats(output: tuple[bytes, bytes], encodings: tuple[bytes, bytes], document: Document) -> str:
    """That 64-bit floats are the whole difference, if they are: four bytes each, in the same document."""
    try:
        tree = document.decoded(output[1], "messagepack")
    except ValueError:
        return ""
    decimals = sum(isinstance(number, float) for number in numbers(tree))
    narrow = len(output[1]) - 4 * decimals, narrow_hash(tree, exact=True)
    if (output[0], *narrow) != (encodings[0], len(encodings[1]), document.hashes[1]):
        return ""
    return "it writes decimals as 64-bit floats; as 32-bit floats its output has the published size"


def _finding(
    stated: Stated, name: str, ours: str, reason: str = "", outcome: Outcome = "unexplained"
) -> Finding:
    """`outcome` and `reason` are of one that is not equal."""
    published = " ".join(map(str, stated.published))
    if ours == published:
        outcome, reason = "equal", ""
    elif outcome == "unexplained":
        reason = "other sizes of JSON and MessagePack"
    facts = {"source": BOARDS, "dataset": stated.name, "what": "bytes", "name": name}
    return Finding(**facts, published=published, ours=ours, outcome=outcome, reason=reason)
