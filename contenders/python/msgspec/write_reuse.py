"""One encoder for all documents, which its manual recommends."""

from msgspec.json import Encoder

write = Encoder().encode
