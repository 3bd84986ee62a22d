"""Code that a compiler of a format makes for a schema: what a contender's generate.py plans.

That file has a function `recipe(schema: Schema, request: Request) -> Recipe`: its `products` are where the
harness of its language looks for generated code. It may raise BuildFailed, `unsupported` if the format or the
library cannot hold the schema.
"""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from serbench.build.contract import Content, Input, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.parts import STAMP
from serbench.schemas.model import Schema, load

NAME = "generate.py"
"""The file of a contender's folder."""


def recipe_of(request: Request) -> Recipe | None:
    """The recipe of the contender's own generator; None if it has none, or the row no schema."""
    path = request.folder / NAME
    if request.schema is None or not path.is_file():
        return None
    return _load(path)(load(request.schema), request)


def program(request: Request, path: str) -> str:
    """The program at `path` in the part of the set-up that the source names, or the system's.

    Raises BuildFailed.
    """
    part = _part(request)
    if part is None:
        return Path(path).name
    if not (part / path).is_file():
        raise BuildFailed(f"needs a part of the set-up: ./serbench setup {part.name}", unavailable=True)
    return str(part / path)


def files_recipe(
    request: Request, files: Mapping[str, str], steps: Sequence[Sequence[str]], made: Sequence[str]
) -> Recipe:
    """Put `files` into a folder, and run the `steps` there, which make the files in `made`."""
    assert request.library is not None
    part = _part(request)
    inputs: list[Input] = [request.library.origin, request.library.version, *files.values()]
    inputs += [Content(of="file", path=part / STAMP)] if part else []
    return Recipe(
        steps=[list(step) for step in steps],
        inputs=inputs,
        products=[*files, *made],
        put=[Put(to=name, text=text) for name, text in files.items()],
    )


def indented(lines: Sequence[str], step: str = "    ") -> list[str]:
    """Lines of code, one step further to the right."""
    return [f"{step}{line}" for line in lines]


def _part(request: Request) -> Path | None:
    assert request.library is not None
    source = request.library.source
    name = source.name if source.kind == "wheel" else source.part
    return request.cache / name if name else None


def _load(path: Path) -> Callable[[Schema, Request], Recipe]:
    spec = importlib.util.spec_from_file_location(f"generate_{path.parent.name}", path)
    try:
        assert spec is not None and spec.loader is not None
        module: Any = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        found: Callable[[Schema, Request], Recipe] = module.recipe
    except Exception as error:  # Whatever its author wrote.
        raise BuildFailed(f"{path.parent.name}/{NAME} cannot be loaded: {error}") from error
    return found
