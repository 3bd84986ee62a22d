"""The build program of Go: the compiler makes a contender, its modules and the harness one program.

All tests of a contender are one program, and all its variants: the worker is told which it is.
See docs/build-contract.md.
"""

import platform
import re

from harness.go import avro, protobuf
from harness.go.schema import emit, refuse

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.processor import Level, runnable_here
from serbench.build.records import BuildFailed
from serbench.errors import UserError
from serbench.provision.parts import STAMP, find_file, find_part
from serbench.provision.providers.gomod import go_command
from serbench.provision.records import Unavailable
from serbench.provision.toolchain import need
from serbench.schemas import generator
from serbench.schemas.model import Schema, load

FLAGS = "-trimpath -ldflags=-s,-w CGO_ENABLED=0"
"""As reports show them, with the level and how the collector is set, which the worker, too, adds."""
GC_OFF = "GC_OFF"
"""The define of a manifest with which the collector only runs between samples."""


def answer(request: Request) -> Answer:
    """The plan for `request`, a worker. Raises BuildFailed, also for a compiler that is not there."""
    if request.want != "worker":
        raise BuildFailed(f"this harness makes no {request.want}")
    try:
        tools = need(request.root, request.cache, ["go"], "go")
    except (Unavailable, UserError) as error:
        raise BuildFailed(str(error), unavailable=True) from error
    folder, harness = request.folder, request.harness / "serbench"
    # As they lie in the project, so that go.mod may name the harness by a path, wherever its folder is.
    place = f"contenders/{request.language}/{folder.name}"
    compiler = f"go {tools.version}"
    level = _level(request.cpu)
    stated = f"{FLAGS}{f' GOAMD64={level}' if level else ''} GOMAXPROCS=1"
    facts = {
        "language": request.language,
        "libraryVersion": request.library.version if request.library else "",
        "compiler": compiler,
        "flags": stated,
    }
    linked = " ".join(f"-X 'serbench.{name}={value}'" for name, value in facts.items())
    go = go_command(tools, request.cache, {"GOAMD64": level or "v1"})
    build = [*go, "build", "-C", f"{OUT}/{place}"]
    build += ["-trimpath", "-ldflags", f"-s -w {linked}", "-o", f"{OUT}/worker", "."]
    inputs: list[Input] = [Content(of="folder", path=each) for each in (folder, harness)]
    steps: list[list[str]] = []
    code: list[Put] = []
    generated: list[str] = []
    plan = Plan()
    own = generator.recipe_of(request)
    if own is not None:
        made, digest = plan.add(own)
        inputs.append(digest)
        generated += [f"{place}/{name}" for name in own.products]
        steps = [["cp", "-r", f"{made}/.", f"{OUT}/{place}"]]
    elif request.schema is not None:
        schema, source = load(request.schema), request.source.read_text("utf-8")
        refuse(schema, source, request.test)
        plugins, texts = protobuf.plugins(source), texts_for(schema, source)
        inputs += texts.values()
        generated += [f"{place}/{name}" for name in texts]
        code = [Put(to=f"{place}/{name}", text=text) for name, text in texts.items()]
        steps = [[*go, "run", "-C", f"{OUT}/{place}", *line.split()] for line in _generators(source)]
        if plugins and request.library is not None:
            part = find_part(request.root, request.library.source.part)
            inputs.append(Content(of="file", path=request.cache / part.folder / STAMP))
            compiler_of = find_file(request.cache / part.folder, part.file)
            steps += protobuf.steps(compiler_of, go, f"{OUT}/{place}", f"{OUT}/{place}", plugins)
            generated += [f"{place}/{protobuf.made_by(package)}" for package, _ in plugins]
    made, digest = plan.add(
        Recipe(
            steps=[*steps, build],
            inputs=[tools.version, *inputs],
            products=["worker", *generated],
            keep=["worker", *generated],
            put=[
                Put(to=place, copy=folder, without="testdata"),
                *code,
                Put(to="harness", link=request.harness.parent),
            ],
        )
    )
    flags = f"{stated} GOGC={'off' if GC_OFF in request.defines else '100'}"
    return Answer(
        recipes=plan.recipes,
        command=[str(made / "worker"), request.test, *request.defines],
        heap_command=[str(made / "worker"), request.test, *request.defines],
        generated=[str(made / file) for file in generated],
        compiler=compiler,
        flags=flags,
        digest=[digest, request.test, *request.defines],
    )


def _level(cpu: Level) -> str:
    """What the compiler calls the level `cpu`; empty where the architecture has none of these names.

    It has no word for all that this processor has: `native` is the highest level that it runs.
    """
    if platform.machine() == "x86_64":
        names = ["v1", *(each for each in runnable_here() if each.startswith("v"))]
        return names[-1] if cpu == "native" else "v1" if cpu == "baseline" else cpu
    if cpu != "baseline":
        reason = f"Go knows no level {cpu} of {platform.machine()}"
        raise BuildFailed(reason, unavailable=True)
    return ""


def texts_for(schema: Schema, source: str) -> dict[str, str]:
    """The files with the structs of a schema, as the source of a contender asks for them."""
    if protobuf.plugins(source):
        return protobuf.files(schema)
    return {"schema.go": avro.emit(schema) if avro.is_asked(source) else emit(schema)}


def _generators(source: str) -> list[str]:
    """What a contender says in lines `//go:generate go run ...`: programs that write code."""
    return re.findall(r"^//go:generate go run (.+)$", source, re.MULTILINE)
