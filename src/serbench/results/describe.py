"""The records of a run file described for other programs: as a JSON Schema, and as tables of Markdown.

A field is described by its type, its default, and the docstring behind it.
`python -m serbench.results.describe` writes docs/results-schema.json, and the tables of
docs/results-schema.md and docs/metrics.md.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from serbench.project import ROOT
from serbench.results.counts import Count
from serbench.results.metric import Metric
from serbench.results.metrics import METRICS
from serbench.results.platform_metrics import PLATFORM_METRICS
from serbench.results.schema import Run

BEGIN, END = "<!-- begin of what `python -m serbench.results.describe` writes -->", "<!-- end -->"
COMMAND = "PYTHONPATH=src .venv/bin/python -m serbench.results.describe"
Schema = dict[str, Any]


@cache
def _docstrings(module: str) -> dict[tuple[str, str], str]:
    """Return the docstrings of the fields of a module's classes, by class and field."""
    source = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    found = {}
    for of in ast.parse(source).body:
        if not isinstance(of, ast.ClassDef):
            continue
        for field, behind in zip(of.body, of.body[1:], strict=False):
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                said = behind.value if isinstance(behind, ast.Expr) else None
                if isinstance(said, ast.Constant) and isinstance(said.value, str):
                    found[of.name, field.target.id] = " ".join(said.value.split())
    return found


def said_of(record: type, field: str) -> str:
    """Return the docstring of a field of `record` or of the record that it extends; empty without one.

    What Python calls None is null in a file.
    """
    said = (_docstrings(base.__module__).get((base.__name__, field), "") for base in record.__mro__[:-2])
    return re.sub(r"\bNone\b", "null", next(filter(None, said), ""))


def _records(of: type, found: dict[str, type]) -> dict[str, type]:
    """Return `of` and all records that its fields lead to, in the order in which they are met."""
    if of.__name__ not in found:
        found[of.__name__] = of
        for field in msgspec.inspect.type_info(of).fields:  # type: ignore[attr-defined]
            for each in _structs(field.type):
                _records(each, found)
    return found


def _structs(of: msgspec.inspect.Type) -> Iterator[type]:
    match of:
        case msgspec.inspect.StructType(cls=record):
            yield record
        case msgspec.inspect.UnionType(types=parts) | msgspec.inspect.TupleType(item_types=parts):
            for part in parts:
                yield from _structs(part)
        case msgspec.inspect.ListType(item_type=part) | msgspec.inspect.DictType(value_type=part):
            yield from _structs(part)


def records() -> dict[str, type]:
    """Return the records of run files by their names: the outermost first, that of version 1 last."""
    return _records(Run, {}) | {"Count": Count}


def json_schema() -> Schema:
    """Return the JSON Schema of a run file, with what is said of records and fields."""
    (run, _), defs = msgspec.json.schema_components([Run, Count], ref_template="#/$defs/{name}")
    for name, record in records().items():
        defs[name]["description"] = " ".join((record.__doc__ or "").replace("None", "null").split())
        for field, schema in defs[name]["properties"].items():
            if said := said_of(record, field):
                schema["description"] = said
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **run, "$defs": defs}


# ---------------------------------------------------------------- Markdown


def _code(value: object) -> str:
    return f"`{value}`"


def _type(schema: Schema) -> str:
    """Return a type in words; null is no part of them."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        *others, last = [_code(value) if value else "empty" for value in schema["enum"]]
        return f"{', '.join(others)} or {last}" if others else last
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_type(part) for part in schema["anyOf"]))
    names = {"string": "text", "boolean": "true or false"}
    name = names.get(schema["type"], str(schema["type"]))
    if "prefixItems" in schema:
        return f"[{', '.join(_type(part) for part in schema['prefixItems'])}]"
    if "items" in schema:
        return f"list of {_type(schema['items'])}"
    if "additionalProperties" in schema:
        return f"map of text to {_type(schema['additionalProperties'])}"
    return name


def _default(schema: Schema) -> str:
    if "default" not in schema:
        return "required"
    value = schema["default"]
    if value is None or value == [] or value == {}:
        return ""
    return "empty" if value == "" else _code(json.dumps(value).strip('"'))


def _table(heads: list[str], rows: list[list[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def records_page() -> str:
    """Return a section of Markdown for each record, with a table of its fields."""
    parts = []
    for name, schema in json_schema()["$defs"].items():
        rows = [
            [_code(field), _type(of), _default(of), of.get("description", "")]
            for field, of in schema["properties"].items()
        ]
        heads = ["field", "type", "default", "meaning"]
        parts += [f"### {name}", schema["description"], _table(heads, rows)]
    return "\n\n".join(parts)


def metrics_page() -> str:
    """Return the table of all metrics as Markdown."""
    own = [metric for metric in PLATFORM_METRICS if all(metric.id != other.id for other in METRICS)]
    heads = ["metric", "column", "field", "unit", "meaning"]
    return _table(heads, [_metric(metric) for metric in (*METRICS, *own)])


def _metric(metric: Metric) -> list[str]:
    units = {"time": metric.unit, "rate": "MB/s", "bytes": "bytes", "count": "-"}
    unit = units.get(metric.kind, "part" if metric.unit else "-")
    meaning = metric.meaning.format(one="iteration", threshold="the run's threshold")
    field = ", ".join(map(_code, metric.fields)) or "-"
    linked = f"[{metric.name}]({metric.section})"
    return [linked, metric.title or metric.short, field, unit, meaning]


def pages() -> dict[Path, str]:
    """Return the files of docs/ that describe records and metrics, as they should be."""
    docs = ROOT / "docs"
    made = {docs / "results-schema.json": json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"}
    for name, part in (("results-schema.md", records_page()), ("metrics.md", metrics_page())):
        before, _, rest = (docs / name).read_text(encoding="utf-8").partition(BEGIN)
        made[docs / name] = f"{before}{BEGIN}\n\n{part}\n\n{END}{rest.partition(END)[2]}"
    return made


if __name__ == "__main__":
    for path, content in pages().items():
        path.write_text(content, encoding="utf-8")
