"""The build program of Rust: Cargo compiles a contender with its crates and the harness.

All tests of a contender are one program, since most of the time goes into what they share.
See docs/build-contract.md.
"""

import tomllib
from pathlib import Path

from harness.rust import crates, protobuf, schema

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request
from serbench.build.processor import Level
from serbench.build.records import BuildFailed
from serbench.catalog.records import ANY_SCHEMA, Profile
from serbench.errors import UserError
from serbench.provision.parts import STAMP, find_file, find_part
from serbench.provision.process import once, run
from serbench.provision.records import Unavailable
from serbench.provision.toolchain import Toolchain, need
from serbench.schemas import generator
from serbench.schemas.model import load

_NOT_OPTIMISED = {"opt-level": "1", "lto": '"off"', "codegen-units": "16", "panic": '"unwind"'}
"""A probe is not timed, so it need not take long to build."""
_QUICKEST = {**_NOT_OPTIMISED, "opt-level": "0"}
"""For what runs once for a schema."""
PROFILES: dict[Profile, dict[str, str]] = {
    "speed": {"opt-level": "3", "lto": '"fat"', "codegen-units": "1", "panic": '"unwind"'},
    "size": {"opt-level": '"z"', "lto": '"fat"', "codegen-units": "1", "panic": '"abort"'},
    # What the compiler of Rust has in the place of sanitizers. Optimising takes it a second or two more for a
    # usual program, and minutes for a huge object.
    "check": {**_QUICKEST, "debug-assertions": "true", "overflow-checks": "true"},
}
PROCESSORS: dict[Level, str] = {
    **{"native": "native", "v2": "x86-64-v2", "v3": "x86-64-v3", "v4": "x86-64-v4"},
}
"""What the compiler calls a level; its own default is the baseline."""
PROBE = "probe.rs"
"""The file of a contender's folder of which its worker has nothing."""
SCHEMA = "schema.rs"
"""The structs that are generated for a schema."""
_NEEDED_BY_PROBE = """
# What the probe needs: of the version in the lock file.
[dependencies.serde]
version = "1"
"""
_DERIVE = "serde/derive"
"""The feature that a probe needs of that crate, which may be the contender's own dependency."""
_STATIC = ["-Ctarget-feature=+crt-static", "-Crelocation-model=static"]


def answer(request: Request) -> Answer:
    """The plan for `request`. Raises BuildFailed, also for a compiler that is not there."""
    if request.want not in ("worker", "static", "probe"):
        raise BuildFailed(f"this harness makes no {request.want}")
    try:
        tools = need(request.root, request.cache, ["rust"], "rustc")
    except (Unavailable, UserError) as error:
        raise BuildFailed(str(error), unavailable=True) from error
    compiler_of = _compiler(tools.programs["rustc"])
    folder, static, probe = request.folder, request.want == "static", request.want == "probe"
    profile = _NOT_OPTIMISED if probe else PROFILES[request.profile]
    processor = [f"-Ctarget-cpu={PROCESSORS[request.cpu]}"] if request.cpu in PROCESSORS else []
    flags = " ".join([*(f"{name}={value}".replace('"', "") for name, value in profile.items()), *processor])
    compiler = f"rustc {tools.version}"
    structs = ANY_SCHEMA in request.schemas
    plan = Plan()
    own = generator.recipe_of(request) if structs else None
    code, code_digest = plan.add(own) if own is not None else (Path(), "")
    seen = {
        "SB_LANGUAGE": request.language,
        "SB_LIBRARY_VERSION": request.library.version if request.library else "",
        "SB_COMPILER": compiler,
        "SB_FLAGS": flags,
        **({"SB_TEST": request.test} if static else {}),
        **({"SB_SCHEMA": f"{OUT}/{SCHEMA}"} if request.schema and structs else {}),
        **({"SB_GENERATED": str(code)} if own is not None else {}),
    }
    # What a probe needs in addition is in the lock file too, but not as the contender's own.
    words = [] if probe else ["--locked"]
    if request.defines:  # These are Cargo's features, in the place of the default ones.
        words += ["--no-default-features", "--features", ",".join(request.defines)]
    if probe:
        words += ["--features", _DERIVE]
    linked = [*processor, *(_STATIC if static else [])]
    made_by = crates.steps(
        request, tools, compiler_of, "worker", profile, flags=linked, words=words, seen=seen
    )
    harness = request.harness / "serbench"
    inputs: list[Input] = [*_tools(request, compiler_of), *([code_digest] if own is not None else [])]
    inputs += [Content(of="folder", path=folder, without="" if probe else PROBE)]
    inputs += [Content(of="folder", path=harness)]
    inputs += [Content(of="file", path=each / "Cargo.toml") for each in (folder, harness)]
    manifest = crates.manifest_of(folder)
    if probe:
        needs_serde = "serde" not in tomllib.loads(manifest).get("dependencies", {})
        put = crates.packages(request, manifest + _NEEDED_BY_PROBE if needs_serde else manifest)
        put += _of_probe(request)
        inputs += [Content(of="folder", path=request.harness / "probe"), _NEEDED_BY_PROBE]
    else:
        put = crates.packages(request, manifest, without=PROBE)
    keep = [SCHEMA] if structs else []
    before: list[list[str]] = []
    if request.schema and structs:
        texts = generated(folder, request.schema)
        put += [Put(to=name, text=text) for name, text in texts.items()]
        inputs += texts.values()
        keep = list(texts)
        if name := style_of(folder).generate:
            maker, maker_digest = _generator(plan, request, name, tools, compiler_of)
            protoc, stamp = _protoc(request)
            before = [[str(maker / name), str(protoc), f"{OUT}/{protobuf.PROTO}", OUT]]
            inputs += [maker_digest, stamp]
            keep.append(protobuf.MADE)
    made, digest = plan.add(
        Recipe(
            steps=[*before, *made_by],
            inputs=inputs,
            products=["worker"],
            keep=["worker", *keep],
            put=put,
        )
    )
    return Answer(
        recipes=plan.recipes,
        command=[str(made / "worker"), *([] if probe else [request.test])],
        size_of=str(made / "worker"),
        generated=[
            *(str(made / name) for name in keep),
            *([str(code / name) for name in own.products] if own is not None else []),
        ],
        compiler=compiler,
        flags=flags,
        digest=[digest, request.test],
    )


def style_of(folder: Path) -> schema.Style:
    """What the contender in `folder` wants of a schema. Raises BuildFailed."""
    try:
        return schema.style_of((folder / "Cargo.toml").read_text("utf-8"))
    except (OSError, ValueError) as error:  # msgspec's and tomllib's errors are ValueErrors.
        raise BuildFailed(f"what {folder.name} wants of a schema cannot be read: {error}") from error


def generated(folder: Path, path: Path) -> dict[str, str]:
    """The files with the structs of the schema at `path`, as the contender in `folder` wants them.

    Raises BuildFailed.
    """
    style = style_of(folder)
    if style.generate:
        return protobuf.files(load(path), protobuf.STYLES[style.messages])
    return {SCHEMA: schema.emit(load(path), style)}


def _tools(request: Request, compiler: tuple[str, str]) -> list[Input]:
    """What stands for all that compiles."""
    scripts = [Content(of="file", path=request.harness / name) for name in (crates.WRAPPER, crates.SCRIPT)]
    return [compiler[0], *scripts]


def _generator(
    plan: Plan, request: Request, name: str, tools: Toolchain, compiler: tuple[str, str]
) -> tuple[Path, str]:
    """The program of a contender that makes its structs: it is the same for all data."""
    words = ["--locked", "--features", name]
    read = ("Cargo.toml", "Cargo.lock", f"{name}.rs")
    return plan.add(
        Recipe(
            steps=crates.steps(request, tools, compiler, name, _QUICKEST, words=words),
            inputs=[
                *_tools(request, compiler),
                *(Content(of="file", path=request.folder / each) for each in read),
            ],
            products=[name],
            keep=[name],
            put=crates.packages(request, crates.manifest_of(request.folder), without=PROBE),
        )
    )


def _protoc(request: Request) -> tuple[Path, Content]:
    """The compiler of the part of the set-up that the manifest names, and what tells its version."""
    part = find_part(request.root, request.library.source.part if request.library else "")
    folder = request.cache / part.folder
    return find_file(folder, part.file), Content(of="file", path=folder / STAMP)


def _of_probe(request: Request) -> list[Put]:
    """The program of a probe, in the place of the contender's: of the same crates with the same features."""
    folder, place = request.harness / "probe", crates.place_of(request)
    program = Put(to=f"{place}/main.rs", text=crates.text_of(folder / "main.rs"))
    return [program, Put(to=f"{place}/harness", link=folder)]


@once
def _compiler(rustc: tuple[str, ...]) -> tuple[str, str]:
    """All that the compiler says of itself, its LLVM too, and the machine that it compiles for."""
    done = run([*rustc, "--version", "--verbose"])
    host = next((line[6:] for line in done.output.splitlines() if line.startswith("host: ")), "")
    if not host:
        raise BuildFailed("the compiler does not say what it compiles for", done.tail())
    return done.output, host
