"""Writes a schema for thrift: reads the schema's JSON from standard input (src/serbench/schemas/model.py)."""

import re
import sys
from collections.abc import Callable, Mapping, Sequence

import msgspec

from serbench.build.contract import OUT, Recipe, Request
from serbench.build.records import BuildFailed
from serbench.provision.debian import installed_version
from serbench.schemas.generator import files_recipe, program
from serbench.schemas.lower import lower
from serbench.schemas.model import Field, Kind, Message, Schema, Type
from serbench.schemas.names import collapsed

FILE = "data.thrift"
KINDS: dict[Kind, str] = {
    **{"bool": "bool", "int32": "i32", "int64": "i64", "double": "double", "string": "string"},
}
# The words of languages that its compiler refuses as names, as far as serbench.schemas.names lets them
# stand ...
_WORDS = """
abs alias args assert begin callable clone declare dynamic elsif elseif empty end enddeclare endfor endforeach
endif endswitch endwhile ensure exception exit eval foreach goto inline instanceof log next print redo rescue
retry synchronized undef unless unset until when
"""
# ... and methods and members that its code has in some language, and the packages that it names in Java: a
# field of the name would hide them, or be refused.
_METHODS = "clear compareto deepcopy equals hashcode java org parent read string tostring validate write"
_REFUSED = frozenset(f"{_WORDS} {_METHODS}".split())
_ACCESSOR = re.compile(r"(get|set|unset|is_set|count_set)_")


def refusal(schema: Schema) -> str:
    """The first place that Thrift cannot have, and why; empty if it can have all."""
    beyond = (place for place, kind, _ in schema.places() if kind.kind == "uint64")
    return next((f"{place}: Thrift has no integer of 64 bits without a sign" for place in beyond), "")


def signed(schema: Schema) -> Schema:
    """The lowered schema with i64 for what has 32 bits and no sign, since Thrift has no such integers."""
    lowered = lower(schema)
    messages = [
        msgspec.structs.replace(
            message,
            fields=[msgspec.structs.replace(field, type=_signed(field.type)) for field in message.fields],
        )
        for message in lowered.messages
    ]
    return msgspec.structs.replace(lowered, messages=messages)


def _signed(kind: Type) -> Type:
    if kind.of is not None:
        return msgspec.structs.replace(kind, of=_signed(kind.of))
    return msgspec.structs.replace(kind, kind="int64") if kind.kind == "uint32" else kind


def names(message: Message) -> list[str]:
    """How the fields are named: as the schema has it, without what is refused."""
    taken = {collapsed(field.name) for field in message.fields}
    return [_own(field.name, taken) if _is_refused(field.name) else field.name for field in message.fields]


def _is_refused(name: str) -> bool:
    return collapsed(name) in _REFUSED or _ACCESSOR.match(name) is not None


def _own(name: str, taken: set[str]) -> str:
    own = f"its_{name}"
    return _own(own, taken) if collapsed(own) in taken else own


def emit(schema: Schema, namespace: str = "") -> str:
    """The text of a .thrift file with the structs of the lowered schema; the root's comes last."""
    return text(signed(schema), namespace)


def text(lowered: Schema, namespace: str = "") -> str:
    """The same of what `signed` returned, or of that with other names."""
    lines = [f"namespace {namespace}", ""] if namespace else []
    for message in lowered.messages:
        lines.append(f"struct {message.name} {{")
        for number, (field, name) in enumerate(zip(message.fields, names(message), strict=True), start=1):
            lines.append(f"  {number}: {_kind(field)} {name}")
        lines += ["}", ""]
    return "\n".join(lines)


def _kind(field: Field) -> str:
    kind = field.type.of or field.type
    name = kind.message or KINDS[kind.kind]
    if field.type.of is not None:
        name = f"list<{name}>"
    return f"{'optional' if may_lack(field) else 'required'} {name}"


def may_lack(field: Field) -> bool:
    """Whether a field is optional, which says in Thrift that it may be absent and that it may be null."""
    return field.optional or field.type.nullable


def recipe(
    schema: Schema,
    request: Request,
    generator: str,
    files: Mapping[str, str],
    made: Sequence[str],
    namespace: str = "",
    further: Sequence[Sequence[str]] = (),
    renamed: Callable[[Schema], Schema] = lambda lowered: lowered,
) -> Recipe:
    """Plans what the distribution's compiler makes by a generator of its own, and what is done to it then.

    `generator` is as the compiler takes it, such as `java:beans`. `renamed` gives other names to the messages
    of the lowered schema. Raises BuildFailed, with the place, for what Thrift cannot have.
    """
    if said := refusal(schema):
        raise BuildFailed(said, unsupported=True)
    step = [program(request, "thrift"), "--gen", generator, "-out", OUT, f"{OUT}/{FILE}"]
    written = text(renamed(signed(schema)), namespace)
    plan = files_recipe(request, {FILE: written, **files}, [step, *further], made)
    version = installed_version("thrift-compiler") or ""
    return msgspec.structs.replace(plan, inputs=[*plan.inputs, version])


if __name__ == "__main__":
    given = msgspec.json.decode(sys.stdin.buffer.read(), type=Schema)
    if said := refusal(given):
        raise SystemExit(said)
    sys.stdout.write(emit(given))
