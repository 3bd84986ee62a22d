"""Into validated models."""

from pydantic import TypeAdapter
from serbench_document import root

read = TypeAdapter(root).validate_json
