"""Run the target that the first argument names under atheris; the other arguments are libFuzzer's."""

import importlib
import sys
from random import Random

import atheris

from tests.fuzz.json_mutator import mutated

with atheris.instrument_imports(include=["serbench"]):
    target = importlib.import_module(sys.argv.pop(1))


def change(data: bytes, longest: int, seed: int) -> bytes:
    """Change `data` as JSON, and now and then, or where it is none, as bytes."""
    made = mutated(data, Random(seed))
    return made if made is not None and len(made) <= longest else atheris.Mutate(data, longest)


atheris.Setup(sys.argv, target.run, custom_mutator=change)
atheris.Fuzz()
