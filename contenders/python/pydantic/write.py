"""The models, with their aliases and without what was not set."""

from functools import partial

from pydantic import TypeAdapter
from serbench_document import root

write = partial(TypeAdapter(root).dump_json, by_alias=True, exclude_unset=True)
