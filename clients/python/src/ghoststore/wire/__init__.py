"""The part of protobuf that the protocol uses, for the classes of ``ghoststore.model``."""

from .decoding import decode, read_field
from .encoding import Encoded, encode
from .fields import Field, Kind, Model, accept_text, describe, described_models, plan_of
from .varints import MalformedBytes, write_varint

__all__ = [
    "Encoded",
    "Field",
    "Kind",
    "MalformedBytes",
    "Model",
    "accept_text",
    "decode",
    "describe",
    "described_models",
    "encode",
    "plan_of",
    "read_field",
    "write_varint",
]
