"""Cargo's part of a build: the crates that contenders depend on are compiled once for all of them.

They are in a folder below the cache, one for each compiler and its flags. Cargo names a compiled crate by its
version, features, profile and dependencies, so contenders whose lock files differ share the folder. What a
contender and the harness consist of is compiled in the folder of the recipe, and never in the shared one.
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from serbench.build.contract import OUT, Put, Request
from serbench.build.records import BuildFailed
from serbench.provision.providers.crate import LOCK, cargo_command
from serbench.provision.toolchain import Toolchain

SCRIPT = "crates.sh"
"""What compiles and links them, beside this module."""
WRAPPER = "rustc.sh"
"""What starts the compiler, beside this module."""
MANIFEST = "Cargo.toml"
SHARED = "rust-crates"
"""Below the cache. It may be removed whenever nothing is being built."""
HARNESS = "../../../harness/rust/serbench"
"""Where a contender's manifest says that the harness is."""
_OF_BUILD = {"build-override.debug-assertions": "false", "build-override.overflow-checks": "false"}
"""Macros and build scripts are the same for programs with these checks."""
_EMPTY = "empty"
"""In the folder of a recipe: a package without code that has the contender's dependencies."""


def place_of(request: Request) -> str:
    """Where the contender lies in the folder of a recipe: as in the project."""
    return f"contenders/{request.language}/{request.folder.name}"


def text_of(path: Path) -> str:
    """What the file at `path` has. Raises BuildFailed."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        raise BuildFailed(f"{path} cannot be read: {error}") from error


def manifest_of(folder: Path) -> str:
    """The text of the manifest in `folder`. Raises BuildFailed if it is not one."""
    text = text_of(folder / MANIFEST)
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BuildFailed(f"the manifest {MANIFEST} of {folder.name} cannot be used: {error}") from error
    return text


def packages(request: Request, text: str, without: str = "") -> list[Put]:
    """The contender with the manifest `text`, but not its file `without`; and the package without code.

    The harness is a link in the contender's folder: Cargo names a package by its path in the folder that it
    builds, and one outside by its whole path, so that the program would have other symbols each time.
    Raises BuildFailed.
    """
    folder, serbench, place = request.folder, request.harness / "serbench", place_of(request)
    return [
        Put(to=place, copy=folder, without=f"target {without}".rstrip()),
        Put(to=f"{place}/{MANIFEST}", text=_beside(text, "serbench")),
        Put(to=f"{place}/serbench", link=serbench),
        Put(to=f"{_EMPTY}/{MANIFEST}", text=_beside(text, "harness")),
        Put(to=f"{_EMPTY}/{LOCK}", text=text_of(folder / LOCK)),
        Put(to=f"{_EMPTY}/src/lib.rs", text=""),
        Put(to=f"{_EMPTY}/main.rs", text=""),
        *([Put(to=f"{_EMPTY}/build.rs", text="fn main() {}\n")] if (folder / "build.rs").is_file() else []),
        Put(to=f"{_EMPTY}/harness/{MANIFEST}", text=manifest_of(serbench)),
        Put(to=f"{_EMPTY}/harness/src/lib.rs", text=""),
    ]


def steps(
    request: Request,
    tools: Toolchain,
    compiler: tuple[str, str],
    program: str,
    profile: Mapping[str, str],
    *,
    flags: Sequence[str] = (),
    words: Sequence[str] = (),
    seen: Mapping[str, str] | None = None,
) -> list[list[str]]:
    """What makes the program `program` of the package and moves it into the folder of the recipe.

    `compiler` is all that it says of itself, and the machine that it compiles for. `flags` are its own,
    `words` Cargo's, and `seen` variables that contender and harness see.
    """
    said, host = compiler
    # The same program whatever the folder of the crates and, by the wrapper, of the build.
    given = [*flags, f"--remap-path-prefix={request.cache}=/cache"]
    own = {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(given), "RUSTC_WRAPPER": str(request.harness / WRAPPER)}
    build = ["build", "--offline", "--release", "--quiet", "--target", host, *words]
    for name, value in {**_OF_BUILD, **profile}.items():
        build += ["--config", f"profile.release.{name}={value}"]
    shared = request.cache / SHARED / hashlib.sha256(repr([said, *flags]).encode()).hexdigest()[:16]
    crates = [str(request.harness / SCRIPT), str(shared), f"{OUT}/target"]
    crates += [*cargo_command(tools, request.cache, {**own, "SB_OUT": str(shared)}), *build]
    crates += ["--lib", "--manifest-path", f"{OUT}/{_EMPTY}/{MANIFEST}"]
    cargo = [*cargo_command(tools, request.cache, {**own, **(seen or {}), "SB_OUT": OUT}), *build]
    cargo += ["--bin", program, "--target-dir", f"{OUT}/target"]
    cargo += ["--manifest-path", f"{OUT}/{place_of(request)}/{MANIFEST}"]
    return [crates, cargo, ["mv", f"{OUT}/target/{host}/release/{program}", OUT]]


def _beside(text: str, harness: str) -> str:
    """The manifest `text`, for the harness in the folder `harness` beside it. Raises BuildFailed."""
    if f'"{HARNESS}"' not in text:
        raise BuildFailed(f'{MANIFEST} does not name the harness: serbench = {{ path = "{HARNESS}" }}')
    text = text.replace(f'"{HARNESS}"', f'"{harness}"')
    stated, count = re.subn(r"(?m)^\[workspace\]", f'[workspace]\nexclude = ["{harness}"]', text)
    if count != 1:
        raise BuildFailed(f"{MANIFEST} has no [workspace], which keeps it apart from other packages")
    return stated
