"""What exists: contenders, formats and harnesses, read from their manifests. Nothing else is read."""
