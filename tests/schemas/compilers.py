"""The compilers of schema languages, which take or refuse what the emitters write: many schemas at once."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from formats.schemas import avsc, capnp, fbs, json_schema, proto, thrift
from harness.javascript import typescript

from serbench.project import CACHE, ROOT
from serbench.provision import toolchain
from serbench.provision.parts import find_file, find_part
from serbench.provision.providers import npm, pypi
from serbench.schemas.model import Schema

NAMES = ["avsc", "proto", "fbs", "capnp", "thrift", "json-schema", "typescript"]
Case = tuple[Schema, Sequence[Any]]
"""A schema and documents of it."""
# Without allErrors ajv nests each key's check in that of the one before: V8's stack ends at some 1,600.
_AJV = """
const Ajv = require("ajv/dist/2020").default;
for (const [schema, documents] of JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"))) {
  const ajv = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true });
  const check = ajv.compile(schema);
  for (const each of documents) if (!check(each)) throw new Error(ajv.errorsText(check.errors));
}
"""
_FASTAVRO = """
import json, sys
sys.path.append(sys.argv[1])
from fastavro import parse_schema
for text in json.load(open(sys.argv[2])): parse_schema(json.loads(text))
"""


def lacking(name: str) -> str:
    """Why a compiler is not there, or an empty text."""
    if name in ("proto", "fbs"):
        part = "protoc" if name == "proto" else "flatc"
        return "" if _part(part).is_file() else f"./serbench setup {part}"
    if name in ("capnp", "thrift"):
        package = {"capnp": "capnproto", "thrift": "thrift-compiler"}[name]
        return "" if shutil.which(name) else f"needs {package}"
    if name == "avsc":
        return "" if _fastavro().is_dir() else "./serbench setup python"
    return "" if toolchain.find(ROOT, CACHE, "javascript") else toolchain.remedy(ROOT, "javascript")


def _fastavro() -> Path:
    return pypi.installed_folder(ROOT / "contenders/python/fastavro", CACHE)


def _part(name: str) -> Path:
    part = find_part(ROOT, name)
    return find_file(CACHE / part.folder, part.file)


def compile_all(name: str, cases: Sequence[Case], folder: Path) -> str:
    """Let a compiler read the schemas of all cases; what it says if it refuses one, else an empty text.

    JSON Schema and TypeScript are also compared with the documents.
    """
    if name == "proto":
        files = _written(folder, "proto", [proto.emit(c[0], package=f"p{i}") for i, c in enumerate(cases)])
        return _run([_part("protoc"), f"-I{folder}", "--descriptor_set_out=/dev/null", *files], folder)
    if name == "fbs":
        files = _written(folder, "fbs", [fbs.emit(schema) for schema, _ in cases])
        return _run([_part("flatc"), "--schema", "-b", "-o", folder, *files], folder)
    if name == "capnp":
        texts = dict.fromkeys(capnp.emit(schema) for schema, _ in cases)  # the same one has the same number
        files = _written(folder, "capnp", list(texts))
        return _run(["capnp", "compile", "-o-", *files], folder)
    if name == "thrift":
        taken = [schema for schema, _ in cases if not thrift.refusal(schema)]
        files = _written(folder, "thrift", [thrift.emit(schema) for schema in taken])
        said = (_run(["thrift", "--gen", "json", "-out", folder, file], folder) for file in files)
        return next((text for text in said if text), "")
    if name == "avsc":
        schemas = [avsc.emit(schema) for schema, _ in cases if not avsc.refusal(schema)]
        (folder / "cases.json").write_text(json.dumps(schemas), "utf-8")
        return _run([sys.executable, "-I", "-c", _FASTAVRO, _fastavro(), "cases.json"], folder)
    node = toolchain.find(ROOT, CACHE, "javascript")
    assert node is not None
    if name == "json-schema":
        data = [[json.loads(json_schema.emit(schema)), documents] for schema, documents in cases]
        (folder / "cases.json").write_text(json.dumps(data), "utf-8")
        (folder / "check.cjs").write_text(_AJV, "utf-8")
        packages = npm.install(ROOT / "harness/javascript", CACHE, node, development=True) / "node_modules"
        return _run(
            ["env", f"NODE_PATH={packages}", *node.programs["node"], "check.cjs", "cases.json"], folder
        )
    files = _written(folder, "ts", [_checked(schema, documents) for schema, documents in cases])
    tsc = npm.install(ROOT / "page", CACHE, node, development=True) / "node_modules/typescript/bin/tsc"
    return _run([*node.programs["node"], tsc, "--noEmit", "--strict", "--target", "es2022", *files], folder)


def _checked(schema: Schema, documents: Sequence[Any]) -> str:
    name = schema.rooted().root.message
    return typescript.emit(schema) + f"export const documents: {name}[] = {json.dumps(list(documents))};\n"


def _written(folder: Path, ending: str, texts: Sequence[str]) -> list[str]:
    for number, text in enumerate(texts):
        (folder / f"s{number}.{ending}").write_text(text, "utf-8")
    return [f"s{number}.{ending}" for number in range(len(texts))]


def _run(command: Sequence[str | Path], folder: Path) -> str:
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, check=False)
    return (done.stdout + done.stderr).decode("utf-8", "replace")[-2000:] if done.returncode else ""
