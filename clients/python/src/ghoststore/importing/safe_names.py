"""Names of files inside an export."""

from __future__ import annotations

from .errors import SourceError
from .notes import printable


def safe_name(name: str, place: str) -> str:
    """Returns the path of a file in the export, with slashes. Raises SourceError if it leads out of the export."""
    parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".")]
    is_absolute = name.startswith(("/", "\\")) or name[1:2] == ":"
    if is_absolute or ".." in parts or "\0" in name or not parts:
        raise SourceError(place, f"a path leads out of the export: {printable(name)}")
    return "/".join(parts)
