"""One encoder for all documents."""

from msgspec.msgpack import Encoder

write = Encoder().encode
