"""The build program of JavaScript: the contender's files beside its packages, and the worker on an engine.

See docs/build-contract.md.
"""

import msgspec
from formats.schemas import avsc
from harness.javascript import avro, protobuf
from harness.javascript.schema import emit

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.catalog.records import ANY_SCHEMA
from serbench.provision import toolchain
from serbench.provision.parts import STAMP
from serbench.provision.providers.npm import installed_folder
from serbench.provision.toolchain import Toolchain
from serbench.schemas import generator
from serbench.schemas.model import Schema, load

# Collections on threads of their own would use processors that the clock of this one does not see.
FLAGS = ("--single-threaded-gc",)
# With a young generation that holds everything, random numbers that are always the same (objects as keys of
# a Map have random hashes), no threads, which finish in any order, and no compaction, which the engine begins
# or not by how fast the last ones were (ComputeEvacuationHeuristics in V8's mark-compact.cc), allocated bytes
# repeat nearly always.
HEAP_FLAGS = (
    *("--single-threaded", "--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"),
    *("--random-seed=1", "--hash-seed=1", "--v8-pool-size=0", "--no-compact"),
)
HEAP_ENVIRONMENT = ("env", "UV_THREADPOOL_SIZE=1")
# The same for Bun's engine, which takes its options from the environment.
BUN_OPTIONS = ("BUN_JSC_useConcurrentGC=0", "BUN_JSC_numberOfGCMarkers=1")
BUN_LABELS = ["runs on Bun", "allocated bytes not known on Bun"]
PART = "javascript"
BUN = "bun"
GENERATOR = "generate.mjs"
WITH_NODE = ("sh", "-c", 'PATH="$(dirname "$1"):$PATH" exec "$@"', "-")
"""Starts a generator with the folder of its Node.js in PATH, where plugins of compilers look for one."""
BUNDLE = "bundle.js.gz"
SCHEMAS = "contender/schemas"
AVRO = "SCHEMA=avro"
"""A macro that a manifest may state, as those of protobuf.STYLES. Without one, its schema is JSON Schema."""


class Engine(msgspec.Struct, frozen=True, kw_only=True):
    """What workers run on."""

    name: str
    """As --engine names it."""
    shown: str
    interpreter: list[str]
    """What starts a script."""
    flags: tuple[str, ...]
    """Those of a worker that is timed, as reports show them."""
    start: list[str]
    """What starts a worker, ..."""
    heap_start: list[str]
    """... and one that counts what it allocates, as far as the engine tells it."""
    labels: list[str] = []


def _node(request: Request) -> Toolchain:
    node = toolchain.find(request.root, request.cache, PART)
    if node is None:
        raise BuildFailed(toolchain.remedy(request.root, PART), unavailable=True)
    return node


def engine_of(request: Request) -> Engine:
    """The engine that --engine names, Node.js if it names none. Raises BuildFailed if it is not here."""
    if request.compiler != BUN:
        node = _node(request)
        program = node.programs["node"][0]
        return Engine(
            name="node",
            shown=f"Node.js {node.version}",
            interpreter=[program],
            flags=FLAGS,
            start=[program, *FLAGS],
            heap_start=[*HEAP_ENVIRONMENT, program, *HEAP_FLAGS],
        )
    bun = toolchain.find(request.root, request.cache, BUN)
    if bun is None:
        raise BuildFailed(toolchain.remedy(request.root, BUN), unavailable=True)
    start = ["env", *BUN_OPTIONS, *bun.programs[BUN]]
    return Engine(
        name=BUN,
        shown=f"Bun {bun.version}",
        interpreter=start,
        flags=BUN_OPTIONS,
        start=start,
        heap_start=start,
        labels=BUN_LABELS,
    )


def _schema_files(schema: Schema, defines: list[str]) -> dict[str, str]:
    """What a contender for any data finds in its subfolder `schemas`. Raises BuildFailed."""
    for define in defines:
        if style := protobuf.STYLES.get(define):
            return protobuf.files(schema, style)
    if AVRO not in defines:
        return {f"{SCHEMAS}/document.schema.json": emit(schema)}
    if said := avsc.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    return {
        f"{SCHEMAS}/document.avsc": avsc.emit(schema),
        f"{SCHEMAS}/document.mjs": avro.emit(schema),
    }


def answer(request: Request) -> Answer:
    """The plan for `request`: a worker, or its bundle. Raises BuildFailed.

    A contender that needs a schema finds those of the datasets in its subfolder `schemas`; one that needs
    generated code has a file generate.mjs, which runs once, beside them.
    """
    if request.want == "describe":
        chosen = engine_of(request) if request.compiler else None
        return Answer(compilers={"javascript": f"{chosen.name} {chosen.shown.split()[-1]}"} if chosen else {})
    if request.want not in ("worker", "bundle"):
        raise BuildFailed(f"this harness makes no {request.want}")
    engine, node = engine_of(request), _node(request)
    program = node.programs["node"][0]
    folder, provided = request.folder, request.library
    assert provided is not None
    if engine.name == BUN and provided.source.kind == "node" and provided.source.name != "node":
        raise BuildFailed(f"Bun has no {provided.source.name}", unavailable=True)
    packages = provided.root
    if packages is not None and not (packages / "node_modules").is_dir():
        raise BuildFailed("its packages are no longer installed")
    name = f"contender/{request.source.relative_to(folder)}"
    schemas = request.root / "datasets"
    steps: list[list[str]] = []
    inputs: list[Input] = [Content(of="folder", path=folder), node.version, provided.version]
    generated: list[str] = []
    put = [Put(to="contender", copy=folder, without="node_modules")]
    if packages is not None:
        inputs.append(packages.name)
        put.append(Put(to="node_modules", link=packages / "node_modules"))
    plan = Plan()
    own = generator.recipe_of(request) if ANY_SCHEMA in request.schemas else None
    if own is not None:
        code, code_digest = plan.add(own)
        inputs.append(code_digest)
        steps.append(["cp", "-r", f"{code}/.", f"{OUT}/{SCHEMAS}"])
        generated += [f"{SCHEMAS}/{name}" for name in own.products]
    elif request.schema and ANY_SCHEMA in request.schemas:
        for file, text in _schema_files(load(request.schema), request.defines).items():
            inputs += [file, text]
            put.append(Put(to=file, text=text))
            generated.append(file)
    elif request.schemas:
        inputs.append(Content(of="folder", path=schemas))
        put.append(Put(to="contender/schemas", copy=schemas))
    if (folder / GENERATOR).is_file():
        steps.append([*WITH_NODE, program, f"{OUT}/contender/{GENERATOR}", f"{OUT}/contender"])
        if provided.source.part:
            part = request.cache / provided.source.part
            steps[-1].append(str(part))
            inputs.append(Content(of="file", path=part / STAMP))
    if packages is not None:  # The cache may move, together with what it links to.
        steps.append(["ln", "-sfn", f"../../npm/{packages.name}/node_modules", f"{OUT}/node_modules"])
    made, digest = plan.add(Recipe(steps=steps, inputs=inputs, products=[name], put=put))
    module = str(made / name)
    if request.want == "bundle":
        bundle = _bundle(plan, request, node, module)
        return Answer(recipes=plan.recipes, size_of=bundle)
    source = request.harness / "src"
    worker = [str(source / "worker.mjs"), module, request.test]
    if packages is not None:
        worker.append(str(packages / "node_modules" / provided.source.name / "package.json"))
    return Answer(
        recipes=plan.recipes,
        command=[*engine.start, *worker],
        heap_command=[*engine.heap_start, *worker],
        interpreter=engine.interpreter,
        labels=engine.labels,
        compiler=engine.shown,
        flags=" ".join(engine.flags),
        module=module,
        generated=[str(made / name) for name in generated],
        digest=[digest, f"{engine.shown} {' '.join(engine.flags)}", Content(of="folder", path=source)],
    )


def _bundle(plan: Plan, request: Request, node: Toolchain, module: str) -> str:
    """Plan the gzipped bundle of `module` with all that it imports, minified; returns its path."""
    packages = installed_folder(request.harness, request.cache) / "node_modules"
    if not (packages / "esbuild").is_dir():
        raise BuildFailed("there is no esbuild: ./serbench setup javascript")
    script = request.harness / "probe" / "bundle.mjs"
    recipe = Recipe(
        steps=[[node.programs["node"][0], str(script), str(packages), module, f"{OUT}/{BUNDLE}"]],
        # The module's folder is named by the digest of all that it was made from.
        inputs=[Content(of="file", path=script), node.version, packages.parent.name],
        products=[BUNDLE],
    )
    return str(plan.add(recipe)[0] / BUNDLE)
