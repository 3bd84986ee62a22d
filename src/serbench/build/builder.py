"""Rows, encoders and tools, built with the harness of their language."""

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from serbench.build.compilers import (
    CXX_SUFFIXES,
    Compilers,
    common_flags,
    find_compilers,
    profile_flags,
)
from serbench.build.kinds import BUILDERS, BUNDLERS, STATIC_BUILDERS, Bench
from serbench.build.library import Library, LibraryBuilder
from serbench.build.records import BuildFailed, Built
from serbench.build.store import OUT, Fingerprints, Recipe, Store
from serbench.catalog.records import Catalog, HarnessManifest, Profile, Row, Test
from serbench.provision.debian import missing_packages, remedy
from serbench.provision.process import stop_all
from serbench.provision.records import Provided

_WARNINGS = ["-Wall", "-Wextra", "-Werror"]
_STANDARDS = {"c": "gnu11", "c++": "gnu++17"}
# Variables that add folders to every compilation.
_PATHS = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")


class Builder:
    """Builds for one machine, from one catalog, below `cache`/build. Its methods may run in threads."""

    def __init__(
        self,
        catalog: Catalog,
        cache: Path,
        *,
        compilers: Compilers | None = None,
        sanitize: bool = False,
    ) -> None:
        """Take `compilers`, or those that CC and CXX name; `sanitize` puts sanitizers before speed."""
        self.catalog = catalog
        self.compilers = compilers or find_compilers()
        self.sanitize = sanitize
        root, cache = catalog.root.absolute(), cache.absolute()
        self._store = Store(cache / "build", [(cache, "@cache"), (root, "@root")])
        self._fingerprints = Fingerprints()
        self._bench = Bench(catalog=catalog, store=self._store, fingerprints=self._fingerprints)
        self._libraries = LibraryBuilder(self._store, self._fingerprints, self.compilers, sanitize)
        self._environment = [f"{name}={os.environ.get(name, '')}" for name in _PATHS]

    def build_row(self, row: Row, provided: Provided, profile: Profile) -> Built:
        """The worker of `row` with its library as `provided`, in `profile`. Raises BuildFailed."""
        manifest = row.contender.manifest
        kind = self.catalog.harnesses[self.catalog.harness_of(manifest.language)].builder
        if kind != "native":
            return BUILDERS[kind](self._bench, row, provided, profile)
        self._refuse_other_runtime(row, provided)
        library = self._libraries.make(provided, profile, row.defines)
        return self._worker(
            source=row.source,
            language=manifest.language,
            test=row.test,
            defines=row.defines,
            standard=manifest.standard,
            library=library,
            profile=profile,
        )

    def build_static(
        self, row: Row, provided: Provided, profile: Profile, language: str | None = None
    ) -> Built:
        """The worker of `row` linked statically, whose text and data are what a program would carry.

        `language`, if given, is the one that it is linked as: a baseline for C++ rows is linked by the
        C++ compiler. Raises BuildFailed, also for a library or a language that has no static form.
        """
        kind = self.catalog.harnesses[self.catalog.harness_of(row.contender.manifest.language)].builder
        if kind != "native":
            if kind not in STATIC_BUILDERS:
                raise BuildFailed("its harness has no statically linked form")
            return STATIC_BUILDERS[kind](self._bench, row, provided, profile)
        self._refuse_other_runtime(row, provided)
        library = self._libraries.make(provided, profile, row.defines)
        try:
            return self._worker(
                source=row.source,
                language=language or row.contender.manifest.language,
                test=row.test,
                defines=row.defines,
                standard=row.contender.manifest.standard,
                library=library,
                profile=profile,
                static=True,
            )
        except BuildFailed as error:
            if not (provided.distribution_build or provided.found) or not _lacks_a_library(error):
                raise
            self.build_row(row, provided, profile)  # which says what else is wrong
            owner = "the distribution" if provided.distribution_build else "the installed copy"
            raise BuildFailed(
                f"{owner} has no static form of the library, or of one that it needs", error.output
            ) from error

    def build_bundle(self, kind: str, built: Built) -> Path | None:
        """The compressed bundle of a row built for a harness of that kind; None where there is no such thing.

        Raises BuildFailed.
        """
        return BUNDLERS[kind](self._bench, built) if kind in BUNDLERS else None

    def build_encoder(self, format_id: str, provide: Callable[[str], Provided]) -> Built:
        """The write worker that makes the canonical encoding of a format, with the profile speed.

        `provide` yields the library of the contender with the given id, if the encoder is one; what it
        raises passes through. Raises BuildFailed.
        """
        encoder = self.catalog.formats[format_id].encoder
        if encoder.contender is not None:
            contender = self.catalog.contenders.get(encoder.contender)
            if contender is None:
                raise BuildFailed(f"the encoder of {format_id} is {encoder.contender}, which does not exist")
            return self.build_row(Row(contender=contender, test="write"), provide(encoder.contender), "speed")
        return self._worker(
            source=self.catalog.root / "formats" / (encoder.source or ""),
            language=encoder.language,
            test="write",
            defines=encoder.defines,
            standard=encoder.standard,
            library=Library(inputs=[encoder.options]),
            profile="speed",
        )

    def build_tool(self, name: str, harness: str = "c") -> Built:
        """The tool `name` of a harness's manifest; its command is the file itself. Raises BuildFailed."""
        manifest = self.catalog.harnesses[harness]
        tool = manifest.tools[name]
        missing = missing_packages(tool.packages)
        if missing:
            raise BuildFailed(f"the {name} tool {remedy(missing)}")
        folder = self.catalog.root / "harness" / harness
        includes = [f"-I{folder / path}" for path in tool.include]
        extra = ["-fPIC"] if tool.shared else []
        # What is preloaded into any program must not need the sanitizers' own start-up.
        sanitize = self.sanitize and not tool.shared
        words = [*common_flags("speed", sanitize), *extra, *_WARNINGS, *includes]
        sources = [folder / path for path in tool.sources]
        objects = self._objects(sources, words, "", self._headers(folder, tool.sources, tool.include))
        link = [*(["-shared"] if tool.shared else []), *objects.link]
        link += [f"-l{library}" for library in tool.libraries]
        product = f"lib{name}.so" if tool.shared else name
        return self._link(product, any_cxx(sources), link, objects.inputs, "speed", sanitize)

    def build_all(
        self,
        rows: Sequence[Row],
        provided: Mapping[str, Provided],
        profile: Profile,
        *,
        on_done: Callable[[Row, Built | BuildFailed], None] | None = None,
        jobs: int | None = None,
    ) -> dict[str, Built | BuildFailed]:
        """All `rows` whose contender's id is in `provided`, in parallel; what became of each, by its id.

        `on_done` is called in this thread as each row ends. A failure costs its row only.
        """
        results: dict[str, Built | BuildFailed] = {}
        wanted = [row for row in rows if row.contender.id in provided]
        with ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
            pending = {
                pool.submit(self.build_row, row, provided[row.contender.id], profile): row for row in wanted
            }
            try:
                for future in as_completed(pending):
                    row = pending[future]
                    error = future.exception()
                    if error is not None and not isinstance(error, BuildFailed):
                        raise error
                    results[row.id] = error if error is not None else future.result()
                    if on_done is not None:
                        on_done(row, results[row.id])
            except BaseException:  # Ctrl-C: nothing more begins, and what is running ends now.
                pool.shutdown(wait=False, cancel_futures=True)
                stop_all()
                raise
        return results

    def _refuse_other_runtime(self, row: Row, provided: Provided) -> None:
        """Raises BuildFailed for a C++ library that was built for another C++ runtime than the compiler's."""
        if self.compilers.libcxx and provided.distribution_build and row.contender.manifest.language == "cpp":
            raise BuildFailed(
                "the distribution built it for libstdc++, and this compiler's C++ has libc++",
                unavailable=True,
            )

    def _worker(
        self,
        *,
        source: Path,
        language: str,
        test: Test,
        defines: Sequence[str],
        standard: str,
        library: Library,
        profile: Profile,
        static: bool = False,
    ) -> Built:
        name = self.catalog.harness_of(language)
        manifest = self.catalog.harnesses[name]
        folder = self.catalog.root / "harness" / name
        shown = " ".join(profile_flags(profile, self.sanitize))
        words = [*common_flags(profile, self.sanitize), *_WARNINGS]
        words += [f'-DSB_LANGUAGE="{language}"', f'-DSB_TEST="{test}"', f'-DSB_FLAGS="{shown}"']
        includes = [f"-I{folder / path}" for path in manifest.include]
        names = [*manifest.sources, *manifest.test_sources.get(test, [])]
        extra = ["-DSB_STATIC"] if static else []  # the harness's own: a contender is compiled once for both
        if static and language in manifest.runtime:
            names.append(manifest.runtime[language])
        headers = self._headers(folder, names, manifest.include)
        harness = self._objects([folder / path for path in names], [*words, *extra, *includes], "", headers)
        macros = [f"-D{define}" for define in defines]
        own = [*words, *includes, f"-I{source.parent}", *library.compile, *macros]
        contents = [
            *library.inputs,
            self._fingerprints.folder(source.parent),
            *self._public(folder, manifest),
        ]
        contender = self._objects([source], own, standard, contents)
        link = [*harness.link, *contender.link, *library.link]
        link += [f"-l{each}" for each in manifest.libraries]
        cxx = language == "cpp" or any_cxx([source])
        inputs = [*harness.inputs, *contender.inputs, *library.inputs]
        if static:
            link.append("-static")
        return self._link("worker", cxx, link, inputs, profile, self.sanitize)

    def _headers(self, folder: Path, sources: Sequence[str], include: Sequence[str]) -> list[str]:
        """The digests of all headers that the harness's own `sources` can see."""
        places = {folder / path for path in include} | {(folder / path).parent for path in sources}
        # A tool may look into a sibling folder, as the counting library does.
        places |= {folder / "src"} if sources else set()
        found = {header for place in places for header in place.rglob("*.h")}
        return [f"{path.relative_to(folder)} {self._fingerprints.file(path)}" for path in sorted(found)]

    def _public(self, folder: Path, manifest: HarnessManifest) -> list[str]:
        """The digests of the headers that a contender may include."""
        return self._headers(folder, [], manifest.include)

    def _objects(
        self, sources: Sequence[Path], words: Sequence[str], standard: str, inputs: Sequence[str]
    ) -> Library:
        """Objects of the sources, as something to link; `standard` holds for the language it names."""
        steps: list[list[str]] = []
        products: list[str] = []
        for number, source in enumerate(sources):
            kind = "c++" if any_cxx([source]) else "c"
            chosen = standard if standard and ("++" in standard) == (kind == "c++") else _STANDARDS[kind]
            products.append(f"{number:02}.o")
            command = [self.compilers.of(source), f"-std={chosen}", *words]
            steps.append([*command, "-c", str(source), "-o", f"{OUT}/{products[-1]}"])
        fingerprints = [self._fingerprints.file(source) for source in sources]
        recipe = Recipe(
            steps=steps,
            inputs=[*inputs, *fingerprints, self.compilers.identity, *self._environment],
            products=products,
        )
        folder, digest = self._store.make(recipe)
        return Library(link=[str(folder / product) for product in products], inputs=[digest])

    def _link(
        self,
        product: str,
        cxx: bool,
        link: Sequence[str],
        inputs: Sequence[str],
        profile: Profile,
        sanitize: bool,
    ) -> Built:
        compiler = self.compilers.cxx if cxx else self.compilers.c
        options = [*common_flags(profile, sanitize), "-Wl,--gc-sections", *self.compilers.link]
        recipe = Recipe(
            steps=[[compiler, *options, "-o", f"{OUT}/{product}", *link]],
            inputs=[*inputs, self.compilers.identity, *self._environment],
            products=[product],
        )
        folder, digest = self._store.make(recipe)
        version = self.compilers.cxx_version if cxx else self.compilers.c_version
        shown = " ".join(profile_flags(profile, sanitize))
        return Built(command=[str(folder / product)], compiler=version, flags=shown, digest=digest)


def any_cxx(sources: Sequence[Path]) -> bool:
    """Whether one of `sources` is C++, which then links the whole."""
    return any(source.suffix in CXX_SUFFIXES for source in sources)


def _lacks_a_library(error: BuildFailed) -> bool:
    """Whether the linker missed a library or what is in one."""
    return any(
        mark in error.output for mark in ("undefined reference", "cannot find -l", "static link of dynamic")
    )
