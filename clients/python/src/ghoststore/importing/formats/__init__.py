"""The formats. Each module of this package whose name does not begin with an underscore has a FORMAT."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from ..reading import Format


@cache
def all_formats() -> dict[str, Format]:
    """Returns the formats by name."""
    names = sorted(one.name for one in pkgutil.iter_modules(__path__) if not one.name.startswith("_"))
    formats: list[Format] = [importlib.import_module(f"{__name__}.{name}").FORMAT for name in names]
    return {one.name: one for one in sorted(formats, key=lambda one: one.name)}
