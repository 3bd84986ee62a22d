"""A message that was made of bytes."""

from serbench_document import root

read = root.FromString
write = root.SerializeToString
