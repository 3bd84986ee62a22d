"""Lint and format check of the Rust: `python -m tests.cargo`, with the toolchain that the rows use.

Ends with status 1 if a check fails; with 0 and a line that says so where there is no toolchain, or none with
rustfmt and clippy, as Debian's rustc-web.
"""

import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

from harness.rust import protobuf
from harness.rust.build import SCHEMA, generated, style_of

from serbench.build.contract import Request
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Contender
from serbench.project import CACHE, ROOT
from serbench.provision import provide, toolchain
from serbench.provision.parts import find_file, find_part
from serbench.provision.providers.crate import LOCK, cargo_command
from serbench.provision.records import Unavailable
from serbench.schemas.infer import infer
from serbench.schemas.model import dump
from tests.generator import own_code

OWN = [ROOT / "tests/rust/walker"]
"""Contenders that are not in the catalog."""
DOCUMENT = ROOT / "tests/schemas/plain.json"
"""What contenders whose code is generated get a schema of."""
LOOSE = [ROOT / "harness/rust/template/main.txt", ROOT / "benchmarks/criterion/serbench.rs"]
"""Sources that are part of no contender: their form is checked alone."""


def contenders(catalog: Catalog) -> Iterator[Contender]:
    """Those that Cargo builds."""
    for contender in catalog.contenders.values():
        if (contender.folder / LOCK).is_file():
            yield contender


def feature_sets(folder: Path) -> list[list[str]]:
    """The default features, and each of the others alone."""
    features = tomllib.loads((folder / "Cargo.toml").read_text("utf-8")).get("features", {})
    return [[], *([name] for name in features if name not in ("default", *features.get("default", [])))]


def make_structs(contender: Contender, folder: Path, schema: bytes, cargo: list[str]) -> None:
    """Write the structs of a schema into `folder`, as a build does."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "schema.json").write_bytes(schema)
    for name, text in generated(contender.folder, folder / "schema.json").items():
        (folder / name).write_text(text, "utf-8")
    if name := style_of(contender.folder).generate:
        part = find_part(ROOT, contender.manifest.source[0].part)
        words = ["run", "--quiet", "--offline", "--locked", "--features", name, "--bin", name]
        words += ["--manifest-path", str(contender.folder / "Cargo.toml")]
        words += [
            "--target-dir",
            str(CACHE / "rust-lint"),
            "--",
            str(find_file(CACHE / part.folder, part.file)),
        ]
        subprocess.run([*cargo, *words, str(folder / protobuf.PROTO), str(folder)], check=True)


def main() -> int:
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
    catalog, failed = load_catalog(ROOT, OWN), False
    schema = dump(infer([json.loads(DOCUMENT.read_bytes())]))
    for contender in contenders(catalog):
        manifest = ["--manifest-path", str(contender.folder / "Cargo.toml")]
        try:
            library = provide(contender, CACHE, catalog=catalog)
        except Unavailable as error:
            print(f"not run for {contender.id}: {error.reason}")
            continue
        if contender.generated:
            structs = CACHE / "rust-lint" / "schemas" / contender.folder.name
            make_structs(contender, structs, schema, cargo)
            request = Request(
                want="worker",
                root=ROOT,
                harness=ROOT / "harness/rust",
                cache=CACHE,
                folder=contender.folder,
                schema=structs / "schema.json",
                library=library,
            )
            own_code(request, structs / "generated")
            code = {"SB_SCHEMA": str(structs / SCHEMA), "SB_GENERATED": str(structs / "generated")}
            cargo = cargo_command(tools, CACHE, code)
        commands = [["fmt", "--all", "--check", *manifest]]
        for features in feature_sets(contender.folder):
            chosen = ["--no-default-features", "--features", ",".join(features)] if features else []
            target = ["--target-dir", str(CACHE / "rust-lint")]
            lint = ["clippy", "--quiet", "--offline", "--locked", *manifest, *target, *chosen]
            commands.append([*lint, "--", "-D", "warnings"])
        for words in commands:
            if subprocess.run([*cargo, *words], check=False).returncode != 0:
                print(f"{contender.id}: cargo {words[0]} fails")
                failed = True
    harness = ["--manifest-path", str(ROOT / "harness/rust/serbench/Cargo.toml")]
    if subprocess.run([*cargo, "fmt", "--check", *harness, "--", *LOOSE], check=False).returncode != 0:
        failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
