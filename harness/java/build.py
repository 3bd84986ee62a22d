"""The build program of Java: Eclipse's compiler, a jar, makes class files of the harness and of a contender.

It is the same compiler on every machine, and needs no more than the Java that runs the rows: a JDK's own is
not there in every Java. All tests and variants of a contender are the same classes.
See docs/build-contract.md.
"""

import subprocess
from pathlib import PurePosixPath

from harness.java import protobuf
from harness.java.schema import emit
from harness.java.style import style_of

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.errors import UserError
from serbench.provision.parts import STAMP, find_file, find_part
from serbench.provision.providers.maven import jars, locked_jars
from serbench.provision.records import Unavailable
from serbench.provision.toolchain import need
from serbench.schemas import generator
from serbench.schemas.model import load

RELEASE = "22"
"""The least Java that the rows run on, for which everything is compiled."""
FLAGS = ("-Xms256m", "-Xmx3g", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
"""As reports show them; what no option names is Java's default, such as the size of the stack."""
G1 = "G1"
"""The define of a variant with the collector that Java takes where there are several processors."""
MODULE = "MODULE="
"""A define `MODULE=NAME` adds a module of a full JDK to the program."""
OPENS = "OPENS="
"""A define `OPENS=MODULE/PACKAGE` opens a package of a module, which Java keeps to itself, to the program."""
SCHEMA = "Schema.java"
"""The classes of a contender that asks for a schema, which may be in a package."""
NONE = "-proc:none"
"""The compiler runs no annotation processor, even if it finds one in a jar."""
HEAP_FLAGS = ("-XX:TieredStopAtLevel=1",)
"""The first of the compilers removes no allocations, as the second does at one start and not at another."""
UNSHOWN = ("--enable-native-access=ALL-UNNAMED", "-XX:ErrorFile=/dev/null")
"""Let the harness read the processor time without a warning, and leave no file behind a crash."""


def answer(request: Request) -> Answer:
    """The plan for `request`, a worker. Raises BuildFailed, also for a toolchain that is not there."""
    if request.want != "worker":
        raise BuildFailed(f"this harness makes no {request.want}")
    try:
        tools = need(request.root, request.cache, ["java"], "java")
        compiler = jars(request.harness, request.cache)
        libraries = [str(jar) for jar in jars(request.folder, request.cache)]
        own = generator.recipe_of(request)
    except (Unavailable, UserError) as error:
        raise BuildFailed(str(error), unavailable=True) from error
    (java,), locks = tools.programs["java"], [each.sha256 for each in locked_jars(request.harness)]
    # Warnings are the linter's: what a contender leaves unused is no failure of its build.
    compile_ = [java, "-jar", *map(str, compiler), f"-{RELEASE}", "-nowarn", "-encoding", "UTF-8"]
    plan = Plan()
    harness, made_by = plan.add(
        Recipe(
            steps=[[*compile_, NONE, "-d", f"{OUT}/classes", str(request.harness / "serbench")]],
            inputs=[tools.version, *locks, Content(of="folder", path=request.harness / "serbench")],
            products=["classes/serbench/Worker.class"],
        )
    )
    path = [str(harness / "classes"), *libraries]
    # A file of its own takes the place of its family's.
    folders = list(dict.fromkeys([request.source.parent.resolve(), request.folder]))
    inputs: list[Input] = [made_by, *(Content(of="folder", path=folder) for folder in folders)]
    code: list[Put] = []
    steps: list[list[str]] = []
    made: list[str] = []
    processing = [NONE]
    part = request.library.source.part if request.library else ""
    if own is not None:
        folder, digest = plan.add(own)
        inputs.append(digest)
        steps = [["cp", "-r", f"{folder}/.", f"{OUT}/contender"]]
        made = [f"contender/{name}" for name in own.products]
    elif request.schema is not None and part:
        texts = protobuf.files(load(request.schema))
        stated = find_part(request.root, part)
        protoc = find_file(request.cache / stated.folder, stated.file)
        steps = [[str(protoc), f"--java_out={OUT}/contender", f"-I{OUT}/contender", protobuf.PROTO]]
        inputs += [*texts.values(), Content(of="file", path=request.cache / stated.folder / STAMP)]
        code += [Put(to=place, text=text) for place, text in texts.items()]
        made = [protobuf.MADE]
    elif request.schema is not None:
        style = style_of(request.folder)
        text = emit(load(request.schema), style, request.test)
        if style.processors:
            processing = ["-processorpath", ":".join(libraries), "-processor", ",".join(style.processors)]
            processing += ["-s", f"{OUT}/contender"]
        inputs.append(text)
        code.append(Put(to=str(PurePosixPath("contender", style.package, SCHEMA)), text=text))
    generated = [*(each.to for each in code), *made]
    classes, digest = plan.add(
        Recipe(
            steps=[
                *steps,
                [*compile_, *processing, "-cp", ":".join(path), "-d", f"{OUT}/classes", f"{OUT}/contender"],
            ],
            inputs=inputs,
            products=["classes/Main.class", *generated],
            keep=["classes", *generated],
            put=[*(Put(to="contender", copy=folder) for folder in folders), *code],
        )
    )
    version = request.library.version if request.library else ""
    run = ["-cp", ":".join([str(classes / "classes"), *path]), f"-Dserbench.library={version}"]
    run += [*UNSHOWN, "Main", request.test, *request.defines]
    flags = [f"-XX:+Use{'G1' if G1 in request.defines else 'Serial'}GC", *FLAGS, *_modules(java, request)]
    opened = [each.removeprefix(OPENS) for each in request.defines if each.startswith(OPENS)]
    flags += [f"--add-opens={package}=ALL-UNNAMED" for package in opened]
    return Answer(
        recipes=plan.recipes,
        command=[java, *flags, *run],
        heap_command=[java, *flags, *HEAP_FLAGS, *run],
        generated=[str(classes / file) for file in generated],
        compiler=f"java {tools.version}",
        flags=" ".join(flags),
        digest=[digest, tools.version, *flags, request.test, *request.defines],
    )


def _modules(java: str, request: Request) -> list[str]:
    """The options that add the modules of the request's defines. Raises BuildFailed if Java has one not."""
    wanted = [each.removeprefix(MODULE) for each in request.defines if each.startswith(MODULE)]
    if not wanted:
        return []
    listed = subprocess.run([java, "--list-modules"], capture_output=True, text=True, check=False).stdout
    there = {line.partition("@")[0] for line in listed.splitlines()}
    for name in wanted:
        if name not in there:
            raise BuildFailed(
                f"needs a JDK with the module {name}, and this Java has it not", unavailable=True
            )
    return ["--add-modules", ",".join(wanted)]
