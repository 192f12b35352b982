"""The time zone of `--zone`, or of the machine."""

from __future__ import annotations

import os
import re
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

_OFFSET = re.compile(r"([+-])(\d{2}):?([0-5]\d)")


def zone_named(name: str) -> tzinfo:
    """Returns a zone: "Europe/Berlin", "UTC" or "+02:00". Raises ValueError if there is none with this name."""
    offset = _OFFSET.fullmatch(name)
    if offset and int(offset[2]) < 24:
        difference = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return timezone(-difference if offset[1] == "-" else difference)
    if name == "UTC":
        return timezone.utc
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name!r}; hint: Europe/Berlin, UTC or +02:00") from None


def machine_zone() -> tzinfo:
    """Returns the zone of $TZ or /etc/localtime, with its rules for the past, or UTC."""
    name = os.environ.get("TZ", "").removeprefix(":")
    try:
        if name:
            return zone_named(name)
        with open("/etc/localtime", "rb") as file:
            return ZoneInfo.from_file(file)
    except (ValueError, OSError):
        return timezone.utc
