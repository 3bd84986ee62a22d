"""Format and lint check of the Go: `python -m tests.gofmt`, with the toolchain that the rows use.

Ends with status 1 if a check fails; with 0 and a line that says so where there is no toolchain.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import msgspec
from harness.go import avro
from harness.go.schema import emit

from serbench.build.contract import Request
from serbench.catalog.load import load_catalog
from serbench.project import CACHE, ROOT
from serbench.provision import provide, toolchain
from serbench.provision.providers.gomod import MANIFEST, go_command
from serbench.provision.records import Unavailable
from serbench.schemas.model import Schema, Type, dump
from tests.generator import own_code

OWN = [ROOT / "tests/go/walker"]
"""Contenders that are not in the catalog."""
LIBRARY = ROOT / "harness/go/serbench"
LOOSE = [ROOT / "harness/go/template/main.txt", *(ROOT / "benchmarks/gotest").glob("*.go")]
"""Sources that are part of no contender: their form is checked alone."""


def main() -> int:
    """Check everything, and go on after what fails; the exit status."""
    tools = toolchain.find(ROOT, CACHE, "go")
    if tools is None:
        print("not run: " + toolchain.remedy(ROOT, "go"))
        return 0
    catalog, folders, failed = load_catalog(ROOT, OWN), [LIBRARY], False
    structs: dict[Path, Request] = {}
    for contender in catalog.contenders.values():
        if (contender.folder / MANIFEST).is_file():
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
    sources = [*(path for folder in folders for path in folder.glob("*.go"))]
    sources += LOOSE
    listed = subprocess.run([*tools.programs["gofmt"], "-l", *sources], capture_output=True, check=False)
    if listed.stdout or listed.returncode != 0:
        print(f"gofmt -w is needed:\n{listed.stdout.decode()}{listed.stderr.decode()}")
        failed = True
    with tempfile.TemporaryDirectory() as scratch:
        code, file = Path(scratch) / "schema.go", Path(scratch) / "schema.json"
        schema = Schema(root=Type(kind="bool"), messages=[])
        file.write_bytes(dump(schema))
        for folder in folders:
            words = [*go_command(tools, CACHE, {}), "vet", "."]
            if folder in structs:
                is_avro = avro.is_asked((folder / "main.go").read_text("utf-8"))
                code.write_text((avro.emit if is_avro else emit)(schema))
                overlay = Path(scratch) / "overlay.json"
                overlay.write_text(json.dumps({"Replace": {str(folder / "schema.go"): str(code)}}))
                request = msgspec.structs.replace(structs[folder], schema=file)
                # In the folder's place beside the harness: vet wants packages in folders that are there.
                copy = Path(scratch) / folder.relative_to(ROOT)
                if own_code(request, copy):
                    shutil.copytree(folder, copy, dirs_exist_ok=True)
                    if not (Path(scratch) / "harness").exists():
                        (Path(scratch) / "harness").symlink_to(ROOT / "harness")
                    folder = copy
                else:
                    words.insert(-1, f"-overlay={overlay}")
            if subprocess.run(words, cwd=folder, check=False).returncode != 0:
                print(f"{folder}: go vet fails")
                failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
