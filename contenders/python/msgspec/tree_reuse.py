"""One decoder for all documents, which its manual recommends."""

from msgspec.json import Decoder

read = Decoder().decode
