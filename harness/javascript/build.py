"""The build program of JavaScript: the contender's files beside its packages, and the worker on Node.js.

See docs/build-contract.md.
"""

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request, serve
from serbench.build.records import BuildFailed
from serbench.provision import toolchain
from serbench.provision.providers.npm import installed_folder
from serbench.provision.toolchain import Toolchain

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
PART = "javascript"
GENERATOR = "generate.mjs"
BUNDLE = "bundle.js.gz"


def answer(request: Request) -> Answer:
    """The plan for `request`: a worker, or its bundle. Raises BuildFailed.

    A contender that needs a schema finds those of the datasets in its subfolder `schemas`; one that needs
    generated code has a file generate.mjs, which runs once, beside them.
    """
    if request.want not in ("worker", "bundle"):
        raise BuildFailed(f"this harness makes no {request.want}")
    node = toolchain.find(request.root, request.cache, PART)
    if node is None:
        raise BuildFailed("there is no Node.js any more")
    program = node.programs["node"][0]
    folder, provided = request.folder, request.library
    assert provided is not None
    packages = provided.root
    if packages is not None and not (packages / "node_modules").is_dir():
        raise BuildFailed("its packages are no longer installed")
    name = f"contender/{request.source.relative_to(folder)}"
    schemas = request.root / "datasets"
    steps: list[list[str]] = []
    inputs: list[Input] = [Content(of="folder", path=folder), node.version, provided.version]
    put = [Put(to="contender", copy=folder, without="node_modules")]
    if packages is not None:
        inputs.append(packages.name)
        put.append(Put(to="node_modules", link=packages / "node_modules"))
    if request.schemas:
        inputs.append(Content(of="folder", path=schemas))
        put.append(Put(to="contender/schemas", copy=schemas))
    if (folder / GENERATOR).is_file():
        steps.append([program, f"{OUT}/contender/{GENERATOR}", f"{OUT}/contender"])
        if provided.source.part:
            steps[-1].append(str(request.cache / provided.source.part))
    if packages is not None:  # The cache may move, together with what it links to.
        steps.append(["ln", "-sfn", f"../../npm/{packages.name}/node_modules", f"{OUT}/node_modules"])
    plan = Plan()
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
        command=[program, *FLAGS, *worker],
        heap_command=[*HEAP_ENVIRONMENT, program, *HEAP_FLAGS, *worker],
        compiler=f"Node.js {node.version}",
        flags=" ".join(FLAGS),
        module=module,
        digest=[digest, Content(of="folder", path=source)],
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


if __name__ == "__main__":
    serve(answer)
