"""Plans flatc's code for a schema, and writes what fills and what hashes its tables."""

from formats.schemas import fbs
from harness.rust.schema import literal, type_of_message

from serbench.build.contract import OUT, Recipe, Request
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower, stands_for
from serbench.schemas.model import Field, Message, Schema, Type

NAMESPACE = "fb"


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the flatc of the set-up, whose version is the crate's."""
    files = {"data.fbs": fbs.emit(schema, NAMESPACE), "tables.rs": emit(schema)}
    step = [program(request, "flatc/bin/flatc"), "--rust", "-o", OUT, f"{OUT}/data.fbs"]
    return files_recipe(request, files, [step], ["data_generated.rs"])


def emit(schema: Schema) -> str:
    """What walks each table, and functions `pack_NAME` and `pack_root`."""
    lowered, stand = lower(schema), stands_for(schema)
    root = lowered.root.message
    lines = [f"pub type Table<'a> = {NAMESPACE}::{root}<'a>;"]
    for message in lowered.messages:
        lines += ["", *_walk(message), "", *_pack(message, type_of_message(message, stand))]
    lines += ["", "pub fn pack_root<'a>("]
    lines += ["    builder: &mut Builder<'a>,", "    root: &Root,"]
    lines.append(") -> flatbuffers::WIPOffset<Table<'a>> {")
    return "\n".join([*lines, f"    pack_{root}(builder, root)", "}", ""])


def _walk(message: Message) -> list[str]:
    """The keys and values in their order, then their number; of one with a role only the values."""
    lines = [f"impl Walk for {NAMESPACE}::{message.name}<'_> {{", "    #[inline]"]
    lines.append("    fn walk(&self, hash: &mut Hash) {")
    always = sum(not field.optional for field in message.fields)
    lines += [f"        let mut count = {always};"] if not message.role else []
    for field in message.fields:
        key = [] if message.role else [f"hash.string({literal(field.key)});"]
        if field.optional:
            steps = [*key, "value.walk(hash);", "count += 1;"]
            lines.append(f"        if let Some(value) = self.{field.name}() {{")
            lines += [*(f"            {step}" for step in steps), "        }"]
        else:
            lines += [f"        {step}" for step in (*key, f"self.{field.name}().walk(hash);")]
    lines += ["        hash.count(count);"] if not message.role else []
    return [*lines, "    }", "}"]


def _pack(message: Message, plain: str) -> list[str]:
    """What is in a table is made before it."""
    name = f"{NAMESPACE}::{message.name}"
    lines = [f"fn pack_{message.name}<'a>("]
    lines += ["    builder: &mut Builder<'a>,", f"    from: &{plain},"]
    lines.append(f") -> flatbuffers::WIPOffset<{name}<'a>> {{")
    arguments = []
    for field in message.fields:
        value = f"&from.{field.name}" if not message.role else "from"
        if message.role == "entry":
            value = {"key": "&from.0", "value": "&from.1"}[field.name]
        lines.append(f"    let {field.name} = {_made(field, value)};")
        arguments.append(field.name)
    lines.append(f"    let args = {NAMESPACE}::{message.name}Args {{ {', '.join(arguments)} }};")
    return [*lines, f"    {name}::create(builder, &args)", "}"]


def _made(field: Field, value: str) -> str:
    """The expression that packs the field's value, to which `value` refers."""
    if field.type.kind not in ("list", "message", "string"):
        return f"*({value})"
    if field.type.of is not None:
        kind = field.type.of
        if kind.kind != "string" and not kind.message:
            return f"Some(builder.create_vector({value}))"
        return f"Some(pack_items(builder, {value}, {_packer(kind)}))"
    if field.optional or field.type.nullable:
        return f"({value}).as_ref().map(|value| {_packer(field.type)}(builder, value))"
    return f"Some({_packer(field.type)}(builder, {value}))"


def _packer(kind: Type) -> str:
    return f"pack_{kind.message or 'string'}"
