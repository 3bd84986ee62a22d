"""Writes a schema for Avro's library in C, which parses it when the program starts."""

from formats.schemas import avsc

from serbench.build.contract import Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.model import Schema


def recipe(schema: Schema, request: Request) -> Recipe:
    """Nothing but the text, as numbers: C compilers may refuse long string literals."""
    if said := avsc.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    data = avsc.emit(schema).encode()
    rows = [", ".join(map(str, data[start : start + 24])) for start in range(0, len(data), 24)]
    lines = ["static const char avsc[] = {", *(f"    {row}," for row in rows), "};", ""]
    return files_recipe(request, {"avsc.inc": "\n".join(lines)}, [], [])
