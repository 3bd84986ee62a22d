"""Format and lint check of the Go, with the toolchain of the rows: `python -m tests.go.lint [FOLDER...]`.

The folders are contenders; none means all, and the harness. Ends with status 1 if a check fails; with 0 and a
line that says so where there is no toolchain.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
from harness.go import protobuf
from harness.go.build import texts_for

from serbench.build.contract import Request
from serbench.project import CACHE, ROOT
from serbench.provision import provide, toolchain
from serbench.provision.parts import find_file, find_part
from serbench.provision.providers.gomod import go_command
from serbench.provision.records import Unavailable
from serbench.provision.toolchain import Toolchain
from serbench.schemas.model import Schema, Type, dump
from tests.generator import own_code
from tests.linters import chosen

OWN = ROOT / "tests/go/walker"
"""A contender that is not in the catalog."""
LIBRARY = ROOT / "harness/go/serbench"
TEMPLATE = ROOT / "harness/go/template/main.txt"
"""Part of no contender: its form is checked alone."""


def main(arguments: list[str]) -> int:
    """Check everything, and go on after what fails; the exit status."""
    tools = toolchain.find(ROOT, CACHE, "go")
    if tools is None:
        print("not run: " + toolchain.remedy(ROOT, "go"))
        return 0
    catalog, contenders = chosen("go", OWN, arguments)
    folders, failed = [] if arguments else [LIBRARY], False
    structs: dict[Path, Request] = {}
    for contender in contenders:
        try:
            library = provide(contender, CACHE, catalog=catalog)
        except Unavailable as error:
            print(f"not run for {contender.id}: {error.reason}")
            continue
        folders.append(contender.folder)
        if contender.generated:
            structs[contender.folder] = Request(
                want="worker",
                root=ROOT,
                harness=LIBRARY.parent,
                cache=CACHE,
                folder=contender.folder,
                library=library,
            )
    sources = [path for folder in folders for path in folder.glob("*.go")]
    sources += [] if arguments else [TEMPLATE]
    listed = subprocess.run([*tools.programs["gofmt"], "-l", *sources], capture_output=True, check=False)
    if listed.stdout or listed.returncode != 0:
        print(f"gofmt -w is needed:\n{listed.stdout.decode()}{listed.stderr.decode()}")
        failed = True
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "schema.json"
        schema = Schema(root=Type(kind="bool"), messages=[])
        file.write_bytes(dump(schema))
        for folder in folders:
            words = [*go_command(tools, CACHE, {}), "vet", "."]
            if folder in structs:
                request = msgspec.structs.replace(structs[folder], schema=file)
                # In the folder's place beside the harness: vet wants packages in folders that are there.
                copy = Path(scratch) / folder.relative_to(ROOT)
                if own_code(request, copy):
                    shutil.copytree(folder, copy, dirs_exist_ok=True)
                    if not (Path(scratch) / "harness").exists():
                        (Path(scratch) / "harness").symlink_to(ROOT / "harness")
                    folder = copy
                else:
                    made = generated(folder, Path(scratch, folder.name), schema, tools)
                    overlay = Path(scratch) / "overlay.json"
                    replaced = {str(folder / path.name): str(path) for path in made}
                    overlay.write_text(json.dumps({"Replace": replaced}))
                    words.insert(-1, f"-overlay={overlay}")
            if subprocess.run(words, cwd=folder, check=False).returncode != 0:
                print(f"{folder}: go vet fails")
                failed = True
    return int(failed)


def generated(folder: Path, scratch: Path, schema: Schema, tools: Toolchain) -> list[Path]:
    """The Go files that a contender gets for a schema."""
    source = (folder / "main.go").read_text("utf-8")
    plugins = protobuf.plugins(source)
    scratch.mkdir()
    for name, text in texts_for(schema, source).items():
        (scratch / name).write_text(text, "utf-8")
    if plugins:
        part = find_part(ROOT, "protoc-36")
        compiler, go = find_file(CACHE / part.folder, part.file), go_command(tools, CACHE, {})
        for words in protobuf.steps(compiler, go, str(folder), str(scratch), plugins):
            subprocess.run(words, check=True)
    return sorted(scratch.glob("*.go"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
