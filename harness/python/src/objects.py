"""Objects of generated classes: made of the value tree, before the clock runs, and walked by a table."""

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

Make = Callable[[Any], Any]


class Classes:
    """The generated classes of one document."""

    def __init__(self, core: Any, module: ModuleType, table: Path) -> None:
        stated = json.loads(table.read_bytes())
        shapes: list[Any] = []
        self._makers: list[Make] = []
        for shape in stated["shapes"]:
            kind = shape[0]
            if kind == "message":
                fields = tuple(tuple(field) for field in shape[1])
                shapes.append((kind, fields))
                of = dict if stated["items"] else getattr(module, shape[2])
                self._makers.append(self._message(of, fields, stated["by_key"]))
            elif kind in _MAKERS:
                shapes.append((kind, shape[1]))
                self._makers.append(_MAKERS[kind](self._makers[shape[1]]))
            else:
                shapes.append(("scalar",))
                self._makers.append(_double if kind == "double" else _same)
        walked = [_tuples(shape) for shape in stated["walked"]] if "walked" in stated else shapes
        self.walker: Any = core.Walker(walked, module.absent, stated["fields_set"], stated["items"])

    def make(self, tree: Any) -> Any:
        """The object of a value tree."""
        return self._makers[-1](tree)

    def _message(self, of: Callable[..., Any], fields: tuple[Any, ...], by_key: bool) -> Make:
        """`by_key` says whether the class takes values by their keys, and not by the attributes' names."""
        known = {key: (key if by_key else name, self._makers[place]) for key, name, place, _ in fields}

        def make(tree: Any) -> Any:
            if tree is None:
                return None
            return of(**{known[key][0]: known[key][1](value) for key, value in tree.items()})

        return make


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _same(tree: Any) -> Any:
    return tree


def _double(tree: Any) -> Any:
    return None if tree is None else float(tree)


def _list(inner: Make) -> Make:
    return lambda tree: None if tree is None else [inner(each) for each in tree]


def _map(inner: Make) -> Make:
    return lambda tree: None if tree is None else {key: inner(each) for key, each in tree.items()}


def _entries(inner: Make) -> Make:
    """A map as the list of its entries."""
    return lambda tree: (
        None if tree is None else [{"key": key, "value": inner(each)} for key, each in tree.items()]
    )


def _boxed(inner: Make) -> Make:
    """What may be null, where a field's null says that it is absent."""
    return lambda tree: {"value": inner(tree)}


_MAKERS: dict[str, Callable[[Make], Make]] = {
    **{"list": _list, "map": _map, "entries": _entries, "boxed": _boxed},
}
