"""Converts values of scenes to Python values, and back without loss."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Union

from .model import SceneArray, SceneDictionary, SceneDictionaryEntry, SceneValue
from .times import from_microseconds, to_microseconds


class Url(str):
    """A string that is a URL."""


class SingleFloat(float):
    """A number with 32 bits."""


# The items of lists and dictionaries are of the same type again, which mypy cannot express.
PythonValue = Union[str, bool, int, float, bytes, datetime, "list[PythonValue]", "dict[str, PythonValue]", SceneValue]


def to_scene_value(value: object) -> SceneValue:
    """Converts a Python value to a value of a scene. A `datetime` needs a time zone."""
    if isinstance(value, SceneValue):
        return value
    if isinstance(value, bool):
        return SceneValue(boolean=value)
    if isinstance(value, int):
        return SceneValue(integer=value)
    if isinstance(value, float):
        return SceneValue(float=value) if isinstance(value, SingleFloat) else SceneValue(double=value)
    if isinstance(value, str):
        return SceneValue(url=str(value)) if isinstance(value, Url) else SceneValue(string=value)
    if isinstance(value, (bytes, bytearray)):
        return SceneValue(data=bytes(value))
    if isinstance(value, datetime):
        return SceneValue(date_microseconds=to_microseconds(value))
    if isinstance(value, (list, tuple)):
        return SceneValue(array=SceneArray(values=tuple(to_scene_value(one) for one in value)))
    if isinstance(value, Mapping):
        entries = (SceneDictionaryEntry(key=key, value=to_scene_value(one)) for key, one in value.items())
        return SceneValue(dictionary=SceneDictionary(entries=tuple(entries)))
    raise TypeError(f"a scene holds no {type(value).__name__}")


def from_scene_value(value: SceneValue) -> PythonValue:
    """Converts a value of a scene to a Python value.

    Values without an equivalent in Python stay a `SceneValue`: dates before the year 1, and kinds that this version
    does not know.
    """
    if value.url is not None:
        return Url(value.url)
    if value.float is not None:
        return SingleFloat(value.float)
    if value.date_microseconds is not None:
        try:
            return from_microseconds(value.date_microseconds)
        except OverflowError:
            return value
    if value.array is not None:
        return [from_scene_value(one) for one in value.array.values]
    if value.dictionary is not None:
        return {one.key: from_scene_value(one.value or SceneValue()) for one in value.dictionary.entries}
    for plain in (value.string, value.integer, value.double, value.boolean, value.data):
        if plain is not None:
            return plain
    return value
