"""Writes the schema for thriftpy2, which makes classes of it, and what fills objects of these."""

from formats.schemas import thrift
from harness.python.thrift import files

from serbench.build.contract import Recipe, Request
from serbench.build.records import BuildFailed
from serbench.schemas.generator import files_recipe
from serbench.schemas.model import Schema

_CLASSES = f"""\
import pathlib
import thriftpy2
thrifted = thriftpy2.load(str(pathlib.Path(__file__).with_name("{thrift.FILE}")), module_name="data_thrift")
"""


def recipe(schema: Schema, request: Request) -> Recipe:
    """Nothing but texts: there is no compiler."""
    if said := thrift.refusal(schema):
        raise BuildFailed(said, unsupported=True)
    return files_recipe(request, {thrift.FILE: thrift.emit(schema), **files(schema, _CLASSES)}, [], [])
