"""One decoder for all documents, which its manual recommends."""

from msgspec.msgpack import Decoder

read = Decoder().decode
