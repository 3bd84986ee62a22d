"""Format and lint check of the Java: `python -m tests.java.lint [FOLDER...]`, with what the set-up has.

The folders are contenders; none means all, and the harness. Eclipse's compiler reads everything, and a
warning of it fails. google-java-format needs the parser of a JDK of version 21 or newer: it is not run where
PATH has none. Ends with status 1 if a check fails; with 0 and a line for what was not run.
"""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from harness.java import protobuf
from harness.java.schema import emit
from harness.java.style import style_of

from serbench.build.contract import Request
from serbench.catalog.records import Contender
from serbench.files import scratch
from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.parts import find_file, find_part
from serbench.provision.providers.maven import fetch, jars, locked_jars
from serbench.provision.records import Provided, Unavailable
from serbench.schemas import generator
from serbench.schemas.infer import infer
from serbench.schemas.model import Schema, dump
from tests.generator import own_code
from tests.linters import chosen

OWN = ROOT / "tests/java/walker"
"""A contender that is not in the catalog."""
HARNESS = ROOT / "harness/java"
TEMPLATE = HARNESS / "template/Main.txt"
FORMATTER = ROOT / "tests/java/format"
"""Its lock names google-java-format."""
DOCUMENT = ROOT / "tests/schemas/plain.json"
"""What contenders whose code is generated get a schema of."""
NAMED = infer([{"a": [{"x": 1, "y": None}], "b": {"c": "text"}}])
"""A schema of those whose fields have the keys as their names."""
LEAST_JDK = 21
WARNINGS = "unusedImport,unusedLocal,unusedPrivate,fallthrough,unchecked,raw,deprecation,null"
JUDGED = [f"-warn:{WARNINGS}", "-failOnWarning"]
EXPORTS = [
    f"--add-exports=jdk.compiler/com.sun.tools.javac.{each}=ALL-UNNAMED"
    for each in ("api", "code", "file", "parser", "tree", "util")
]


def main(arguments: list[str]) -> int:
    """Check everything, and go on after what fails; the exit status."""
    tools = toolchain.find(ROOT, CACHE, "java")
    if tools is None:
        print("not run: " + toolchain.remedy(ROOT, "java"))
        return 0
    catalog, contenders = chosen("java", OWN, arguments)
    failed = False
    with scratch(CACHE) as made:
        compile_ = [*tools.programs["java"], "-jar", *map(str, jars(HARNESS, CACHE)), "-22", "-proc:none"]
        compile_ += ["-encoding", "UTF-8", *JUDGED]
        harness = made / "harness"
        failed |= _fails([*compile_, "-d", str(harness), str(HARNESS / "serbench")], "harness")
        generated = {contender.folder for contender in contenders if contender.generated}
        schema = infer([json.loads(DOCUMENT.read_bytes())])
        compiled = {c.folder: c for c in contenders if any(source.part for source in c.manifest.source)}
        compiled |= {c.folder: c for c in contenders if (c.folder / generator.NAME).is_file()}
        folders, sources = [contender.folder for contender in contenders], []
        families = {row.contender.folder: row.source.parent for row in catalog.rows(generated=True)}
        if not arguments:
            template = made / "template"
            template.mkdir()
            shutil.copy(TEMPLATE, template / "Main.java")
            folders.append(template)
            sources = [*HARNESS.glob("serbench/*.java"), template / "Main.java"]
        for folder in folders:
            try:
                fetch(folder, CACHE)
                libraries = [harness, *jars(folder, CACHE)]
            except Unavailable as error:
                print(f"not run for {folder.name}: {error.reason}")
                continue
            code = made / folder.name
            if folder in compiled:
                make = make_tables if (folder / generator.NAME).is_file() else make_messages
                make(code, schema, compiled[folder])
                unjudged = [*compile_[: -len(JUDGED)], "-nowarn", "-cp", ":".join(map(str, libraries))]
                for classes in [path for path in code.iterdir() if path.is_dir()]:
                    subprocess.run([*unjudged, "-d", str(code / "classes"), str(classes)], check=True)
                    libraries.append(code / "classes")
            elif folder in generated:
                code.mkdir()
                style = style_of(folder)
                taken = NAMED if style.names else schema
                (code / "Schema.java").write_text(emit(taken, style), "utf-8")
            words = ["-cp", ":".join(map(str, libraries)), "-d", str(made / "classes")]
            words += map(str, files_of(folder, families.get(folder, folder)))
            words += [str(code / "Schema.java")] if folder in generated else []
            failed |= _fails([*compile_, *words], folder.name)
        sources += [path for contender in contenders for path in contender.folder.glob("*.java")]
        failed |= _is_misformed(sources)
    return int(failed)


def files_of(folder: Path, family: Path) -> list[Path]:
    """The sources in `folder`, and those of its family that it has none of the same name for."""
    own = {path.name: path for path in folder.glob("*.java")}
    return [*({path.name: path for path in family.glob("*.java")} | own).values()]


def make_tables(folder: Path, schema: Schema, contender: Contender) -> None:
    """Do what the contender's generate.py plans."""
    folder.mkdir()
    (folder / "schema.json").write_bytes(dump(schema))
    (source,) = contender.manifest.source
    (version,) = (jar.version for jar in locked_jars(contender.folder) if jar.name == source.name)
    request = Request(
        want="worker",
        root=ROOT,
        harness=HARNESS,
        cache=CACHE,
        folder=contender.folder,
        schema=folder / "schema.json",
        library=Provided(source=source, version=version),
    )
    own_code(request, folder)


def make_messages(folder: Path, schema: Schema, _contender: Contender) -> None:
    """Write Schema.java for messages of Protocol Buffers, and the classes that protoc makes."""
    for place, text in protobuf.files(schema).items():
        (folder / Path(place).name).parent.mkdir(exist_ok=True)
        (folder / Path(place).name).write_text(text, "utf-8")
    part = find_part(ROOT, "protoc-36")
    protoc = find_file(CACHE / part.folder, part.file)
    subprocess.run([str(protoc), f"--java_out={folder}", f"-I{folder}", protobuf.PROTO], check=True)


def _fails(command: list[str], what: str) -> bool:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{what}: the compiler complains\n{done.stdout}{done.stderr}")
    return done.returncode != 0


def _is_misformed(sources: list[Path]) -> bool:
    """Whether google-java-format would write a source differently; it names them."""
    java = shutil.which("java")
    said = (
        subprocess.run([java, "--version"], capture_output=True, text=True, check=False).stdout
        if java
        else ""
    )
    version = re.match(r"\w+ (\d+)", said)
    if java is None or version is None or int(version[1]) < LEAST_JDK or not shutil.which("javac"):
        print(f"google-java-format is not run: it needs a JDK of version {LEAST_JDK} or newer in PATH")
        return False
    try:
        fetch(FORMATTER, CACHE)
        (formatter,) = jars(FORMATTER, CACHE)
    except Unavailable as error:
        print(f"google-java-format is not run: {error.reason}")
        return False
    command = [
        java,
        *EXPORTS,
        "-jar",
        str(formatter),
        "--dry-run",
        "--set-exit-if-changed",
        *map(str, sources),
    ]
    return _fails(command, "google-java-format")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
