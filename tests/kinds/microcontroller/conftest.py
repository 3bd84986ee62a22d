"""The microcontrollers and their documents, as for the tests of firmware."""

from tests.firmware.conftest import documents, measure, target

__all__ = ["documents", "measure", "target"]
