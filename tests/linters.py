"""What linters of a language take: folders of contenders, `python -m tests.rust.lint [FOLDER...]`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Contender
from serbench.project import ROOT


def chosen(harness: str, own: Path, arguments: Sequence[str]) -> tuple[Catalog, list[Contender]]:
    """The catalog with the contender in the folder `own`, and the contenders of `harness` that are asked for.

    `arguments` are their folders; none means all. Ends the program if one is no such folder.
    """
    catalog, folders = load_catalog(ROOT, [own]), {Path(argument).resolve() for argument in arguments}
    every = {
        contender.folder.resolve(): contender
        for contender in catalog.contenders.values()
        if catalog.harness_of(contender.manifest.language) == harness
    }
    if unknown := folders - every.keys():
        sys.exit(f"not the folder of a contender in {harness}: {', '.join(map(str, sorted(unknown)))}")
    return catalog, [each for folder, each in every.items() if not folders or folder in folders]
