"""Writes the generated parts of StoreClient."""
