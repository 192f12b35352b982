# Written by tools/generate.py from proto-docs; do not edit.
"""Messages of ghoststore/v1/metadata.proto."""

from __future__ import annotations

from dataclasses import dataclass

from ..wire import Field, Kind, Model, describe


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Metadata(Model):
    """Data of the application's own, such as the raw event of a bridge. The daemon stores and returns it, and
    neither interprets nor searches it.

    Attributes:
        data (bytes): 1 to 65,536 bytes. A request with metadata without bytes means no metadata.
        type (str): The media type of the bytes, such as application/json: at most 256 bytes; can be empty. The
            daemon does not check its form.
    """

    data: bytes = b""
    type: str = ""


describe(
    Metadata,
    Field(1, "data", Kind.BYTES),
    Field(2, "type", Kind.STRING),
)
