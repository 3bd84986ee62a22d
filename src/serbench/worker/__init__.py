"""Speaking to one child process in JSON lines (docs/protocol.md)."""
