"""Rows in Zig: harness, contender and library compiled together, so that the optimizer sees them whole."""

import re
import shutil
from functools import cache as once
from pathlib import Path

from serbench.build.bench import Bench
from serbench.build.records import BuildFailed, Built
from serbench.build.store import OUT, Recipe
from serbench.catalog.records import Profile, Row
from serbench.provision.process import run
from serbench.provision.records import Provided

VERSION = "0.17"
"""The Zig that contenders are written in unless they state another one (`standard` in the manifest)."""
_STATIC = ["-target", "native-linux-musl", "-static", "--gc-sections"]
"""Zig links glibc dynamically only; for a size its own musl serves, in the baseline too."""
MODES: dict[Profile, str] = {"speed": "ReleaseFast", "size": "ReleaseSmall"}


@once
def zig_version(zig: Path) -> str:
    """What the compiler at `zig` calls itself, empty if it does not start."""
    answer = run([zig, "version"], timeout=20)
    return answer.output.strip() if answer.ok else ""


def part_name(version: str) -> str:
    """The optional part of the set-up that holds a Zig of `version`, and its folder in the cache."""
    return "zig" if version == VERSION else f"zig-{version}"


def find_zig(cache: Path, version: str = VERSION) -> Path | None:
    """The compiler of a version such as `0.17`: the one that was set up, else one in PATH that has it."""
    candidates = [cache.absolute() / part_name(version) / "ziglang" / "zig"]
    in_path = shutil.which("zig")
    if in_path is not None:
        candidates.append(Path(in_path))
    for candidate in candidates:
        if candidate.is_file() and f"{zig_version(candidate)}.".startswith(f"{version}."):
            return candidate
    return None


def build_zig_static(bench: Bench, row: Row, provided: Provided, profile: Profile) -> Built:
    """The worker of `row` linked statically, whose text and data are what a program would carry."""
    return build_zig(bench, row, provided, profile, static=True)


def build_zig(bench: Bench, row: Row, provided: Provided, profile: Profile, *, static: bool = False) -> Built:
    """The worker of `row`. Raises BuildFailed, also for a compiler that is not there."""
    manifest = row.contender.manifest
    wanted = manifest.standard or VERSION
    cache = bench.store.root.parent
    zig = find_zig(cache, wanted)
    if zig is None:
        what = "the Zig compiler" if wanted == VERSION else f"the Zig compiler {wanted}"
        raise BuildFailed(f"needs {what}: ./serbench setup {part_name(wanted)}", unavailable=True)
    version = zig_version(zig)
    name = bench.catalog.harness_of(manifest.language)
    harness = bench.catalog.root / "harness" / name
    program, *modules = [harness / path for path in bench.catalog.harnesses[name].sources]
    library = _library_root(provided)
    flags = f"-O {MODES[profile]}"
    options = _options(row, flags, provided)

    # Every module has its own settings; the processor is the plain one that C rows are built for, too.
    settings = ["-O", MODES[profile], "-mcpu=baseline", "-fstrip"]
    if static:
        settings += ["-ffunction-sections", "-fdata-sections"]
    roots = {module.stem: module for module in modules}
    # The contender is compiled where it stands, and finds the other files of its folder.
    own = {**roots, "options": Path(OUT) / "options.zig"}
    if library is not None:
        own[row.contender.folder.name] = library
    command = [str(zig), "build-exe", "-lc", *(_STATIC if static else ["-rdynamic"])]
    command += ["--name", "worker", f"-femit-bin={OUT}/worker"]
    command += ["--cache-dir", str(cache / "zig-cache"), "--global-cache-dir", str(cache / "zig-cache")]
    command += [*_imports(["contender", *own]), *settings, f"-Mroot={program}"]
    command += [*_imports(list(own)), *settings, f"-Mcontender={row.source}"]
    for module, root in own.items():
        command += [*settings, f"-M{module}={root}"]

    inputs = [version, options, provided.origin, bench.fingerprints.folder(row.contender.folder)]
    inputs += [
        bench.fingerprints.folder(folder) for folder in sorted({path.parent for path in (program, *modules)})
    ]
    if library is not None:
        inputs.append(bench.fingerprints.tree(library.parent))
    recipe = Recipe(steps=[command], inputs=inputs, products=["worker"], keep=["worker"])

    def fill(out: Path) -> None:
        (out / "options.zig").write_text(options, "utf-8")

    folder, digest = bench.store.make(recipe, fill)
    return Built(command=[str(folder / "worker")], compiler=f"zig {version}", flags=flags, digest=digest)


def _imports(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--dep", name)]


def _library_root(provided: Provided) -> Path | None:
    """The root file of the library's module: the one that its source names; None if it needs none."""
    if not provided.source.files or provided.root is None:
        return None
    root = provided.root / provided.source.files[0]
    if not root.is_file():
        raise BuildFailed(f"the library has no {provided.source.files[0]}")
    return root


def _package_version(provided: Provided) -> str:
    """The version in the library's build.zig.zon, empty if it has none."""
    try:
        text = ((provided.root or Path()) / "build.zig.zon").read_text("utf-8") if provided.root else ""
    except (OSError, UnicodeDecodeError):
        return ""
    found = re.search(r'^\s*\.version\s*=\s*"([^"\\]*)"', text, re.MULTILINE)
    return found.group(1) if found else ""


def _options(row: Row, flags: str, provided: Provided) -> str:
    """The module `options`: what the worker says of itself, and the row's macros as constants."""
    lines = [
        f'pub const language = "{row.contender.manifest.language}";',
        f'pub const test_name = "{row.test}";',
        f'pub const flags = "{flags}";',
        f'pub const package_version = "{_package_version(provided)}";',
    ]
    for define in [*provided.source.defines, *row.defines]:
        name, _, value = define.partition("=")
        lines.append(f"pub const {name} = {value or 'true'};")
    return "\n".join(lines) + "\n"
