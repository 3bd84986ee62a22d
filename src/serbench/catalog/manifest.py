"""What all manifests have in common.

A manifest is TOML. Its keys are the fields of its record with dashes for underscores. An unknown key is an
error, so that a typing mistake never passes for a default.
"""

import msgspec


class Manifest(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True, kw_only=True):
    """The base of every record read from a manifest."""
