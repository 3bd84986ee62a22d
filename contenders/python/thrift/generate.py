"""Plans thrift's classes for a schema, with what fills their objects from a program's own."""

from formats.schemas import thrift
from harness.python.thrift import files

from serbench.build.contract import Recipe, Request
from serbench.schemas.model import Schema


def recipe(schema: Schema, request: Request) -> Recipe:
    """A package of the name of the file."""
    own = files(schema, "import data.ttypes as thrifted")
    return thrift.recipe(schema, request, "py", own, [f"data/{name}.py" for name in ("__init__", "ttypes")])
