"""The message of the bytes."""

from serbench_document import root

read = root.FromString
