"""How a user names a dataset: `generated:SIZE[:seed=N][:safe]`, or a file."""

from pathlib import Path

import msgspec

from serbench.errors import UserError, readable, unknown

DEFAULT_SEED = 12345678
KINDS = ("generated",)


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset's name, taken apart: either `path` is set, or `size`, `seed` and `safe` hold."""

    name: str
    path: Path | None = None
    size: int = 0
    seed: int = DEFAULT_SEED
    safe: bool = False


def _whole(text: str, spec: str, what: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise UserError(f"dataset '{spec}': {what} is a whole number from {least} to {most}, not '{text}'")
    return int(text)


def parse_spec(text: str) -> Spec:
    """The dataset that `text` names. Raises UserError for anything but a SPEC or an existing file."""
    kind, _, rest = text.partition(":")
    if kind not in KINDS:
        if Path(text).exists():
            return file_spec(Path(text))
        if "." in text or "/" in text:
            raise UserError(f"there is no file '{text}'")
        raise unknown("dataset", kind, KINDS)
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


def file_spec(path: Path) -> Spec:
    """The dataset in the file at `path`."""
    return Spec(name=readable(path.name), path=path)


def unique_names(specs: list[Spec]) -> list[Spec]:
    """The same datasets once each; files of the same name in different folders get a number."""
    seen: dict[str, int] = {}
    result: list[Spec] = []
    for spec in dict.fromkeys(specs):
        seen[spec.name] = seen.get(spec.name, 0) + 1
        if seen[spec.name] > 1:
            if spec.path is None:
                continue
            spec = msgspec.structs.replace(spec, name=f"{spec.name} ({seen[spec.name]})")
        result.append(spec)
    return result
