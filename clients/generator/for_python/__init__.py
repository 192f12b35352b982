"""Writes the generated parts of the Python package."""
