"""The commands, each a few calls of the stages below."""
