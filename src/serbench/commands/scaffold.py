"""`serbench new`: a contender folder that builds and passes as it is."""

import re
from pathlib import Path

import jinja2

from serbench.catalog.records import Catalog
from serbench.errors import UserError, unknown


def new_contender(catalog: Catalog, language: str, name: str, parent: Path) -> Path:
    """Make the folder `name` below `parent` from the template of the language's harness; returns it.

    Raises UserError for an unknown language, a name that is no plain folder name, or a folder that is
    there already or cannot be written.
    """
    languages = {lang: harness for harness, h in catalog.harnesses.items() for lang in h.languages}
    if language not in languages:
        raise unknown("language", language, languages)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._+-]*", name):
        raise UserError(f"'{name}' cannot name a contender: use letters, digits and . _ + -")
    folder = parent / name
    template = catalog.root / "harness" / languages[language] / "template"
    if not template.is_dir():
        raise UserError(f"there is no template for {language}: its harness has no folder 'template'")
    suffix = catalog.harnesses[languages[language]].suffix or language
    environment = jinja2.Environment(keep_trailing_newline=True, autoescape=False)  # noqa: S701 - no HTML
    try:
        folder.mkdir(parents=True)
        for file in sorted(template.iterdir()):
            text = environment.from_string(file.read_text("utf-8")).render(
                name=name, language=language, suffix=suffix
            )
            target = folder / (f"{file.stem}.{suffix}" if file.suffix == ".txt" else file.name)
            target.write_text(text, "utf-8")
    except FileExistsError:
        raise UserError(f"{folder} exists already") from None
    except OSError as error:
        raise UserError(f"{folder} cannot be written: {error.strerror}") from error
    return folder
