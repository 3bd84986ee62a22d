"""serbench: a benchmark of serialization libraries that publishes no number it has not proved."""

__version__ = "0.1.0"
