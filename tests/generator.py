"""The code that a contender's generate.py makes, for the checks of a language's sources."""

import subprocess
from pathlib import Path

from serbench.build.contract import OUT, Request
from serbench.schemas.generator import recipe_of


def own_code(request: Request, folder: Path) -> list[str]:
    """Let the contender's own generator fill `folder`, if it has one; the files that it made."""
    recipe = recipe_of(request)
    if recipe is None:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    for put in recipe.put:
        (folder / put.to).write_text(put.text or "", "utf-8")
    for step in recipe.steps:
        subprocess.run([word.replace(OUT, str(folder)) for word in step], check=True)
    return recipe.products
