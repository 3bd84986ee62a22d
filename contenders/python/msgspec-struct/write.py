"""One encoder for all documents."""

from msgspec.json import Encoder

write = Encoder().encode
