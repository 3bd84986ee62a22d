"""Plans nanopb's structures of fixed size for a document's schema, and writes the walk over them."""

import shutil
from typing import Any

import msgspec
from contenders.c.nanopb.generate import PACKAGE, c_name, own_name, proto_of, walk
from harness.firmware.build import version_of

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Message, Schema

GENERATORS = ("nanopb_generator", "nanopb_generator.py")
HEAD = """\
#include <firmware.h>

#include "message.pb.h"

#define walk_bool(value) sb_hash_bool(&fw_sum, value)
#define walk_int32(value) sb_hash_i64(&fw_sum, value)
#define walk_int64(value) sb_hash_i64(&fw_sum, value)
#define walk_uint32(value) sb_hash_u64(&fw_sum, value)
#define walk_uint64(value) sb_hash_u64(&fw_sum, value)
#define walk_float(value) sb_hash_f64(&fw_sum, (double)(value))
#define walk_string(text) sb_hash_str(&fw_sum, text, strlen(text))
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """With the distribution's generator. Raises BuildFailed where that is not installed."""
    generator = next((found for name in GENERATORS if (found := shutil.which(name))), None)
    if generator is None:
        raise BuildFailed("there is no nanopb_generator")
    assert request.data is not None
    lowered = lower(schema)
    files = {
        "message.proto": proto_of(schema),
        "message.options": options(lowered, request.data.tree),
        "walk.c": source(lowered),
    }
    step = [generator, "-q", "-D", OUT, "-I", OUT, f"{OUT}/message.proto"]
    planned = files_recipe(request, files, [step], ["message.pb.h", "message.pb.c"])
    return msgspec.structs.replace(planned, inputs=[*planned.inputs, version_of((generator, "--version"))])


def source(lowered: Schema) -> str:
    """Functions that hash the messages, and what nanopb_static.c knows of them."""
    root = lowered.root.message
    lines = [
        HEAD,
        f"static {c_name(root)} message;",
        f"const pb_msgdesc_t *const fw_message_fields = {c_name(root)}_fields;",
        "void *const fw_message = &message;",
        "const size_t fw_message_size = sizeof message;",
        "",
    ]
    for message in lowered.messages:
        lines += [*walk(message, lambda field: f"from->has_{own_name(field)}", "&fw_sum"), ""]
    return "\n".join([*lines, f"void fw_message_walk(void) {{ walk_{root}(&message); }}", ""])


def options(lowered: Schema, tree: Any) -> str:
    """The sizes that make every field of a message one of fixed size.

    No schema has them, so the document is looked through for its longest texts and lists.
    """
    messages = lowered.by_name
    texts: dict[str, int] = {}
    counts: dict[str, int] = {}

    def look(message: Message, value: Any) -> None:
        for field in message.fields:
            part, inner = _part(message, field, value), field.type.of or field.type
            place = _place(message, field)
            if part is None:
                continue
            each = [part] if field.type.of is None else [*(part.items() if isinstance(part, dict) else part)]
            counts[place] = max(counts.get(place, 1), len(each))
            if inner.kind == "string":
                texts[place] = max(texts.get(place, 0), *(len(text.encode()) for text in each), 0)
            for one in each if inner.message else ():
                look(messages[inner.message], one)

    look(messages[lowered.root.message], tree)
    lines = []
    for message in lowered.messages:
        for field in message.fields:
            place = _place(message, field)
            text = (field.type.of or field.type).kind == "string"
            sizes = [f"max_size:{texts.get(place, 0) + 1}"] if text else []
            sizes += [f"max_count:{counts.get(place, 1)}"] if field.type.of is not None else []
            lines += [f"{place} {' '.join(sizes)}"] if sizes else []
    return "\n".join([*lines, ""])


def _place(message: Message, field: Field) -> str:
    return f"{PACKAGE}.{message.name}.{own_name(field)}"


def _part(message: Message, field: Field, value: Any) -> Any:
    """What stands in a field where the message stands for `value`; None for nothing."""
    if message.role == "":
        return value.get(field.key)
    return value[field.name == "value"] if message.role == "entry" else value
