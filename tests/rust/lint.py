"""Lint and format check of the Rust: `python -m tests.rust.lint [FOLDER...]`, with the toolchain of the rows.

The folders are contenders; none means all, and the harness. Ends with status 1 if a check fails; with 0 and a
line that says so where there is no toolchain, or none with rustfmt and clippy, as Debian's rustc-web.
"""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import msgspec
from harness.rust.build import SCHEMA

from serbench.build import BuildFailed
from serbench.catalog.records import Contender
from serbench.project import CACHE, ROOT
from serbench.provision import provide, toolchain
from serbench.provision.providers.crate import cargo_command
from serbench.provision.records import Provided, Unavailable
from serbench.run.context import BuildContext
from serbench.run.typed import kept
from serbench.schemas.infer import infer
from tests.linters import chosen

OWN = ROOT / "tests/rust/walker"
"""A contender that is not in the catalog."""
DOCUMENT = ROOT / "tests/schemas/plain.json"
"""What contenders whose code is generated get a schema of."""
HARNESS = ROOT / "harness/rust"
TEMPLATE = HARNESS / "template/main.txt"
"""Part of no contender: its form is checked alone."""
TARGET = CACHE / "rust-lint"


def feature_sets(folder: Path) -> list[list[str]]:
    """What Cargo is told: every program with the default features, and the worker with each other one.

    A feature that no attribute in the sources names compiles nothing else.
    """
    manifest = tomllib.loads((folder / "Cargo.toml").read_text("utf-8"))
    features, needed = manifest.get("features", {}), set()
    for program in manifest["bin"]:
        needed |= {*program.get("required-features", [])}
    text = "".join(path.read_text("utf-8") for path in folder.glob("*.rs"))
    named = {*re.findall(r'#!?\[cfg\w*\([^\]]*?feature = "([^"]+)"', text)}
    others = named - {*features.get("default", [])} - needed
    sets = [["--features", ",".join(sorted(needed))]]
    return sets + [["--no-default-features", "--features", name] for name in sorted(others)]


def code_of(contender: Contender, library: Provided, context: BuildContext) -> dict[str, str]:
    """Have generated what `contender` is compiled with; the variables that say where it is.

    Tests of the schemas need the same build. Raises BuildFailed.
    """
    if not contender.generated:
        return {}
    row = next(row for row in context.catalog.rows(generated=True) if row.contender.id == contender.id)
    schema = kept(context, infer([json.loads(DOCUMENT.read_bytes())]))
    built = context.builder.build(msgspec.structs.replace(row, schema=schema), library, "speed")
    folder = Path(built.command[0]).parent
    own = next((path.parent for path in built.generated if path.parent != folder), folder)
    return {"SB_SCHEMA": str(folder / SCHEMA), "SB_GENERATED": str(own)}


def main(arguments: list[str]) -> int:
    """Check everything, and go on after what fails; the exit status."""
    tools = toolchain.find(ROOT, CACHE, "rust")
    if tools is None:
        print("not run: " + toolchain.remedy(ROOT, "rust"))
        return 0
    cargo = cargo_command(tools, CACHE, {})
    for tool in ("fmt", "clippy"):
        if subprocess.run([*cargo, tool, "--version"], capture_output=True, check=False).returncode != 0:
            print(f"not run: this Rust has no cargo {tool}")
            return 0
    catalog, contenders = chosen("rust", OWN, arguments)
    sources = [path for contender in contenders for path in contender.folder.glob("*.rs")]
    sources += [] if arguments else [TEMPLATE]
    # That of the harness, since Cargo tells rustfmt the edition of a package.
    words = [
        "fmt",
        "--check",
        "--manifest-path",
        str(HARNESS / "serbench/Cargo.toml"),
        "--",
        *map(str, sources),
    ]
    failed = subprocess.run([*cargo, *words], check=False).returncode != 0
    context = BuildContext(catalog, CACHE)
    for contender in contenders:
        try:
            code = code_of(contender, provide(contender, CACHE, catalog=catalog), context)
        except Unavailable as error:
            print(f"not run for {contender.id}: {error.reason}")
            continue
        except BuildFailed as error:
            print(f"{contender.id}: {error.reason}\n{error.output}")
            failed = True
            continue
        lint = [
            *cargo_command(tools, CACHE, code),
            "clippy",
            "--quiet",
            "--offline",
            "--locked",
            "--target-dir",
            str(TARGET),
        ]
        lint += ["--manifest-path", str(contender.folder / "Cargo.toml")]
        for features in feature_sets(contender.folder):
            if subprocess.run([*lint, *features, "--", "-D", "warnings"], check=False).returncode != 0:
                print(f"{contender.id}: cargo clippy fails")
                failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
