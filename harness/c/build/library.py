"""A library as it was provided becomes options for the compiler and things to link."""

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
from harness.c.build.compilers import Compilers, common_flags, level_flags

from serbench.build.contract import OUT, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.catalog.source import CMake, Source
from serbench.provision.pkg_config import pkg_config_path
from serbench.provision.process import once, run
from serbench.provision.records import Provided

_SYSTEM_INCLUDE = (Path("/usr/include"), Path("/usr/local/include"))


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """What a contender's own sources need of its library."""

    compile: list[str] = []
    link: list[str] = []
    inputs: list[Input] = []
    """What the key of everything that uses it must hold."""


def make_library(plan: Plan, provided: Provided, request: Request, compilers: Compilers) -> Library:
    """The library as `provided` for `request`; the recipes that make it are added to `plan`.

    Only a library given by its files sees the row's macros; a project of its own is configured by its
    options. Raises BuildFailed.
    """
    source, root = provided.source, provided.root
    only_here = source.arm32_defines if compilers.for_arm32 else []
    macros = [f"-D{define}" for define in (*source.defines, *only_here)]
    inputs: list[Input] = [provided.origin, provided.version, *_contents(provided)]
    if provided.digest:  # Two folders of the same content are the same library, whatever their names.
        inputs = [provided.digest]
    if source.replace and root is not None:
        root, digest = plan.add(replaced(source, root, inputs))
        inputs.append(digest)
    flags = [*common_flags(request.profile), *level_flags(request.cpu, compilers)]
    folders = [root / name for name in source.include] if root else []
    link: list[str] = []
    if source.cmake is not None and root is not None:
        words = [*flags, "-w", *macros, *source.flags]
        folder, digest = plan.add(
            _cmake_recipe(source.cmake, root, provided.version, words, compilers, inputs)
        )
        folders = [folder / "build" / name for name in source.cmake.include] + folders
        link += [str(folder / "build" / name) for name in source.cmake.libraries]
        inputs.append(digest)
    includes = [word for path in folders if path not in _SYSTEM_INCLUDE for word in ("-isystem", str(path))]
    if compilers.cross and source.header_only and root is None:
        # A cross-compiler does not look where this machine's packages put headers; its own come first.
        includes += ["-idirafter", "/usr/include"]
    prefix = root if source.kind == "installed" else None
    if prefix is not None and prefix not in (Path("/usr"), Path("/usr/local")):
        if not source.include:
            includes += ["-isystem", str(prefix / "include")]
        link += [f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}"]
    module = source.pkg_config if source.kind != "debian-source" else None
    if module:
        includes += _as_system(_pkg_config("--cflags", module, prefix))
    if compilers.system_first and includes:
        includes = ["-w", *_before_system(includes)]
    if source.files and root is not None:
        words = [*flags, "-w", *macros, *(f"-D{define}" for define in request.defines)]
        words += includes + source.flags
        recipe = _files_recipe([root / name for name in source.files], words, compilers, inputs)
        folder, digest = plan.add(recipe)
        link += [str(folder / product) for product in recipe.products]
        inputs.append(digest)
    if source.static:
        link += [f"-l:{name}" for name in source.static]
    elif module and not source.header_only:
        link += _pkg_config("--libs", module, prefix)
    link += [f"-l{name}" for name in source.libraries]
    # What is all headers is compiled with the contender.
    own = source.flags if source.header_only else []
    return Library(compile=[*macros, *own, *includes], link=link, inputs=inputs)


def replaced(source: Source, root: Path, inputs: list[Input]) -> Recipe:
    """A copy of the library's folder with the texts of `source.replace` replaced."""
    return Recipe(
        inputs=["replace", str(msgspec.json.encode(source.replace)), *inputs],
        products=[wanted.file for wanted in source.replace],
        put=[Put(copy=root, replace=source.replace)],
    )


def _contents(provided: Provided) -> list[Input]:
    """The library's files, unless the distribution's version stands for them."""
    root = provided.root
    if root is None or provided.digest:
        return []
    if provided.found is None:
        return [Content(of="tree", path=root)]
    source = provided.source
    files = [provided.found, *(root / name for name in source.files)]
    files += sorted(provided.found.parent.glob(f"*{provided.found.suffix}"))
    files += [p for name in source.static for p in sorted(root.glob(f"lib*/**/{name}"))]
    for name in source.libraries:
        files += [p for lib in ("lib*", "lib/*") for p in sorted(root.glob(f"{lib}/lib{name}.*"))]
    return [Content(of="file", path=path) for path in files]


def _files_recipe(
    files: Sequence[Path], words: Sequence[str], compilers: Compilers, inputs: list[Input]
) -> Recipe:
    products = [f"{number:03}-{file.stem}.o" for number, file in enumerate(files)]
    steps = [
        [compilers.of(file), *words, "-c", str(file), "-o", f"{OUT}/{product}"]
        for file, product in zip(files, products, strict=True)
    ]
    return Recipe(steps=steps, inputs=[*inputs, compilers.identity], products=products)


def _cmake_recipe(
    cmake: CMake, root: Path, version: str, words: list[str], compilers: Compilers, inputs: list[Input]
) -> Recipe:
    flags = shlex.join(words)
    configure = [
        *("cmake", "-S", f"{OUT}/source", "-B", f"{OUT}/build", "-G", "Unix Makefiles"),
        "-DCMAKE_BUILD_TYPE=None",
        "-DBUILD_SHARED_LIBS=OFF",
        # Newer CMakes refuse the projects of older ones otherwise.
        "-DCMAKE_POLICY_VERSION_MINIMUM=3.5",
        f"-DCMAKE_C_COMPILER={compilers.c}",
        f"-DCMAKE_CXX_COMPILER={compilers.cxx}",
        f"-DCMAKE_AR={_found(compilers.ar)}",
        f"-DCMAKE_RANLIB={_found(compilers.ranlib)}",
        f"-DCMAKE_C_FLAGS={flags}",
        f"-DCMAKE_CXX_FLAGS={flags}",
        *compilers.cmake,
        *(option.replace("{version}", version) for option in cmake.options),
    ]
    # A copy, since some projects write into their own sources, whose times are part of our keys.
    copy = ["cp", "-a", str(root), f"{OUT}/source"]
    build = ["cmake", "--build", f"{OUT}/build"]
    if cmake.targets:
        build += ["--target", *cmake.targets]
    products = [f"build/{name}" for name in cmake.libraries]
    return Recipe(
        steps=[copy, configure, build],
        inputs=[*inputs, compilers.identity],
        products=products,
        keep=[*products, *(f"build/{name}" for name in cmake.include)],
    )


@once
def _pkg_config(option: str, module: str, prefix: Path | None) -> list[str]:
    answer = run(["pkg-config", option, module], extra=pkg_config_path(prefix) if prefix else None)
    if not answer.ok:
        raise BuildFailed(f"pkg-config does not know {module}", answer.tail())
    return shlex.split(answer.output)


def _before_system(words: Sequence[str]) -> list[str]:
    """The same options with system folders as plain ones, which come first."""
    plain = iter(words)
    return [f"-I{next(plain)}" if word == "-isystem" else word for word in plain]


def _as_system(words: Sequence[str]) -> list[str]:
    """The same options with folders as system folders, in which warnings are not ours."""
    result: list[str] = []
    for word in words:
        if not word.startswith("-I"):
            result.append(word)
        elif Path(word[2:]) not in _SYSTEM_INCLUDE:
            result += ["-isystem", word[2:]]
    return result


def _found(program: str) -> str:
    """The full name of `program`, since CMake takes a relative one for a file of the project."""
    return shutil.which(program) or program
