"""The build program of Zig: harness, contender and library are compiled, and so optimized, together.

See docs/build-contract.md.
"""

import re
from pathlib import Path

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.processor import Level
from serbench.build.records import BuildFailed
from serbench.catalog.records import Profile
from serbench.errors import UserError
from serbench.provision.records import Provided, Unavailable
from serbench.provision.toolchain import need

VERSION = "0.17"
"""The Zig that contenders are written in unless they state another one (`standard` in the manifest)."""
_STATIC = ["-target", "native-linux-musl", "-static", "--gc-sections"]
"""Zig links glibc dynamically only; for a size its own musl serves, in the baseline too."""
MODES: dict[Profile, str] = {"speed": "ReleaseFast", "size": "ReleaseSmall", "check": "ReleaseSafe"}
PROCESSORS: dict[Level, str] = {
    **{"baseline": "baseline", "native": "native"},
    **{"v2": "x86_64_v2", "v3": "x86_64_v3", "v4": "x86_64_v4"},
}
"""The compiler's own default is native."""
PROGRAM = "src/worker.zig"
MODULES = ["serbench/serbench.zig"]
"""Each is the root of a module, named as its file, which the program and the contender import."""


def part_name(version: str) -> str:
    """The optional part of the set-up that holds a Zig of `version`."""
    return "zig" if version == VERSION else f"zig-{version}"


def answer(request: Request) -> Answer:
    """The plan for `request`. Raises BuildFailed, also for a compiler that is not there."""
    if request.want not in ("worker", "static"):
        raise BuildFailed(f"this harness makes no {request.want}")
    # A standard is the compiler's version, and a baseline needs that of the rows that it is compared with.
    wanted = (request.kin.standard if request.kin else request.standard) or VERSION
    part = part_name(wanted)
    try:
        zig = need(request.root, request.cache, [part], "zig")
    except (Unavailable, UserError) as error:
        raise BuildFailed(str(error), unavailable=True) from error
    program, *modules = [request.harness / path for path in (PROGRAM, *MODULES)]
    provided = request.library
    library = _library_root(provided)
    processor = f"-mcpu={PROCESSORS[request.cpu]}"
    flags = f"-O {MODES[request.profile]}" + (f" {processor}" if request.cpu != "baseline" else "")
    options = _options(request, flags)

    # Every module has its own settings.
    settings = ["-O", MODES[request.profile], processor, "-fstrip"]
    static = request.want == "static"
    if static:
        settings += ["-ffunction-sections", "-fdata-sections"]
    # The contender is compiled where it stands, and finds the other files of its folder.
    own = {**{module.stem: module for module in modules}, "options": Path(OUT) / "options.zig"}
    if library is not None:
        own[request.folder.name] = library
    cache = str(request.cache / "zig-cache")
    command = [*zig.programs["zig"], "build-exe", "-lc", *(_STATIC if static else ["-rdynamic"])]
    command += ["--name", "worker", f"-femit-bin={OUT}/worker"]
    command += ["--cache-dir", cache, "--global-cache-dir", cache]
    command += [*_imports(["contender", *own]), *settings, f"-Mroot={program}"]
    command += [*_imports(list(own)), *settings, f"-Mcontender={request.source}"]
    for module, root in own.items():
        command += [*settings, f"-M{module}={root}"]

    inputs: list[Input] = [zig.version, options, provided.origin if provided else ""]
    folders = [request.folder, *sorted({path.parent for path in (program, *modules)})]
    inputs += [Content(of="folder", path=folder) for folder in folders]
    if library is not None:
        inputs.append(Content(of="tree", path=library.parent))
    plan = Plan()
    put = [Put(to="options.zig", text=options)]
    folder, _ = plan.add(
        Recipe(steps=[command], inputs=inputs, products=["worker"], keep=["worker"], put=put)
    )
    return Answer(
        recipes=plan.recipes,
        command=[str(folder / "worker")],
        size_of=str(folder / "worker"),
        compiler=f"zig {zig.version}",
        flags=flags,
    )


def _imports(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--dep", name)]


def _library_root(provided: Provided | None) -> Path | None:
    """The root file of the library's module: the one that its source names; None if it needs none."""
    if provided is None or provided.root is None or not provided.source.files:
        return None
    root = provided.root / provided.source.files[0]
    if not root.is_file():
        raise BuildFailed(f"the library has no {provided.source.files[0]}")
    return root


def _package_version(root: Path | None) -> str:
    """The version in the library's build.zig.zon, empty if it has none."""
    try:
        text = (root / "build.zig.zon").read_text("utf-8") if root else ""
    except (OSError, UnicodeDecodeError):
        return ""
    found = re.search(r'^\s*\.version\s*=\s*"([^"\\]*)"', text, re.MULTILINE)
    return found.group(1) if found else ""


def _options(request: Request, flags: str) -> str:
    """The module `options`: what the worker says of itself, and the row's macros as constants."""
    provided = request.library
    lines = [
        f'pub const language = "{request.language}";',
        f'pub const test_name = "{request.test}";',
        f'pub const flags = "{flags}";',
        f'pub const package_version = "{_package_version(provided.root if provided else None)}";',
    ]
    for define in [*(provided.source.defines if provided else []), *request.defines]:
        name, _, value = define.partition("=")
        lines.append(f"pub const {name} = {value or 'true'};")
    return "\n".join(lines) + "\n"
