"""The build program of Rust: Cargo compiles a contender with its crates and the harness.

All tests of a contender are one program, since most of the time goes into what they share.
See docs/build-contract.md.
"""

import tomllib
from functools import cache as once
from pathlib import Path

from harness.rust import protobuf, schema

from serbench.build.contract import OUT, Answer, Content, Input, Plan, Put, Recipe, Request, serve
from serbench.build.processor import Level
from serbench.build.records import BuildFailed
from serbench.catalog.records import ANY_SCHEMA, Profile
from serbench.errors import UserError
from serbench.provision.parts import STAMP, find_file, find_part
from serbench.provision.process import run
from serbench.provision.providers.crate import cargo_command
from serbench.provision.records import Unavailable
from serbench.provision.toolchain import need
from serbench.schemas import generator
from serbench.schemas.model import load

_NOT_OPTIMISED = {"opt-level": "1", "lto": '"off"', "codegen-units": "16", "panic": '"unwind"'}
"""A probe is not timed, so it need not take long to build."""
PROFILES: dict[Profile, dict[str, str]] = {
    "speed": {"opt-level": "3", "lto": '"fat"', "codegen-units": "1", "panic": '"unwind"'},
    "size": {"opt-level": '"z"', "lto": '"fat"', "codegen-units": "1", "panic": '"abort"'},
    # What the compiler of Rust has in the place of sanitizers. Optimising takes it minutes for a huge object.
    "check": {**_NOT_OPTIMISED, "opt-level": "0", "debug-assertions": "true", "overflow-checks": "true"},
}
PROCESSORS: dict[Level, str] = {
    **{"native": "native", "v2": "x86-64-v2", "v3": "x86-64-v3", "v4": "x86-64-v4"},
}
"""What the compiler calls a level; its own default is the baseline."""
PROBE = "probe.rs"
"""The file of a contender's folder of which its worker has nothing."""
WRAPPER = "rustc.sh"
"""What starts the compiler, beside this program."""
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
    said, host = _compiler(tools.programs["rustc"])
    folder, static = request.folder, request.want == "static"
    # As they lie in the project, so that a manifest may name the harness by a path, wherever its folder is.
    place = f"contenders/{request.language}/{folder.name}"
    probe = request.want == "probe"
    profile = _NOT_OPTIMISED if probe else PROFILES[request.profile]
    processor = [f"-Ctarget-cpu={PROCESSORS[request.cpu]}"] if request.cpu in PROCESSORS else []
    flags = " ".join([*(f"{name}={value}".replace('"', "") for name, value in profile.items()), *processor])
    compiler = f"rustc {tools.version}"
    # The same program whatever the folder of the crates and, by the wrapper, of the build.
    remap = f"--remap-path-prefix={request.cache}=/cache"
    structs = ANY_SCHEMA in request.schemas
    plan = Plan()
    own = generator.recipe_of(request) if structs else None
    code, code_digest = plan.add(own) if own is not None else (Path(), "")
    environment = {
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join([*processor, *(_STATIC if static else []), remap]),
        "RUSTC_WRAPPER": str(request.harness / WRAPPER),
        "SB_OUT": OUT,
        "SB_LANGUAGE": request.language,
        "SB_LIBRARY_VERSION": request.library.version if request.library else "",
        "SB_COMPILER": compiler,
        "SB_FLAGS": flags,
    }
    # What the crates do not see.
    seen = {
        **({"SB_TEST": request.test} if static else {}),
        **({"SB_SCHEMA": f"{OUT}/{SCHEMA}"} if request.schema and structs else {}),
        **({"SB_GENERATED": str(code)} if own is not None else {}),
    }
    cargo = cargo_command(tools, request.cache, environment)
    build = ["build", "--offline"]
    # What a probe needs in addition is in the lock file too, but not as the contender's own.
    build += [*([] if probe else ["--locked"]), "--release"]
    build += ["--quiet", "--bin", "worker", "--target", host]
    build += ["--target-dir", f"{OUT}/target", "--manifest-path", f"{OUT}/{place}/Cargo.toml"]
    for name, value in profile.items():
        build += ["--config", f"profile.release.{name}={value}"]
    if request.defines:  # These are Cargo's features, in the place of the default ones.
        build += ["--no-default-features", "--features", ",".join(request.defines)]
    if probe:
        build += ["--features", _DERIVE]
    program = [*cargo_command(tools, request.cache, {**environment, **seen}), *build]
    harness = request.harness / "serbench"
    wrapper = Content(of="file", path=request.harness / WRAPPER)
    inputs: list[Input] = [said, wrapper, *([code_digest] if own is not None else [])]
    inputs += [Content(of="folder", path=folder, without="" if probe else PROBE)]
    inputs += [Content(of="folder", path=harness)]
    inputs += [Content(of="file", path=each / "Cargo.toml") for each in (folder, harness)]
    put = [
        Put(to=place, copy=folder, without="target" if probe else f"target {PROBE}"),
        Put(to="harness", link=request.harness.parent),
    ]
    steps: list[list[str]] = []
    keep = [SCHEMA] if structs else []
    if request.schema and structs:
        crates, crates_digest = _crates(plan, request, [*cargo, *build], put, [said, wrapper])
        # The contender's own files are newer than what was compiled in their places, a build script too.
        own_files = ["find", f"{OUT}/{place}", "-name", "*.rs", "-exec", "touch", "{}", "+"]
        steps = [["cp", "-a", str(crates / "target"), OUT], own_files]
        inputs.append(crates_digest)
        texts = generated(folder, request.schema)
        put += [Put(to=name, text=text) for name, text in texts.items()]
        inputs += texts.values()
        keep = list(texts)
        if name := style_of(folder).generate:
            maker, maker_digest = _generator(plan, request, name, [*cargo, "build"], host, put[:2])
            compiler_of, stamp = _protoc(request)
            steps.append([str(maker / name), str(compiler_of), f"{OUT}/{protobuf.PROTO}", OUT])
            inputs += [maker_digest, stamp]
            keep.append(protobuf.MADE)
    if probe:
        inputs += [Content(of="folder", path=request.harness / "probe"), _NEEDED_BY_PROBE]
        put += _of_probe(request, place)
    made, digest = plan.add(
        Recipe(
            steps=[*steps, program, ["mv", f"{OUT}/target/{host}/release/worker", OUT]],
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


def _crates(
    plan: Plan, request: Request, build: list[str], put: list[Put], inputs: list[Input]
) -> tuple[Path, str]:
    """The compiled crates of a contender, which are the same for all data: a program without its own code."""
    folder = request.folder
    place = put[0].to
    scripts = [name for name in ("build.rs", "main.rs") if (folder / name).is_file()]
    manifests = [folder / "Cargo.toml", folder / "Cargo.lock", request.harness / "serbench" / "Cargo.toml"]
    return plan.add(
        Recipe(
            steps=[build],
            inputs=[*inputs, *(Content(of="file", path=path) for path in manifests)],
            products=["target/CACHEDIR.TAG"],
            keep=["target"],
            put=[*put, *(Put(to=f"{place}/{name}", text="fn main() {}\n") for name in scripts)],
        )
    )


def _generator(
    plan: Plan, request: Request, name: str, build: list[str], host: str, put: list[Put]
) -> tuple[Path, str]:
    """The program of a contender that makes its structs: it is the same for all data."""
    place = f"contenders/{request.language}/{request.folder.name}"
    words = [*build, "--offline", "--locked", "--release", "--quiet", "--features", name, "--bin", name]
    words += [
        "--target",
        host,
        "--target-dir",
        f"{OUT}/target",
        "--manifest-path",
        f"{OUT}/{place}/Cargo.toml",
    ]
    for option, value in _NOT_OPTIMISED.items():
        words += ["--config", f"profile.release.{option}={value}"]
    read = ("Cargo.toml", "Cargo.lock", f"{name}.rs")
    return plan.add(
        Recipe(
            steps=[words, ["mv", f"{OUT}/target/{host}/release/{name}", OUT]],
            inputs=[host, *(Content(of="file", path=request.folder / each) for each in read)],
            products=[name],
            keep=[name],
            put=put,
        )
    )


def _protoc(request: Request) -> tuple[Path, Content]:
    """The compiler of the part of the set-up that the manifest names, and what tells its version."""
    part = find_part(request.root, request.library.source.part if request.library else "")
    folder = request.cache / part.folder
    return find_file(folder, part.file), Content(of="file", path=folder / STAMP)


def _of_probe(request: Request, place: str) -> list[Put]:
    """What makes a probe of a contender: another program of the same crates with the same features."""
    try:
        program = (request.harness / "probe" / "main.rs").read_text("utf-8")
        manifest = (request.folder / "Cargo.toml").read_text("utf-8")
        own = "serde" in tomllib.loads(manifest).get("dependencies", {})
    except (OSError, ValueError) as error:  # tomllib's errors and those of UTF-8 are ValueErrors.
        raise BuildFailed(f"the probe of {request.folder.name} cannot be made: {error}") from error
    return [
        Put(to=f"{place}/main.rs", text=program),
        Put(to=f"{place}/Cargo.toml", text=manifest if own else manifest + _NEEDED_BY_PROBE),
    ]


@once
def _compiler(rustc: tuple[str, ...]) -> tuple[str, str]:
    """All that the compiler says of itself, its LLVM too, and the machine that it compiles for."""
    done = run([*rustc, "--version", "--verbose"])
    host = next((line[6:] for line in done.output.splitlines() if line.startswith("host: ")), "")
    if not host:
        raise BuildFailed("the compiler does not say what it compiles for", done.tail())
    return done.output, host


if __name__ == "__main__":
    serve(answer)
