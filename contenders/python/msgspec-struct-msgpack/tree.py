"""One decoder for all documents, which makes the Structs."""

from msgspec.msgpack import Decoder
from serbench_document import root

read = Decoder(root).decode
