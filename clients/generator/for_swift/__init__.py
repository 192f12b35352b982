"""Writes what is generated of StoreClient."""
