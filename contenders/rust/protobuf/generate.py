"""Plans protoc's messages for a schema, and writes what fills and what hashes them."""

from collections.abc import Iterator

from formats.schemas import proto
from harness.rust.schema import literal, type_of_message

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe, indented, program
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema, Type


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the protoc of the set-up, whose version is the crate's.

    Raises BuildFailed for a message that has the name of another's view.
    """
    names = {message.name for message in lower(schema).messages}
    for name in sorted(names):
        for taken in (f"{name}View", f"{name}Mut"):
            if taken in names:
                said = f"{taken}: protoc gives this name to what it makes of {name}, too"
                raise BuildFailed(said, unsupported=True)
    files = {"document.proto": proto.emit(schema), "tables.rs": emit(schema)}
    options = [f"--rust_out={OUT}", "--rust_opt=experimental-codegen=enabled,kernel=upb"]
    step = [program(request, "bin/protoc"), *options, f"-I{OUT}", f"{OUT}/document.proto"]
    return files_recipe(request, files, [step], ["generated.rs", "document.u.pb.rs"])


def emit(schema: Schema) -> str:
    """Functions `walk_NAME` and `fill_NAME` for each message, and the root's."""
    lowered, stand = lower(schema), stands_for(schema)
    lines: list[str] = []
    for message in lowered.messages:
        lines += [*_walk(message), "", *_fill(message, type_of_message(message, stand)), ""]
    root = lowered.root.message
    lines += [f"pub use self::walk_{root} as walk_root;", f"pub use self::fill_{root} as fill_root;"]
    return "\n".join([*lines, f"pub type Made = pb::{root};", ""])


def _named(message: Message) -> Iterator[tuple[Field, str]]:
    """The fields with the names of their accessors: one that is another's accessor gets its number, too."""
    names = {field.name for field in message.fields}
    for number, field in enumerate(message.fields, start=1):
        others = [field.name.removeprefix(word) for word in ("has_", "set_", "clear_")]
        others += [field.name.removesuffix(word) for word in ("_mut", "_opt")]
        taken = any(other != field.name and other in names for other in others)
        yield field, f"{field.name}_{number}" if taken else field.name


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    lines = [f"pub fn walk_{message.name}(from: pb::{message.name}View<'_>, hash: &mut Hash) -> Result {{"]
    always = sum(not field.optional for field in message.fields)
    lines += [f"    let mut count = {always};"] if not message.role else []
    for field, name in _named(message):
        key = [] if message.role else [f"hash.string({literal(field.key)});"]
        steps = _hashed(field.type, "value")
        if field.optional:
            steps = [*key, *steps, "count += 1;"]
            lines += [f"    if let Some(value) = from.{name}_opt() {{", *indented(indented(steps)), "    }"]
        elif field.type.nullable:
            lines += [
                *indented(key),
                f"    if let Some(value) = from.{name}_opt() {{",
                *indented(indented(steps)),
            ]
            lines += ["    } else {", "        hash.nil();", "    }"]
        else:
            lines += indented([*key, f"let value = from.{name}();", *steps])
    lines += ["    hash.count(count);"] if not message.role else []
    return [*lines, "    Ok(())", "}"]


def _hashed(kind: Type, value: str) -> list[str]:
    """What hashes `value`, as its accessor returns it."""
    if kind.of is not None:
        inner = indented(_hashed(kind.of, "item"))
        return [f"for item in {value}.iter() {{", *inner, "}", f"hash.count({value}.len());"]
    if kind.message:
        return [f"walk_{kind.message}({value}, hash)?;"]
    return [f"{value}{'.to_str()?' if kind.kind == 'string' else ''}.walk(hash);"]


def _fill(message: Message, plain: str) -> list[str]:
    lines = [f"pub fn fill_{message.name}(from: &{plain}, mut to: pb::{message.name}Mut<'_>) {{"]
    for field, name in _named(message):
        value = f"&from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            value = {"key": "&from.0", "value": "&from.1"}[field.name]
        if field.optional or field.type.nullable:
            lines += [
                f"    if let Some(value) = {value} {{",
                *indented(indented(_set(field.type, name))),
                "    }",
            ]
        else:
            lines += [f"    let value = {value};", *indented(_set(field.type, name))]
    return [*lines, "}"]


def _set(kind: Type, name: str) -> list[str]:
    """What sets the field to what `value` refers to."""
    if kind.of is not None and kind.of.message:
        fill = f"fill_{kind.of.message}(item, items.push_default());"
        return [f"let mut items = to.{name}_mut();", f"for item in value {{ {fill} }}"]
    if kind.of is not None:
        return [f"to.{name}_mut().extend(value.iter(){'' if kind.of.kind == 'string' else '.copied()'});"]
    if kind.message:
        return [f"fill_{kind.message}(value, to.{name}_mut());"]
    return [f"to.set_{name}({'' if kind.kind == 'string' else '*'}value);"]
