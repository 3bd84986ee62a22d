"""Rows, encoders and tools, built as the build program of their harness plans."""

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, Literal

import msgspec

from serbench.build import program
from serbench.build.contract import Answer, Content, Cross, Data, Input, Kin, Request, resolved
from serbench.build.processor import Level, meaning_of_native
from serbench.build.records import BuildFailed, Built
from serbench.build.store import Fingerprints, Store, seconds_of
from serbench.catalog.load import read_contender
from serbench.catalog.records import Catalog, Profile, Row
from serbench.provision import provide
from serbench.provision.process import first_line, stop_all
from serbench.provision.records import Provided, Unavailable


def in_turns(rows: Sequence[Row]) -> list[Row]:
    """The rows, the first of every contender before the second of any.

    Rows of one contender wait for what they share, such as its library; those of others need not.
    """
    seen: Counter[str] = Counter()
    turns: dict[int, list[Row]] = {}
    for row in rows:
        turns.setdefault(seen[row.contender.id], []).append(row)
        seen[row.contender.id] += 1
    return [row for turn in turns.values() for row in turn]


class Builder:
    """Builds for one machine, from one catalog, below `cache`/build. Its methods may run in threads."""

    def __init__(
        self,
        catalog: Catalog,
        cache: Path,
        *,
        compiler: str = "",
        cross: Cross | None = None,
        launcher: Sequence[str] = (),
    ) -> None:
        """Take what --compiler names, or the machine to build for and what starts its workers on this one."""
        self.catalog = catalog
        self.compiler = compiler
        self.cross = cross
        self.ask = program.ask
        self._launcher = [*launcher]
        self._launcher_version = first_line([launcher[0], "--version"]) if launcher else ""
        root, cache = catalog.root.absolute(), cache.absolute()
        self._root, self._cache = root, cache
        self._store = Store(cache / "build", [(cache, "@cache"), (root, "@root")])
        self._fingerprints = Fingerprints()

    def compilers(self) -> dict[str, str]:
        """The versions of the compilers that --compiler chooses from, by language; empty if not installed.

        Raises BuildFailed with the remedy for a chosen compiler that is not installed.
        """
        found: dict[str, str] = {}
        for name, harness in self.catalog.harnesses.items():
            if harness.capabilities.compilers:
                found |= self.ask(self._request(name, want="describe")).compilers
        return found

    def build(
        self,
        row: Row,
        provided: Provided,
        profile: Profile,
        want: Literal["worker", "static", "size", "probe"] = "worker",
        kin: Row | None = None,
        data: Data | None = None,
        cpu: Level = "baseline",
    ) -> Built:
        """The program of `row` with its library as `provided`, in `profile` for `cpu`. Raises BuildFailed.

        `want` is the worker itself, the worker linked statically, what has the row's code size in its
        `size_of`, or what `serbench fidelity` starts. `kin` is the row whose baseline `row` is, if the two
        are compared: it is built as `kin` is.
        `data` is the document that is part of the program, if one is.
        """
        launched = want == "worker" and bool(self._launcher)
        form: str = self.catalog.capabilities(row).code_size if want == "size" else want
        if form == "none":
            raise BuildFailed("its harness builds nothing whose code size can be measured")
        wanted = "static" if launched else form
        request = self._row_request(wanted, row, provided, profile, kin, data, cpu)
        if provided.built_by and request.cpu != "baseline":
            # Its row would say that the library is built for this level.
            reason = f"{provided.built_by} built the library, so it is not built for {request.cpu}"
            raise BuildFailed(reason, unavailable=True)
        built = self._make(request)
        if not launched:
            return built
        return msgspec.structs.replace(
            built,
            command=[*self._launcher, *built.command],
            digest=" ".join([built.digest, *self._launcher, self._launcher_version]),
        )

    def build_encoder(self, source: str, profile: Profile = "speed", float32: bool = False) -> Built:
        """The worker that makes the canonical encoding of a format by a source in formats/.

        It writes doubles as 32-bit floats if `float32`, where the format has both. Raises BuildFailed.
        """
        folder, language = self.catalog.root / "formats", self.catalog.language_of(source)
        return self._make(
            self._request(
                self.catalog.harness_of(language),
                want="worker",
                profile=profile,
                language=language,
                source=folder / source,
                folder=folder,
                defines=["SB_FLOAT32"] if float32 else [],
            )
        )

    def build_tool(self, name: str, prefixes: Mapping[str, Path] | None = None) -> Built:
        """The tool `name` of a harness's manifest; its command is the file itself. Raises BuildFailed.

        `prefixes` are the folders of installed libraries that the user named, by contender.
        """
        harness = next(h for h, manifest in self.catalog.harnesses.items() if name in manifest.tools)
        tool = self.catalog.harnesses[harness].tools[name]
        library = None
        if tool.library:
            # Whatever contenders this catalog has.
            contender = read_contender(self.catalog.root / "contenders" / tool.library)
            try:
                library = provide(contender, self._cache, prefixes, self.catalog)
            except Unavailable as error:
                raise BuildFailed(error.reason) from error
        return self._make(self._request(harness, want="tool", name=name, tool=tool, library=library))

    def build_project(self, rows: Sequence[tuple[Row, Provided, Data]]) -> Path:
        """The folder of a project with all of `rows`, which have one harness. Raises BuildFailed."""
        requests = [
            self._row_request("worker", row, provided, "size", data=data) for row, provided, data in rows
        ]
        harness = self.catalog.harness_of(rows[0][0].language)
        _, made = self._recipes(self._request(harness, want="project", rows=requests))
        return made[-1][0]

    def build_all(
        self,
        rows: Sequence[Row],
        provided: Mapping[str, Provided],
        profile: Profile,
        cpu: Level = "baseline",
        *,
        on_done: Callable[[Row, Built | BuildFailed], None] = lambda row, built: None,
        jobs: int | None = None,
    ) -> dict[str, Built | BuildFailed]:
        """Build all `rows` whose contender's id is in `provided`, in parallel; the outcomes by the rows' ids.

        `on_done` is called in this thread as each row ends. A failure costs its row only.
        """

        def one(row: Row) -> Built | BuildFailed:
            try:
                return self.build(row, provided[row.contender.id], profile, cpu=cpu)
            except BuildFailed as error:
                return error

        results: dict[str, Built | BuildFailed] = {}
        with ThreadPoolExecutor(jobs or len(os.sched_getaffinity(0))) as pool:
            able = [row for row in rows if row.contender.id in provided]
            pending = {pool.submit(one, row): row for row in in_turns(able)}
            try:
                for future in as_completed(pending):
                    row = pending[future]
                    results[row.id] = future.result()
                    on_done(row, results[row.id])
            except BaseException:  # Ctrl-C: nothing more begins, and what is running ends now.
                pool.shutdown(wait=False, cancel_futures=True)
                stop_all()
                raise
        return results

    def _request(self, harness: str, cpu: Level = "baseline", **fields: Any) -> Request:
        stated = self.catalog.harnesses[harness]
        return Request(
            root=self._root,
            harness=self._root / "harness" / harness,
            cache=self._cache,
            options=stated.build.options,
            compiler=self.compiler if self.compiler in stated.capabilities.compilers else "",
            cpu=cpu if stated.capabilities.cpu else "baseline",
            cross=self.cross,
            **fields,
        )

    def _row_request(
        self,
        want: str,
        row: Row,
        provided: Provided,
        profile: Profile,
        kin: Row | None = None,
        data: Data | None = None,
        cpu: Level = "baseline",
    ) -> Request:
        manifest = row.contender.manifest
        own = kin.contender.manifest if kin else None
        return self._request(
            self.catalog.harness_of(manifest.language),
            cpu,
            want=want,
            profile=profile,
            language=manifest.language,
            test=row.test,
            source=row.source,
            folder=row.contender.folder,
            defines=row.defines,
            standard=manifest.standard,
            schemas=manifest.schemas,
            schema=row.schema.path if row.schema else None,
            library=provided,
            kin=Kin(language=own.language, standard=own.standard) if own else None,
            data=data,
        )

    def _make(self, request: Request) -> Built:
        """What the build program plans for `request`."""
        return self._built(*self._recipes(request))

    def _recipes(self, request: Request) -> tuple[Answer, list[tuple[Path, str]]]:
        """The answer of the build program, and the folder and the digest of each of its recipes."""
        answer = self.ask(request)
        # The command lines of two machines are alike, and their programs are not.
        means: list[Input] = [f"native {meaning_of_native()}"] if request.cpu == "native" else []
        made: list[tuple[Path, str]] = []
        for planned in answer.recipes:
            recipe = msgspec.structs.replace(
                planned,
                steps=[[resolved(word, made) for word in step] for step in planned.steps],
                inputs=[self._digest(each, made) for each in [*planned.inputs, *means]],
            )
            try:
                made.append(self._store.make(recipe))
            except BuildFailed as error:
                reason = next((why for mark, why in planned.reasons.items() if mark in error.output), None)
                if reason is None:
                    raise
                if request.want != "worker":  # The ordinary worker says what else is wrong.
                    self._make(msgspec.structs.replace(request, want="worker", kin=None))
                raise BuildFailed(reason, error.output) from error
        return answer, made

    def _built(self, answer: Answer, made: Sequence[tuple[Path, str]]) -> Built:
        digests = [
            self._digest(each, made)[: 16 if isinstance(each, Content) else None] for each in answer.digest
        ]
        if not digests and not made:
            raise BuildFailed("the answer of the build program has neither recipes nor a digest")
        return Built(
            command=[resolved(word, made) for word in answer.command],
            heap_command=[resolved(word, made) for word in answer.heap_command],
            load_command=[resolved(word, made) for word in answer.load_command],
            interpreter=answer.interpreter,
            labels=answer.labels,
            module=resolved(answer.module, made),
            size_of=Path(resolved(answer.size_of, made)),
            generated=[Path(resolved(each, made)) for each in answer.generated],
            seconds=seconds_of(made[-1][0]) if made else None,
            compiler=answer.compiler,
            flags=answer.flags,
            digest="-".join(digests) or made[-1][1],
        )

    def _digest(self, each: Input, made: Sequence[tuple[Path, str]]) -> str:
        if not isinstance(each, Content):
            return resolved(each, made)
        find = getattr(self._fingerprints, each.of)
        found = find(each.path, each.without) if each.of == "folder" else find(each.path)
        return f"{each.label} {found}".lstrip()
