"""A library as it was provided becomes options for the compiler and things to link."""

import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec

from serbench.build.compilers import Compilers, common_flags
from serbench.build.records import BuildFailed
from serbench.build.replace import copy_replaced
from serbench.build.store import OUT, Fingerprints, Recipe, Store
from serbench.catalog.records import CMake, Profile, Source
from serbench.provision.pkg_config import pkg_config_path
from serbench.provision.process import run
from serbench.provision.records import Provided

_SYSTEM_INCLUDE = (Path("/usr/include"), Path("/usr/local/include"))


class Library(msgspec.Struct, frozen=True, kw_only=True):
    """What a contender's own sources need of its library."""

    compile: list[str] = []
    link: list[str] = []
    inputs: list[str] = []
    """What the key of everything that uses it must hold."""


class LibraryBuilder:
    """Makes libraries, each once for a profile, a compiler and its macros."""

    def __init__(
        self, store: Store, fingerprints: Fingerprints, compilers: Compilers, sanitize: bool
    ) -> None:
        self._store = store
        self._fingerprints = fingerprints
        self._compilers = compilers
        self._sanitize = sanitize
        self._modules: dict[tuple[str, str, Path | None], list[str]] = {}

    def make(self, provided: Provided, profile: Profile, defines: Sequence[str]) -> Library:
        """The library of `provided` in `profile`, with the row's own `defines`. Raises BuildFailed.

        Only a library given by its files sees the row's macros; a project of its own is configured by
        its options.
        """
        source, root = provided.source, provided.root
        only_here = source.arm32_defines if self._compilers.for_arm32 else []
        macros = [f"-D{define}" for define in (*source.defines, *only_here)]
        inputs = [provided.origin, provided.version, *self._contents(provided)]
        if provided.digest:  # Two folders of the same content are the same library, whatever their names.
            inputs = [provided.digest]
        if source.replace and root is not None:
            root, digest = self._replaced(source, root, inputs)
            inputs.append(digest)
        folders = [root / name for name in source.include] if root else []
        link: list[str] = []
        if source.cmake is not None and root is not None:
            folder, digest = self._store.make(
                self._cmake_recipe(
                    source.cmake, root, provided.version, [*macros, *source.flags], profile, inputs
                )
            )
            folders = [folder / "build" / name for name in source.cmake.include] + folders
            link += [str(folder / "build" / name) for name in source.cmake.libraries]
            inputs.append(digest)
        includes = [
            word for path in folders if path not in _SYSTEM_INCLUDE for word in ("-isystem", str(path))
        ]
        if self._compilers.cross and source.header_only and root is None:
            # A cross-compiler does not look where this machine's packages put headers; its own come first.
            includes += ["-idirafter", "/usr/include"]
        prefix = root if source.kind == "installed" else None
        if prefix is not None and prefix not in (Path("/usr"), Path("/usr/local")):
            if not source.include:
                includes += ["-isystem", str(prefix / "include")]
            link += [f"-L{prefix / 'lib'}", f"-Wl,-rpath,{prefix / 'lib'}"]
        module = source.pkg_config if source.kind != "debian-source" else None
        if module:
            includes += _as_system(self._pkg_config("--cflags", module, prefix))
        if self._compilers.system_first and includes:
            includes = ["-w", *_before_system(includes)]
        if source.files and root is not None:
            words = [*common_flags(profile, self._sanitize), "-w", *macros]
            words += [f"-D{define}" for define in defines] + includes + source.flags
            folder, digest = self._store.make(
                self._files_recipe([root / name for name in source.files], words, inputs)
            )
            link += [str(path) for path in sorted(folder.glob("*.o"))]
            inputs.append(digest)
        if source.static:
            link += [f"-l:{name}" for name in source.static]
        elif module and not source.header_only:
            link += self._pkg_config("--libs", module, prefix)
        link += [f"-l{name}" for name in source.libraries]
        return Library(compile=[*macros, *includes], link=link, inputs=inputs)

    def _replaced(self, source: Source, root: Path, inputs: list[str]) -> tuple[Path, str]:
        """A copy of the library's folder with the texts of `source.replace` replaced, and its digest."""
        recipe = Recipe(
            steps=[],
            inputs=["replace", str(msgspec.json.encode(source.replace)), *inputs],
            products=[wanted.file for wanted in source.replace],
        )
        return self._store.make(recipe, lambda out: copy_replaced(root, source.replace, out))

    def _contents(self, provided: Provided) -> list[str]:
        """Fingerprints of the library's files, unless the distribution's version stands for them."""
        root = provided.root
        if root is None or provided.digest:
            return []
        if provided.found is None:
            return [self._fingerprints.tree(root)]
        source = provided.source
        files = [provided.found, *(root / name for name in source.files)]
        files += sorted(provided.found.parent.glob(f"*{provided.found.suffix}"))
        files += [p for name in source.static for p in sorted(root.glob(f"lib*/**/{name}"))]
        for name in source.libraries:
            files += [p for lib in ("lib*", "lib/*") for p in sorted(root.glob(f"{lib}/lib{name}.*"))]
        return [self._fingerprints.file(path) for path in files]

    def _files_recipe(self, files: Sequence[Path], words: Sequence[str], inputs: list[str]) -> Recipe:
        steps: list[list[str]] = []
        products: list[str] = []
        for number, file in enumerate(files):
            products.append(f"{number:03}-{file.stem}.o")
            steps.append([self._compilers.of(file), *words, "-c", str(file), "-o", f"{OUT}/{products[-1]}"])
        return Recipe(steps=steps, inputs=[*inputs, self._compilers.identity], products=products)

    def _cmake_recipe(
        self, cmake: CMake, root: Path, version: str, words: list[str], profile: Profile, inputs: list[str]
    ) -> Recipe:
        compilers = self._compilers
        flags = shlex.join([*common_flags(profile, self._sanitize), "-w", *words])
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

    def _pkg_config(self, option: str, module: str, prefix: Path | None) -> list[str]:
        key = (option, module, prefix)
        if key not in self._modules:
            extra = pkg_config_path(prefix) if prefix else None
            answer = run(["pkg-config", option, module], extra=extra)
            if not answer.ok:
                raise BuildFailed(f"pkg-config does not know {module}", answer.tail())
            self._modules[key] = shlex.split(answer.output)
        return self._modules[key]


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
