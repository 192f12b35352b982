"""Writes what is generated of the Python package."""
