"""Requests for the next page of a list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any


def next_by_cursor(request: Any, page: Any) -> Any | None:
    """Returns the request for the next page of a list whose pages have a `next_cursor`, or None after the last page."""
    return replace(request, cursor=page.next_cursor) if page.next_cursor else None


def next_message_page(request: Any, page: Any) -> Any | None:
    """Returns the request for the next page of list_messages, in either order, or None after the last page."""
    if not page.has_more:
        return None
    forward = request.order == 2
    cursor = page.last_cursor or (request.after_cursor if forward else request.before_cursor)
    return replace(request, after_cursor=cursor) if forward else replace(request, before_cursor=cursor)


def next_found_page(request: Any, page: Any) -> Any | None:
    """Returns the request for the next page of search_messages, or None after the last page."""
    return replace(request, before_cursor=page.last_cursor or request.before_cursor) if page.has_more else None


def next_change_page(request: Any, page: Any) -> Any | None:
    """Returns the request for the next page of list_changes, or None after the last page."""
    return replace(request, after_revision=page.through_revision) if page.has_more else None


NextPage = Callable[[Any, Any], Any]
