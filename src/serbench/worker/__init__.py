"""Child processes that end with serbench, and speaking to one in JSON lines (docs/protocol.md)."""
