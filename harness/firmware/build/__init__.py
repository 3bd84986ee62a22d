"""The build program of microcontrollers: firmware of one contender and one document.

See docs/build-contract.md.
"""

from collections.abc import Sequence
from pathlib import Path

from harness.c.build.library import replaced
from harness.firmware.build.project import Project
from harness.firmware.build.source import document_source

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.process import first_line, once
from serbench.schemas.generator import recipe_of

_SIZE = ["-Os", "-ffunction-sections", "-fdata-sections"]
_SECTIONS = "-Wl,--gc-sections"
_CXX = ["-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-nostdinc++"]
"""No target is set up with a C++ library, which is a large download and for most does not exist."""
_COMPILERS = {".c": ("gcc", "-std=gnu11"), ".cpp": ("g++", "-std=gnu++17")}
_WARNINGS = ["-Wall", "-Wextra"]
_TOO_LARGE = ("overflowed by", "will not fit", "is not within region")
version_of = once(first_line)


class Build:
    """The plan for the firmware of one request."""

    def __init__(self, request: Request) -> None:
        if request.cross is None or request.data is None:
            raise BuildFailed("firmware is built for a microcontroller and a document")
        self.request, self.cross, self.data = request, request.cross, request.data
        self.plan = Plan()
        self.objects: list[str] = []
        self.digests: list[Input] = []
        self.source = request.harness / "src"
        self._identity = [version_of((f"{self.cross.tools}gcc", "--version")), self.cross.identity]
        self._include = [f"-I{path / 'include'}" for path in (request.root / "harness/c", request.harness)]
        self._headers = [Content(of="folder", path=Path(word[2:])) for word in self._include]
        self._headers += [Content(of="folder", path=path) for path in (self.source, self.cross.folder)]

    def program(self) -> Answer:
        """The firmware, linked."""
        request, cross = self.request, self.cross
        own = [f"-I{self.source}", *_WARNINGS]
        files = [self.source / name for name in ("main.c", "heap.c", "marker.c")]
        self._compile([*files, *((cross.folder / name).resolve() for name in cross.sources)], own, [])
        library = self._library()
        generated = recipe_of(request)
        if generated is not None:
            folder, digest = self.plan.add(generated)
            made = [folder / name for name in generated.products if name.endswith(".c")]
            self._compile(made, [*library, f"-I{folder}", *_WARNINGS], [digest])
        text = document_source(self.data)
        put = [Put(to="document.c", text=text)]
        self._compile([Path(OUT) / "document.c"], [f"-I{self.source}"], [text], put)
        words = [f"{cross.tools}gcc", *cross.flags, _SECTIONS]
        words += [word.replace("{folder}", str(cross.folder)) for word in cross.link]
        libraries = [f"-l{name}" for name in cross.libraries]
        recipe = Recipe(
            steps=[[*words, *self.objects, *libraries, "-o", f"{OUT}/firmware"]],
            inputs=[*self._identity, Content(of="folder", path=cross.folder), *self.digests],
            products=["firmware"],
            reasons=dict.fromkeys(_TOO_LARGE, "it does not fit the target"),
        )
        folder, _ = self.plan.add(recipe)
        return Answer(
            recipes=self.plan.recipes,
            command=[str(folder / "firmware")],
            size_of=str(folder / "firmware"),
            compiler=self._identity[0],
            flags=" ".join([*cross.flags, *_SIZE, _SECTIONS]),
        )

    def _library(self) -> list[str]:
        """Compile contender and library; options for what else is compiled with the library."""
        request, provided = self.request, self.request.library
        words = [f"-D{macro}" for macro in request.defines]
        inputs: list[Input] = [Content(of="folder", path=request.folder)]
        if provided is not None and provided.root is not None:
            source, root = provided.source, provided.root
            places = [root] if provided.found is None else [root / name for name in source.include]
            inputs += [provided.origin, provided.version, *(Content(of="tree", path=p) for p in places)]
            if provided.digest:
                inputs = [inputs[0], provided.digest]
            files = [path.relative_to(root) for name in source.files for path in sorted(root.glob(name))]
            inputs += [Content(of="file", path=root / path) for path in files]
            if source.replace:
                root, digest = self.plan.add(replaced(source, root, inputs))
                inputs.append(digest)
            words += [word for name in source.include for word in ("-I", str(root / name))]
            self._compile([root / path for path in files], [*words, "-w"], inputs)
        self._compile([request.source], [*words, *_WARNINGS], inputs)
        return words

    def _compile(
        self,
        sources: Sequence[Path],
        more: Sequence[str],
        inputs: Sequence[Input],
        put: Sequence[Put] = (),
    ) -> None:
        """Compile `sources` with the options `more`."""
        steps, products = [], []
        for number, source in enumerate(sources):
            if source.suffix not in _COMPILERS:
                raise BuildFailed(f"{source.name} is neither .c nor .cpp")
            compiler, standard = _COMPILERS[source.suffix]
            words = [f"{self.cross.tools}{compiler}", standard, *self.cross.flags, *_SIZE]
            words += ["-DSB_NARROW", f"-DFW_ARENA={self.cross.arena}", *(_CXX if compiler == "g++" else [])]
            products.append(f"{number:02}-{source.stem}.o")
            step = [*words, *more, *self._include, "-c", str(source), "-o", f"{OUT}/{products[-1]}"]
            steps.append(step)
        # What a recipe makes is in the digest of that.
        contents = [Content(of="file", path=path) for path in sources if "\x01" not in str(path)]
        recipe = Recipe(
            steps=steps,
            inputs=[*self._identity, *self._headers, *inputs, *contents],
            products=products,
            put=[*put],
        )
        folder, digest = self.plan.add(recipe)
        self.objects += [str(folder / product) for product in products]
        self.digests.append(digest)


def answer(request: Request) -> Answer:
    """The plan for `request`. Raises BuildFailed."""
    return Project(request).answer() if request.want == "project" else Build(request).program()
