"""The build program of a harness: a function that plans how a thing is built."""

import contextlib
import importlib
import importlib.util
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from serbench.build.contract import Answer, Request, checked
from serbench.build.records import BuildFailed
from serbench.project import ROOT

Program = Callable[[Request], Answer]
NAME = "build"
"""The module `build.py`, or the package `build/`, of a harness's folder."""
_programs: dict[Path, Program] = {}
_lock = threading.RLock()
"""Programs keep what compilers say of themselves, and are not asked by two threads at a time."""


def ask(request: Request) -> Answer:
    """The plan of the harness's program for `request`.

    Raises BuildFailed for a refusal, and if the program fails: then with one sentence that names the file and
    the line, and the traceback as the output.
    """
    try:
        with _lock:
            return checked(_program(request.harness)(request))
    except BuildFailed:
        raise
    except Exception as error:
        # The last place in the harness itself says more than one in a library.
        frames = traceback.extract_tb(error.__traceback__)
        own = [each for each in frames if Path(each.filename).is_relative_to(request.root / "harness")]
        last = (own or frames)[-1]
        place = Path(last.filename)
        with contextlib.suppress(ValueError):
            place = place.relative_to(request.root)
        says = str(error).partition("\n")[0]
        raise BuildFailed(
            f"the build program failed at {place}:{last.lineno}: {type(error).__name__}: {says}",
            traceback.format_exc(),
        ) from error


def _program(harness: Path) -> Program:
    """The function `answer` of a harness's folder."""
    if harness not in _programs:
        if harness.parent == ROOT / "harness":
            module: Any = importlib.import_module(f"harness.{harness.name}.{NAME}")
        else:
            spec = importlib.util.spec_from_file_location(f"build_{harness.name}", harness / f"{NAME}.py")
            assert spec is not None and spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
        _programs[harness] = module.answer
    return _programs[harness]


if str(ROOT) not in sys.path:  # What a harness's files import of each other begins with `harness`.
    sys.path.append(str(ROOT))
