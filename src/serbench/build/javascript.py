"""JavaScript rows: the contender's files beside its packages, and the harness's worker on Node.js."""

import shutil
from pathlib import Path

from serbench.build.bench import Bench
from serbench.build.records import BuildFailed, Built
from serbench.build.store import OUT, Recipe
from serbench.catalog.records import Profile, Row
from serbench.provision import toolchain
from serbench.provision.providers import npm
from serbench.provision.records import Provided

# Collections on threads of their own would use processors that the clock of this one does not see.
FLAGS = ("--single-threaded-gc",)
# With a young generation that holds everything, random numbers that are always the same (objects as keys of
# a Map have random hashes) and no threads, which finish in any order, allocated bytes repeat exactly.
HEAP_FLAGS = (
    *("--single-threaded", "--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256"),
    *("--random-seed=1", "--hash-seed=1", "--v8-pool-size=0"),
)
HEAP_ENVIRONMENT = ("env", "UV_THREADPOOL_SIZE=1")
PART = "javascript"
GENERATOR = "generate.mjs"
BUNDLE = "bundle.js.gz"


def build_javascript(bench: Bench, row: Row, provided: Provided, profile: Profile) -> Built:
    """The worker of `row`, whose packages `provided.root` holds. Raises BuildFailed.

    A contender that needs a schema finds those of the datasets in its subfolder `schemas`; one that needs
    generated code has a file generate.mjs, which runs once, beside them.
    """
    cache = bench.store.root.parent
    node = toolchain.find(bench.catalog.root, cache, PART)
    if node is None:
        raise BuildFailed("there is no Node.js any more")
    program = node.programs["node"][0]
    folder, name = row.contender.folder, f"contender/{row.source.relative_to(row.contender.folder)}"
    schemas = bench.catalog.root / "datasets"
    generator = folder / GENERATOR
    steps: list[list[str]] = []
    inputs = [bench.fingerprints.folder(folder), node.version, provided.version]
    if provided.root is not None:
        inputs.append(provided.root.name)
    if row.contender.manifest.schemas:
        inputs.append(bench.fingerprints.folder(schemas))
    if generator.is_file():
        steps.append([program, f"{OUT}/contender/{GENERATOR}", f"{OUT}/contender"])
        if provided.source.part:
            steps[-1].append(str(cache / provided.source.part))
    if provided.root is not None:  # The cache may move, together with what it links to.
        steps.append(["ln", "-sfn", f"../../npm/{provided.root.name}/node_modules", f"{OUT}/node_modules"])

    def fill(out: Path) -> None:
        shutil.copytree(folder, out / "contender", ignore=shutil.ignore_patterns("node_modules"))
        if provided.root is not None:
            (out / "node_modules").symlink_to(provided.root / "node_modules")
        if row.contender.manifest.schemas:
            shutil.copytree(schemas, out / "contender" / "schemas")

    if provided.root is not None and not (provided.root / "node_modules").is_dir():
        raise BuildFailed("its packages are no longer installed")
    made, digest = bench.store.make(Recipe(steps=steps, inputs=inputs, products=[name]), fill)
    harness = bench.catalog.root / "harness" / "javascript"
    worker = [str(harness / "src" / "worker.mjs"), str(made / name), row.test]
    if provided.root is not None:
        worker.append(str(provided.root / "node_modules" / provided.source.name / "package.json"))
    return Built(
        command=[program, *FLAGS, *worker],
        heap_command=[*HEAP_ENVIRONMENT, program, *HEAP_FLAGS, *worker],
        compiler=f"Node.js {node.version}",
        flags=" ".join(FLAGS),
        module=str(made / name),
        digest=f"{digest}-{bench.fingerprints.folder(harness / 'src')[:16]}",
    )


def bundle_javascript(bench: Bench, built: Built) -> Path:
    """The gzipped bundle of a built row: its module with all that it imports, minified.

    Raises BuildFailed.
    """
    cache = bench.store.root.parent
    node = toolchain.find(bench.catalog.root, cache, PART)
    packages = npm.installed_folder(bench.catalog.root / "harness" / "javascript", cache) / "node_modules"
    if node is None or not (packages / "esbuild").is_dir():
        raise BuildFailed("there is no esbuild: ./serbench setup javascript")
    script = bench.catalog.root / "harness" / "javascript" / "probe" / "bundle.mjs"
    recipe = Recipe(
        steps=[[node.programs["node"][0], str(script), str(packages), built.module, f"{OUT}/{BUNDLE}"]],
        # The module's folder is named by the digest of all that it was made from.
        inputs=[bench.fingerprints.file(script), node.version, packages.parent.name],
        products=[BUNDLE],
    )
    folder, _ = bench.store.make(recipe)
    return folder / BUNDLE
