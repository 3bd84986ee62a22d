"""Writes the plain structs of a lowered schema as Go, for formats that have a compiler of their own."""

from collections.abc import Iterator

from harness.go.schema import TYPES, quoted

from serbench.schemas import generator
from serbench.schemas.model import Message, Schema, Type


class PlainStructs:
    """Structs as a program would have them: messages with a role are what they stand for.

    A subclass says in `names` how the fields of a message are named, as its compiler names them.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.messages = schema.by_name

    def names(self, message: Message) -> list[str]:
        """The names of the fields of `message`."""
        raise NotImplementedError

    def type_of(self, kind: Type) -> str:
        """The plain type of a value."""
        if kind.nullable:
            return f"*{self.type_of(kind.given)}"
        if kind.of is not None:
            return f"[]{self.type_of(kind.of)}"
        if not kind.message:
            return TYPES[kind.kind]
        message = self.messages[kind.message]
        return f"plain{message.name}" if is_named(message) else self.type_of(message.fields[0].type)

    def maker(self, kind: Type) -> str:
        """The function that makes the plain type of a value of the value tree."""
        if kind.nullable:
            return f"serbench.Pointer({self.maker(kind.given)})"
        if kind.of is not None:
            entry = kind.of.message and self.messages[kind.of.message].role == "entry"
            return f"serbench.{'EntriesOf' if entry else 'List'}({self.maker(kind.of)})"
        if kind.message:
            message = self.messages[kind.message]
            return f"make{message.name}" if is_named(message) else self.maker(message.fields[0].type)
        named_as = {"bool": "Bool", "string": "Text", "double": "Double"}.get(kind.kind)
        return f"serbench.{named_as or f'Integer[{TYPES[kind.kind]}]'}"

    def struct(self, message: Message) -> Iterator[str]:
        """A struct, and what makes it of the value tree; nothing for another message with a role."""
        if not is_named(message):
            return
        fields = list(zip(message.fields, self.names(message), strict=True))
        yield f"type plain{message.name} struct {{"
        for field, name in fields:
            yield f"\t{name} {'*' if field.optional else ''}{self.type_of(field.type)}"
        yield "}\n"
        if message.role == "entry":
            value = self.maker(message.fields[1].type)
            yield f"func make{message.name}(member serbench.Member) plain{message.name} {{"
            yield f"\treturn plain{message.name}{{Key: member.Key, Value: {value}(member.Value)}}\n}}\n"
            return
        yield f"func make{message.name}(tree any) (made plain{message.name}) {{"
        yield "\tfor _, member := range tree.(serbench.Map) {\n\t\tswitch member.Key {"
        for field, name in fields:
            made = self.maker(field.type)
            made = f"serbench.Given({made})" if field.optional else made
            yield f"\t\tcase {quoted(field.key)}:\n\t\t\tserbench.Put(&made.{name}, {made}, member.Value)"
        yield "\t\t}\n\t}\n\treturn made\n}\n"


def is_named(message: Message) -> bool:
    """Whether there is a struct of this message: one of the data, or an entry of a map."""
    return message.role in ("", "entry")


def indented(lines: list[str]) -> list[str]:
    """Lines of code, one step further to the right."""
    return generator.indented(lines, "\t")
