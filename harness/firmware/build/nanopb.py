"""What nanopb needs of a document: a schema, of which nanopb's own generator makes C, and a walk over it."""

import shutil

from harness.firmware.build.source import c_text

from serbench.build.contract import OUT, Tree
from serbench.build.records import BuildFailed
from serbench.platforms.firmware.schema import Field, Inexpressible, Message, schema_of

GENERATORS = ("nanopb_generator", "nanopb_generator.py")
_HASHES = {
    "bool": "sb_hash_bool(&fw_sum, {})",
    "float": "sb_hash_f64(&fw_sum, (double){})",
    "string": "sb_hash_str(&fw_sum, {0}, strlen({0}))",
}


def message_sources(tree: Tree) -> tuple[dict[str, str], list[str]]:
    """The files to write for a document, and the step that makes message.pb.c of them.

    Raises BuildFailed for a document that no schema fits, and where the generator is not installed.
    """
    generator = next((found for name in GENERATORS if (found := shutil.which(name))), None)
    if generator is None:
        raise BuildFailed("there is no nanopb_generator")
    try:
        schema = schema_of(tree)
    except Inexpressible as error:
        raise BuildFailed(f"no schema fits the document: {error}") from error
    messages = _numbered(schema)
    texts = {
        "message.proto": _proto(messages),
        "message.options": _options(messages),
        "walk.c": _walk(messages, schema.wrapped),
    }
    return texts, [generator, "-q", "-D", OUT, "-I", OUT, f"{OUT}/message.proto"]


Numbered = list[tuple[str, Message]]


def _numbered(schema: Message) -> Numbered:
    """All messages by name, those that others have in them first."""
    found: Numbered = []

    def add(message: Message) -> None:
        for field in message.fields:
            if field.message is not None:
                add(field.message)
        found.append((f"M{len(found)}", message))

    add(schema)
    return found


def _name(messages: Numbered, message: Message | None) -> str:
    return next(name for name, other in messages if other is message)


def _proto(messages: Numbered) -> str:
    lines = ['syntax = "proto3";']
    for name, message in messages:
        lines.append(f"message {name} {{")
        for number, field in enumerate(message.fields, start=1):
            kind = _name(messages, field.message) if field.kind == "message" else field.kind
            optional = field.presence != "always" and field.kind != "message"
            rule = "repeated " if field.repeated else "optional " if optional else ""
            lines.append(f"  {rule}{kind} f{number} = {number};")
        lines.append("}")
    return "\n".join([*lines, ""])


def _options(messages: Numbered) -> str:
    """The sizes that make every field one of fixed size."""
    lines = []
    for name, message in messages:
        for number, field in enumerate(message.fields, start=1):
            sizes = [f"max_size:{field.longest + 1}"] if field.kind == "string" else []
            sizes += [f"max_count:{max(1, field.most)}"] if field.repeated else []
            if sizes:
                lines.append(f"{name}.f{number} {' '.join(sizes)}")
    return "\n".join([*lines, ""])


def _walk(messages: Numbered, wrapped: bool) -> str:
    """Functions that hash the messages, and what the contender (contenders/firmware/nanopb) knows of them."""
    root = messages[-1][0]
    lines = ["#include <firmware.h>", "", '#include "message.pb.h"', ""]
    lines += [f"static {root} message;", f"const pb_msgdesc_t *const fw_message_fields = {root}_fields;"]
    lines += ["void *const fw_message = &message;", "const size_t fw_message_size = sizeof message;", ""]
    for name, message in messages:
        alone = wrapped and name == root
        lines += [f"static void walk_{name}(const {name} *m) {{", "    size_t count = 0;", "    (void)m;"]
        for number, field in enumerate(message.fields, start=1):
            lines += _walk_field(messages, field, f"f{number}", alone)
        lines += ["    (void)count;" if alone else "    sb_hash_count(&fw_sum, count);", "}", ""]
    return "\n".join([*lines, f"void fw_message_walk(void) {{ walk_{root}(&message); }}", ""])


def _walk_field(messages: Numbered, field: Field, name: str, alone: bool) -> list[str]:
    key = f"    sb_hash_str(&fw_sum, {c_text(field.key)}, {len(field.key.encode())});"
    there = f"m->{name}_count > 0" if field.repeated else f"m->has_{name}"
    value = [f"    {line}" for line in _walk_value(messages, field, name)]
    before = [] if alone else [key, "    count++;"]
    if field.presence == "always":
        return [*before, *value]
    if field.presence == "null":
        return [*before, f"    if ({there}) {{", *value, "    } else {", "    sb_hash_nil(&fw_sum);", "    }"]
    return [f"    if ({there}) {{", *before, *value, "    }"]


def _walk_value(messages: Numbered, field: Field, name: str) -> list[str]:
    place = f"m->{name}[i]" if field.repeated else f"m->{name}"
    if field.kind == "message":
        call = f"walk_{_name(messages, field.message)}(&{place});"
    else:
        whole = "sb_hash_i64(&fw_sum, {})" if field.kind.startswith("sint") else "sb_hash_u64(&fw_sum, {})"
        call = _HASHES.get(field.kind, whole).format(place) + ";"
    if not field.repeated:
        return [call]
    return [
        f"for (pb_size_t i = 0; i < m->{name}_count; i++) {call}",
        f"sb_hash_count(&fw_sum, m->{name}_count);",
    ]
