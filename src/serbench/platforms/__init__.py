"""Rows on other processors: counted on emulated Linux and microcontrollers, timed by real boards."""
