"""One encoder for all documents, which its manual recommends."""

from msgspec.msgpack import Encoder

write = Encoder().encode
