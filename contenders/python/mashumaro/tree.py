"""One decoder for all documents, which makes dataclasses of orjson's dicts."""

from mashumaro.codecs.orjson import ORJSONDecoder
from serbench_document import root

read = ORJSONDecoder(root).decode
