"""The protocol without input and output: bytes in, events out. Both halves of the package use it."""
