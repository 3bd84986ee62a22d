"""The build program of C and C++: see docs/build-contract.md."""

import os
from collections.abc import Sequence
from pathlib import Path

import msgspec
from harness.c import plain, schema
from harness.c.build.compilers import (
    CXX_SUFFIXES,
    Compilers,
    common_flags,
    compilers_of,
    cross_compilers,
    level_flags,
    profile_flags,
)
from harness.c.build.library import Library, make_library

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.catalog.records import Profile
from serbench.schemas import generator
from serbench.schemas.model import load

_WARNINGS = ["-Wall", "-Wextra"]
"""No errors, since newer headers and compilers warn of more; a test sees to it that today's do not."""
_STANDARDS = {"c": "gnu11", "c++": "gnu++17"}
# Variables that add folders to every compilation.
_PATHS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")
_LACKS_A_LIBRARY = ("undefined reference", "cannot find -l", "static link of dynamic")
"""What the linker says where a library, or what should be in one, is missing."""


class Options(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename="kebab"):
    """The table `build.options` of the harness. Paths are relative to its folder."""

    sources: list[str] = []
    """Linked into every worker."""
    test_sources: dict[str, list[str]] = {}
    """Linked into the workers of one test."""
    schema_sources: dict[str, list[str]] = {}
    """The same of a contender whose code is generated from a schema, where it is not that."""
    include: list[str] = []
    libraries: list[str] = []
    """System libraries that the harness itself needs."""
    runtime: dict[str, str] = {}
    """By language, a source that brings what every program of it carries into statically linked workers,
    the baseline's included, so that code size does not count it."""


class Build:
    """The plan for one request."""

    def __init__(self, request: Request, compilers: Compilers) -> None:
        self.request = request
        self.compilers = compilers
        self.options = msgspec.convert(request.options, Options)
        self.plan = Plan()
        self._level = level_flags(request.cpu, compilers)
        self._environment = [f"{name}={os.environ.get(name, '')}" for name in _PATHS]

    def worker(self, static: bool) -> Answer:
        """A worker with its library."""
        request, options, folder = self.request, self.options, self.request.harness
        language = request.kin.language if request.kin else request.language
        provided = request.library
        foreign = provided is not None and provided.distribution_build
        if self.compilers.libcxx and foreign and request.language == "cpp":
            raise BuildFailed(
                "the distribution built it for libstdc++, and this compiler's C++ has libc++",
                unavailable=True,
            )
        library = Library()
        if provided is not None:
            library = make_library(self.plan, provided, request, self.compilers)
        shown = self._flags()
        words = [*common_flags(request.profile), *self._level, *_WARNINGS]
        words += [f'-DSB_LANGUAGE="{language}"', f'-DSB_TEST="{request.test}"', f'-DSB_FLAGS="{shown}"']
        includes = [f"-I{folder / path}" for path in options.include]
        own_sources = options.test_sources.get(request.test, [])
        generated = self._generated() if request.schema is not None and request.schemas else {}
        if generated:
            own_sources = options.schema_sources.get(request.test, own_sources)
            includes.append(f"-I{folder / 'structs'}")
            for made, (digest, _) in generated.items():
                library.compile.append(f"-I{made}")
                library.inputs.append(digest)
            library.inputs.append(Content(of="folder", path=folder / "structs" / "serbench"))
        names = [*options.sources, *own_sources]
        extra = ["-DSB_STATIC"] if static else []  # the harness's own: a contender is compiled once for both
        if static and language in options.runtime:
            names.append(options.runtime[language])
        headers = self._headers(names, options.include)
        headers = [*headers, *(library.inputs if generated else [])]
        harness = self._objects([folder / path for path in names], [*words, *extra, *includes], "", headers)
        macros = [f"-D{define}" for define in request.defines]
        own = [*words, *includes, f"-I{request.source.parent}", *library.compile, *macros]
        contents: list[Input] = [
            *library.inputs,
            Content(of="folder", path=request.source.parent),
            *self._headers([], options.include),  # those that a contender may include
        ]
        contender = self._objects([request.source], own, request.standard, contents)
        link = [*harness.link, *contender.link, *library.link]
        link += [f"-l{each}" for each in options.libraries]
        inputs = [*harness.inputs, *contender.inputs, *library.inputs]
        if static:
            link.append("-static")
        cxx = language == "cpp" or _any_cxx([request.source])
        answer = self._link("worker", cxx, link, inputs, request.profile, self._no_static() if static else {})
        files = [str(made / name) for made, (_, names) in generated.items() for name in names]
        return msgspec.structs.replace(answer, generated=files)

    def _generated(self) -> dict[Path, tuple[str, list[str]]]:
        """The folders of what is made for the row's schema, with their digests and files.

        These are the header with the structs of C++ or C, and what the contender's own generator makes.
        """
        assert self.request.schema is not None
        emit, name = (schema.emit, "data.hpp") if _any_cxx([self.request.source]) else (plain.emit, "data.h")
        text = emit(load(self.request.schema))
        structs = Recipe(inputs=[text], products=[name], put=[Put(to=name, text=text)])
        own = generator.recipe_of(self.request)
        recipes = [structs, *([own] if own is not None else [])]
        added = [(self.plan.add(recipe), recipe.products) for recipe in recipes]
        return {folder: (digest, products) for (folder, digest), products in added}

    def tool(self) -> Answer:
        """A program or a shared library of the project's own."""
        tool, folder = self.request.tool, self.request.harness
        assert tool is not None
        includes = [f"-I{folder / path}" for path in tool.include]
        library, provided = Library(), self.request.library
        if provided is not None:
            library = make_library(self.plan, provided, self.request, self.compilers)
        words = [*common_flags("speed"), *(["-fPIC"] if tool.shared else []), *_WARNINGS]
        sources = [folder / path for path in tool.sources]
        inputs = [*library.inputs, *self._headers(tool.sources, tool.include)]
        objects = self._objects(sources, [*words, *includes, *library.compile], "", inputs)
        link = [*(["-shared"] if tool.shared else []), *objects.link, *library.link]
        link += [f"-l{each}" for each in tool.libraries]
        product = f"lib{self.request.name}.so" if tool.shared else self.request.name
        return self._link(product, _any_cxx(sources), link, objects.inputs, "speed", {})

    def _no_static(self) -> dict[str, str]:
        """What is said if somebody else's library cannot be linked statically."""
        library = self.request.library
        if library is None or not (library.distribution_build or library.found):
            return {}
        owner = "the distribution" if library.distribution_build else "the installed copy"
        reason = f"{owner} has no static form of the library, or of one that it needs"
        return dict.fromkeys(_LACKS_A_LIBRARY, reason)

    def _headers(self, sources: Sequence[str], include: Sequence[str]) -> list[Input]:
        """All headers that the harness's own `sources` can see."""
        folder = self.request.harness
        places = {folder / path for path in include} | {(folder / path).parent for path in sources}
        # A tool may look into a sibling folder, as the counting library does.
        places |= {folder / "src"} if sources else set()
        found = {header for place in places for header in place.rglob("*.h")}
        return [Content(of="file", path=path, label=str(path.relative_to(folder))) for path in sorted(found)]

    def _objects(
        self, sources: Sequence[Path], words: Sequence[str], standard: str, inputs: Sequence[Input]
    ) -> Library:
        """Objects of the sources, as something to link; `standard` holds for the language it names."""
        steps: list[list[str]] = []
        products: list[str] = []
        for number, source in enumerate(sources):
            kind = "c++" if _any_cxx([source]) else "c"
            chosen = standard if standard and ("++" in standard) == (kind == "c++") else _STANDARDS[kind]
            products.append(f"{number:02}.o")
            command = [self.compilers.of(source), f"-std={chosen}", *words]
            steps.append([*command, "-c", str(source), "-o", f"{OUT}/{products[-1]}"])
        contents = [Content(of="file", path=source) for source in sources]
        recipe = Recipe(
            steps=steps,
            inputs=[*inputs, *contents, self.compilers.identity, *self._environment],
            products=products,
        )
        folder, digest = self.plan.add(recipe)
        return Library(link=[str(folder / product) for product in products], inputs=[digest])

    def _link(
        self,
        product: str,
        cxx: bool,
        link: Sequence[str],
        inputs: Sequence[Input],
        profile: Profile,
        reasons: dict[str, str],
    ) -> Answer:
        compilers = self.compilers
        options = [*common_flags(profile), *self._level, "-Wl,--gc-sections", *compilers.link]
        recipe = Recipe(
            steps=[[compilers.cxx if cxx else compilers.c, *options, "-o", f"{OUT}/{product}", *link]],
            inputs=[*inputs, compilers.identity, *self._environment],
            products=[product],
            reasons=reasons,
        )
        folder, _ = self.plan.add(recipe)
        return Answer(
            recipes=self.plan.recipes,
            command=[str(folder / product)],
            size_of=str(folder / product),
            compiler=compilers.cxx_version if cxx else compilers.c_version,
            flags=self._flags(),
        )

    def _flags(self) -> str:
        """The options of profile and level as a row states them, or who chose those of its library."""
        builder = self.request.library.built_by if self.request.library else ""
        ours = " ".join([*profile_flags(self.request.profile), *self._level])
        return f"chosen by {builder}" if builder else ours


def _any_cxx(sources: Sequence[Path]) -> bool:
    """Whether one of `sources` is C++, which then links the whole."""
    return any(source.suffix in CXX_SUFFIXES for source in sources)


def answer(request: Request) -> Answer:
    """The plan for `request`. Raises BuildFailed."""
    if request.cross is not None:
        compilers = cross_compilers(request.cross, request.cache)
    else:
        compilers = compilers_of(request.compiler, request.root, request.cache)
    if request.want == "describe":
        return Answer(compilers={"c": compilers.c_version, "c++": compilers.cxx_version})
    build = Build(request, compilers)
    return build.tool() if request.want == "tool" else build.worker(static=request.want == "static")
