"""How a user names a dataset: generated:2:safe, records:0.1:optional, document:ha, corpus:twitter, a file."""

import errno
import math
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.datasets.corpus import find_document, known_documents
from serbench.datasets.growing import LEAST_MB, MOST_MB, Shape
from serbench.errors import LONGEST, UserError, readable, shortened, unknown
from serbench.project import ROOT

DEFAULT_SEED = 12345678
GROWING = ("records", "records-distinct")
KINDS = ("generated", "document", "corpus", *GROWING)
MOST_DIGITS = 100
"""Digits of a number; Python refuses to read thousands of them."""
LINES = (".jsonl", ".ndjson")


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset's name, taken apart: `path` or `messages` is set, or `size`, `seed` and `safe` hold."""

    name: str
    path: Path | None = None
    messages: tuple[Path, ...] = ()
    """Files of documents that are encoded and decoded one by one."""
    size: int = 0
    seed: int = DEFAULT_SEED
    safe: bool = False
    growing: str = ""
    """One of GROWING, of which `megabytes` and `shape` hold."""
    megabytes: float = 0.0
    shape: Shape = ""
    corpus: str = ""
    """The name of one of the documents in datasets/corpus/."""

    @property
    def schema(self) -> str:
        """What the data follow, as the manifests of contenders name it; empty for data of any shape."""
        return f"records-{self.shape}".rstrip("-") if self.growing else ""


def _wrong(spec: str, expected: str, text: str) -> UserError:
    """An error for the part `text` of a SPEC."""
    return UserError(f"dataset '{shortened(spec, LONGEST)}': {expected}, not '{shortened(text, LONGEST)}'")


def _whole(text: str, spec: str, what: str, least: int, most: int) -> int:
    known = text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    if not known or not least <= int(text) <= most:
        raise _wrong(spec, f"{what} is a whole number from {least} to {most}", text)
    return int(text)


def _is_there(path: Path) -> bool:
    """Whether there is a file; False also for a name that is too long for one. Raises OSError."""
    try:
        return path.exists()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def parse_spec(text: str) -> Spec:
    """The dataset that `text` names. Raises UserError for anything but a SPEC or an existing file."""
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        if _is_there(Path(text)):
            return file_spec(Path(text))
        if "." in text or "/" in text:
            raise UserError(f"there is no file '{shortened(text, LONGEST)}'")
        raise unknown("dataset", kind, [f"corpus:{kind}"] if kind in known_documents() else KINDS)
    if kind == "document":
        known = {path.stem: path for path in sorted((ROOT / "datasets" / "documents").glob("*.json"))}
        if rest not in known:
            raise unknown("document", rest, known)
        return Spec(name=text, path=known[rest])
    if kind == "corpus":
        find_document(rest)
        return Spec(name=text, corpus=rest)
    if kind in GROWING:
        return _growing(text, kind, *rest.split(":"))
    size, *options = rest.split(":")
    number = _whole(size, text, "the size", 1, 5)
    seed, safe = DEFAULT_SEED, False
    for option in options:
        if option == "safe":
            safe = True
        elif option.startswith("seed="):
            seed = _whole(option.removeprefix("seed="), text, "the seed", 0, 2**64 - 1)
        else:
            raise unknown("dataset option", option, ["safe", "seed=N"])
    parts = [f"generated:{number}"]
    parts += [f"seed={seed}"] if seed != DEFAULT_SEED else []
    parts += ["safe"] if safe else []
    return Spec(name=":".join(parts), size=number, seed=seed, safe=safe)


def _growing(text: str, kind: str, size: str, *options: str) -> Spec:
    try:
        megabytes = float(size)
    except ValueError:
        megabytes = math.nan
    if not LEAST_MB <= megabytes <= MOST_MB:
        bounds = f"from {LEAST_MB:g} to {MOST_MB:g}"
        raise _wrong(text, f"the size is a number of megabytes {bounds}", size)
    shapes: list[Shape] = []
    for option in options:
        if option not in ("unmapped", "optional"):
            raise unknown("dataset option", option, ["unmapped", "optional"])
        shapes.append("unmapped" if option == "unmapped" else "optional")
    if len(shapes) > 1:
        raise UserError(f"dataset '{shortened(text, LONGEST)}': unmapped and optional exclude each other")
    name = ":".join([kind, f"{megabytes:g}", *shapes])
    return Spec(name=name, growing=kind, megabytes=megabytes, shape=shapes[0] if shapes else "")


def file_spec(path: Path) -> Spec:
    """The dataset in the file at `path`; one of JSON Lines is a dataset of messages."""
    if path.suffix in LINES:
        return messages_spec([path])
    name = readable(path.name)
    # No file passes for a SPEC, whatever its name.
    return Spec(name=f"./{name}" if ":" in name else name, path=path)


def messages_spec(paths: Sequence[Path]) -> Spec:
    """The messages in `paths`: each document, and each line of a file of JSON Lines, is one."""
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return Spec(name=readable(paths[0].name) + more, messages=tuple(paths))


def unique_names(specs: list[Spec]) -> list[Spec]:
    """The same datasets once each; files of the same name in different folders get a number."""
    seen: dict[str, int] = {}
    result: list[Spec] = []
    for spec in dict.fromkeys(specs):
        seen[spec.name] = seen.get(spec.name, 0) + 1
        if seen[spec.name] > 1:
            if spec.path is None and not spec.messages:
                continue
            spec = msgspec.structs.replace(spec, name=f"{spec.name} ({seen[spec.name]})")
        result.append(spec)
    return result
