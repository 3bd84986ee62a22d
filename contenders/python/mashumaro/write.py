"""One encoder for all documents, which makes dicts for orjson."""

from mashumaro.codecs.orjson import ORJSONEncoder
from serbench_document import root

write = ORJSONEncoder(root).encode
