"""Calibration, schedule, samples, and their statistics."""
