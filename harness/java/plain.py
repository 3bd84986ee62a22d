"""Writes the plain classes of a program whose library has classes of its own, which a compiler makes.

They have List and Map, and an Optional where a field may be absent and may be null.
"""

from collections.abc import Callable, Container, Iterator

import msgspec
from harness.java.schema import HASHES, MAKERS, MOST_FIELDS, TYPES, quoted

from serbench.schemas.model import Field, Kind, Message, Schema, Type

TYPES_HERE: dict[Kind, tuple[str, str]] = {**TYPES, "uint64": ("long", "Long")}
"""The bits of an integer without a sign are a long, as in these libraries' own classes."""


class PlainClasses:
    """Writes those for a lowered schema, whose messages with a role are what they stand for."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.messages = schema.by_name

    def code(self, *further: Callable[[Message], Iterator[str]]) -> Iterator[str]:
        """The classes, what `further` writes for each message, and what makes the root's plain object."""
        for message in self.schema.messages:
            if not message.role:
                yield from self.class_of(message)
                yield from self.plain(message)
            for each in further:
                yield from each(message)
        yield "  /** Makes the objects of a value tree. */"
        made = self.made(self.schema.root, "tree")
        yield f"  static Object plain(Object tree) {{\n    return {made};\n  }}\n"

    def names(self, message: Message) -> list[str]:
        """How the methods of the library's class name the fields."""
        return [pascal(field) for field in message.fields]

    def parts(self, message: Message) -> list[list[tuple[Field, str]]]:
        """The fields with these names, by the methods that handle them."""
        fields = list(zip(message.fields, self.names(message), strict=True))
        starts = range(0, max(len(fields), 1), MOST_FIELDS)
        return [fields[start : start + MOST_FIELDS] for start in starts]

    def type_of(self, kind: Type, boxed: bool = True) -> str:
        """The plain type of a value."""
        if kind.of is not None:
            entry = self.entry(kind)
            return f"Map<String, {self.type_of(entry)}>" if entry else f"List<{self.type_of(kind.of)}>"
        if not kind.message:
            return TYPES_HERE[kind.kind][boxed or kind.nullable]
        message = self.messages[kind.message]
        return self.type_of(message.fields[0].type) if message.role else message.name

    def source(self, message: Message) -> str:
        """The plain type that a message is filled from; of a map's entry that of its value."""
        kind = Type(kind="message", message=message.name)
        return self.type_of(message.fields[1].type if message.role == "entry" else kind)

    def field_type(self, field: Field) -> str:
        """The plain type of a field."""
        inner = self.type_of(field.type, field.optional)
        return f"java.util.Optional<{inner}>" if self.is_both(field) else inner

    def is_both(self, field: Field) -> bool:
        """Whether it may be absent and may be null."""
        wrapper = self.messages.get(field.type.message)
        return field.optional and wrapper is not None and wrapper.role == "null"

    def entry(self, kind: Type) -> Type | None:
        """The type of a map's values, of a list that stands for one."""
        message = self.messages.get(kind.of.message) if kind.of is not None else None
        return message.fields[1].type if message is not None and message.role == "entry" else None

    def made(self, kind: Type, value: str) -> str:
        """What makes the plain value of a value tree's."""
        inner = f"{value}Of"
        if entry := self.entry(kind):
            return f"serbench.Plain.map({value}, {inner} -> {self.made(entry, inner)})"
        if kind.of is not None:
            return f"serbench.Plain.list({value}, {inner} -> {self.made(kind.of, inner)})"
        if kind.message:
            message = self.messages[kind.message]
            role = message.role
            return self.made(message.fields[0].type, value) if role else f"plain{message.name}({value})"
        return f"serbench.Plain.{'bits' if kind.kind == 'uint64' else MAKERS[kind.kind]}({value})"

    def class_of(self, message: Message) -> Iterator[str]:
        """The class of a message that has no role."""
        yield f"  public static final class {message.name} {{"
        for field in message.fields:
            yield f"    public {self.field_type(field)} {field.name};"
        yield "  }\n"

    def plain(self, message: Message) -> Iterator[str]:
        """The method that makes its objects of the value tree, before the clock runs."""
        name = message.name
        yield f"  private static {name} plain{name}(Object tree) {{"
        yield f"    if (tree == null) {{\n      return null;\n    }}\n    {name} made = new {name}();"
        yield "    for (Map.Entry<?, ?> entry : ((Map<?, ?>) tree).entrySet()) {"
        yield f"      set{name}_0(made, (String) entry.getKey(), entry.getValue());"
        yield "    }\n    return made;\n  }\n"
        parts = self.parts(message)
        for number, fields in enumerate(parts):
            yield f"  private static void set{name}_{number}({name} made, String key, Object value) {{"
            yield "    switch (key) {"
            for field, _ in fields:
                made = self.made(field.type, "value")
                made = f"java.util.Optional.ofNullable({made})" if self.is_both(field) else made
                yield f"      case {quoted(field.key)} -> made.{field.name} = {made};"
            otherwise = f"set{name}_{number + 1}(made, key, value)"
            last = "throw new IllegalArgumentException(key)"
            yield f"      default -> {last if number == len(parts) - 1 else otherwise};\n    }}\n  }}\n"

    def fill(self, message: Message, held: str, put: Callable[[Type, str, str], list[str]]) -> Iterator[str]:
        """The methods `fillNAME0` and on, which fill a `held`, the library's, from the message's plain value.

        `put` writes what gives the field of this type and name a plain value that is there. The key of an
        entry is left out.
        """
        kind = self.source(message)
        for number, fields in enumerate(self.parts(message)):
            yield f"  private static void fill{message.name}{number}({held} to, {kind} from) {{"
            for field, own in fields[message.role == "entry" and number == 0 :]:
                value = "from" if message.role else f"from.{field.name}"
                lines = put(field.type, own, f"{value}.orElse(null)" if self.is_both(field) else value)
                if field.optional or field.type.nullable:
                    lines = [f"    if ({value} != null) {{", *indented(lines), "    }"]
                yield from lines
            yield "  }\n"

    def walk(
        self, message: Message, made: str, there: str, value: Callable[[Field, str], list[str]]
    ) -> Iterator[str]:
        """The method that hashes keys and values in their order, then their number.

        If a message has a role, it hashes only the values. `made` is the library's class, `there` the call
        that tells whether the field `{}` is there, and `value` writes what hashes a field's value.
        """
        name, parts = message.name, self.parts(message)
        yield f"  private static void walk{name}({made} from, Hash hash) {{"
        if message.role:
            for field, own in parts[0]:
                yield from value(field, own)
            yield "  }\n"
            return
        calls = " + ".join(f"walk{name}_{number}(from, hash)" for number in range(len(parts)))
        yield f"    hash.count({calls});\n  }}\n"
        for number, fields in enumerate(parts):
            yield f"  private static int walk{name}_{number}({made} from, Hash hash) {{"
            yield f"    int count = {sum(not field.optional for field, _ in fields)};"
            for field, own in fields:
                lines = [f"    hash.string({quoted(field.key)});", *value(field, own)]
                if field.optional:
                    is_there = f"    if (from.{there.format(own)}) {{"
                    lines = [is_there, "      count++;", *indented(lines), "    }"]
                yield from lines
            yield "    return count;\n  }\n"


def hashed(kind: Type, there: str) -> str:
    """The statement that hashes a value that is no list and has the kind's own Java type."""
    if kind.message:
        return f"walk{kind.message}({there}, hash);"
    if kind.kind == "uint64":
        return f"hash.unsigned({there});"
    return f"hash.{HASHES[kind.kind]}({'(long) ' if kind.kind == 'int32' else ''}{there});"


def hashed_bits(kind: Type, there: str) -> str:
    """The same where an integer of 32 bits without a sign has the bits of an int."""
    if kind.kind == "uint32":
        return f"hash.integer(Integer.toUnsignedLong({there}));"
    return hashed(kind, there)


def narrowed(kind: Type, value: str) -> str:
    """A plain value that is no message, as a setter takes it: the same int has the bits."""
    return f"(int) (long) {value}" if kind.kind == "uint32" else value


def renamed(schema: Schema, taken: Callable[[Message], Container[str]]) -> Schema:
    """The schema with its number behind the name of each field whose name is in `taken` of its message."""
    messages = []
    for message in schema.messages:
        names = taken(message)
        fields = [
            msgspec.structs.replace(field, name=f"{field.name}_{number}") if field.name in names else field
            for number, field in enumerate(message.fields, start=1)
        ]
        messages.append(msgspec.structs.replace(message, fields=fields))
    return msgspec.structs.replace(schema, messages=messages)


def indented(lines: list[str]) -> list[str]:
    """One step further to the right."""
    return [f"  {line}" for line in lines]


def pascal(field: Field) -> str:
    """The field's name with a capital for each word."""
    return "".join(word.capitalize() for word in field.name.split("_"))
