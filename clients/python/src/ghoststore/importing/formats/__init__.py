"""The formats. Each module of this package whose name does not begin with an underscore is a format with this name."""

from __future__ import annotations

import importlib
import pkgutil

from ..reading import Format


def format_names() -> list[str]:
    """Returns the names of the formats."""
    return sorted(one.name for one in pkgutil.iter_modules(__path__) if not one.name.startswith("_"))


def format_named(name: str) -> Format:
    """Returns a format. Raises KeyError if there is none with this name."""
    if name not in format_names():
        raise KeyError(name)
    found: Format = importlib.import_module(f"{__name__}.{name}").FORMAT
    return found


def all_formats() -> dict[str, Format]:
    """Returns all formats by name."""
    return {name: format_named(name) for name in format_names()}
