"""The build program of Python: the worker's extension module for this interpreter, and the worker's command.

See docs/build-contract.md.
"""

import ast
import platform
import shutil
import sys
import sysconfig
from pathlib import Path

from harness.python import protobuf
from harness.python.schema import STYLES, files

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.debian import remedy
from serbench.provision.parts import STAMP, find_file, find_part
from serbench.schemas import generator
from serbench.schemas.model import load

INTERPRETER = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())
"""The interpreter behind serbench's own environment, whose packages no row may see."""
FLAGS = ("-I", "-S", "-B", "-X", "utf8")
"""Neither the user's environment nor any installed package; nothing is written beside the sources."""
HEAP_FLAGS = ("-P", "-s", "-S", "-B", "-X", "utf8")
"""The same, where the environment is ours: it makes every object a block of malloc, which is counted."""
CORE = "serbench_core.so"
COUNTER = "counter.so"
SHARED = ("tape_read.c", "hash.c", "calls.c", "clock.c", "heap.c", "fragment.c")
"""What the extension has of harness/c/src."""
C_FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-O3", "-g0", "-fPIC", "-shared")
CLASSES = "serbench_document"
"""The module with the classes that are generated from a schema."""
NO_LIBRARY = ("typing", "collections.abc", CLASSES)
"""Modules that a contender's annotations need, or its document, and not its library."""
GC_OFF = "GC_OFF"
"""A macro that a manifest may state: the worker runs without the cyclic collector. The others say which
classes are generated: CLASSES=struct, for example."""
PROTOBUF = "CLASSES=protobuf"
"""The classes are protoc's, which is a part of the set-up that the manifest names."""
MACROS = {GC_OFF, PROTOBUF, *(f"CLASSES={style}" for style in STYLES)}


def _interpreter() -> str:
    """The interpreter, as reports show it."""
    lock_free = " free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    return f"{platform.python_implementation()} {platform.python_version()}{lock_free}"


def _compiler() -> str:
    found = shutil.which("gcc") or shutil.which("cc")
    if found is None:
        raise BuildFailed(remedy(["gcc"]), unavailable=True)
    return found


def _headers() -> list[str]:
    """The options that make the compiler find the interpreter's headers. Raises BuildFailed without them."""
    folders = dict.fromkeys(sysconfig.get_path(name) for name in ("include", "platinclude"))
    if not any((Path(folder) / "Python.h").is_file() for folder in folders):
        version = platform.python_version()
        raise BuildFailed(
            f"needs the headers of Python {version}, which Debian packages as python3-dev", unavailable=True
        )
    return [word for folder in folders for word in ("-isystem", folder)]


def _imports(source: Path) -> str:
    """The import statements of a contender's file: how its library is loaded."""
    found = ast.parse(source.read_bytes()).body
    return "\n".join(
        ast.unparse(each)
        for each in found
        if isinstance(each, ast.Import | ast.ImportFrom)
        and not (isinstance(each, ast.ImportFrom) and each.module in NO_LIBRARY)
    )


def _identity() -> str:
    """The interpreter, as the key of a build."""
    return f"{sys.implementation.name} {sys.version} {sysconfig.get_config_var('EXT_SUFFIX')}"


def _classes(plan: Plan, request: Request) -> tuple[list[Path], list[str], list[str]]:
    """Plan the folder with the classes of the request's schema, if it has one; that, its digest and files."""
    style = next((each for each in STYLES if f"CLASSES={each}" in request.defines), None)
    steps, inputs, further = list[list[str]](), list[Input](), list[str]()
    if request.schema is None:
        return [], [], []
    own = generator.recipe_of(request)
    if own is not None:
        folder, digest = plan.add(own)
        return [folder], [digest], [f"{folder}/{name}" for name in own.products]
    if PROTOBUF in request.defines and request.library is not None:
        made = protobuf.files(load(request.schema))
        part = find_part(request.root, request.library.source.part)
        compiler = find_file(request.cache / part.folder, part.file)
        steps = [[str(compiler), f"--python_out={OUT}", f"-I{OUT}", f"{CLASSES}.proto"]]
        inputs = [Content(of="file", path=request.cache / part.folder / STAMP)]
        further = [f"{CLASSES}.proto", f"{protobuf.MODULE}.py"]
    elif style is not None:
        made = files(load(request.schema), style)
    else:
        return [], [], []
    folder, digest = plan.add(
        Recipe(
            steps=steps,
            inputs=[*made.values(), *inputs],
            products=list(dict.fromkeys([*made, *further])),
            put=[Put(to=name, text=text) for name, text in made.items()],
        )
    )
    return [folder], [digest], [f"{folder}/{name}" for name in (f"{CLASSES}.py", *further)]


def answer(request: Request) -> Answer:
    """The plan for `request`, a worker. Raises BuildFailed."""
    if request.want == "describe":
        return Answer()
    if request.want != "worker":
        raise BuildFailed(f"this harness makes no {request.want}")
    unknown = set(request.defines) - MACROS
    if unknown:
        raise BuildFailed(f"this harness knows no macro {', '.join(sorted(unknown))}")
    plan, compiler, headers = Plan(), _compiler(), _headers()
    shared, own = request.root / "harness" / "c", request.harness / "src"
    includes = [f"-I{folder}" for folder in (own, shared / "include", shared / "src")]
    sources = [*sorted(own.glob("*.c")), *(shared / "src" / name for name in SHARED)]
    inputs: list[Input] = [_identity(), Content(of="folder", path=own), Content(of="folder", path=shared)]
    core, core_digest = plan.add(
        Recipe(
            steps=[
                [
                    *(compiler, *C_FLAGS, "-fvisibility=hidden", *headers, *includes),
                    *(*map(str, sources), "-o", f"{OUT}/{CORE}"),
                ]
            ],
            inputs=inputs,
            products=[CORE],
        )
    )
    counter, _ = plan.add(
        Recipe(
            steps=[
                [compiler, *C_FLAGS, str(shared / "preload" / "counter.c"), "-ldl", "-o", f"{OUT}/{COUNTER}"]
            ],
            inputs=[Content(of="folder", path=shared)],
            products=[COUNTER],
        )
    )
    name = f"contender/{request.source.relative_to(request.folder)}"
    copied, digest = plan.add(
        Recipe(
            inputs=[Content(of="folder", path=request.folder)],
            products=[name],
            put=[Put(to="contender", copy=request.folder, without="__pycache__")],
        )
    )
    provided = request.library
    packages = str(provided.root) if provided and provided.root else ""
    distribution = provided.source.name if provided and provided.root else ""
    gc = "off" if GC_OFF in request.defines else "on"
    module = str(copied / name)
    classes, classes_digest, generated = _classes(plan, request)
    worker = [str(own / "worker.py"), str(core), module, request.test, gc, packages, distribution]
    worker += map(str, classes)
    environment = ["env", "-u", "PYTHONPATH", "-u", "PYTHONHOME", "PYTHONMALLOC=malloc", "PYTHONHASHSEED=0"]
    return Answer(
        recipes=plan.recipes,
        command=[INTERPRETER, *FLAGS, *worker],
        heap_command=[*environment, f"LD_PRELOAD={counter / COUNTER}", INTERPRETER, *HEAP_FLAGS, *worker],
        load_command=[INTERPRETER, *FLAGS, str(own / "load.py"), packages, _imports(request.source)],
        interpreter=[INTERPRETER, *FLAGS, *(["-X", f"packages={packages}"] if packages else [])],
        compiler=_interpreter(),
        flags=" ".join(FLAGS),
        module=module,
        generated=generated,
        digest=[
            core_digest,
            *classes_digest,
            digest,
            Path(packages).name,
            gc,
            Content(of="folder", path=own),
        ],
    )
