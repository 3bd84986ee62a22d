"""How a library lies in a folder of its upstream's: what a source names there, and what is missing."""

from pathlib import Path

import msgspec

from serbench.catalog.source import Source


def missing_part(source: Source, folder: Path) -> str:
    """The first part of the layout `source` that `folder` lacks; empty if it has all."""
    root = folder / source.subdir
    wanted = {pattern: bool(_matches(root, pattern)) for pattern in source.files}
    if source.cmake is None:  # A CMake project may make its header folders itself.
        wanted |= {name: (root / name).is_dir() for name in source.include}
    else:
        wanted["CMakeLists.txt"] = (root / "CMakeLists.txt").is_file()
    wanted[""] = root.is_dir()
    return next((str(Path(source.subdir, name)) for name, present in wanted.items() if not present), "")


def with_files(source: Source, folder: Path) -> Source:
    """`source` with the names of its files in `folder` in place of patterns."""
    root = folder / source.subdir
    files = list(dict.fromkeys(name for pattern in source.files for name in _matches(root, pattern)))
    return msgspec.structs.replace(source, files=files)


def _matches(root: Path, pattern: str) -> list[str]:
    found = sorted(path for path in root.glob(pattern) if path.is_file())
    return [path.relative_to(root).as_posix() for path in found]
