"""Lists page by page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any


def next_by_cursor(request: Any, page: Any) -> Any | None:
    """The request for the page behind this one, where pages end with `next_cursor`."""
    return replace(request, cursor=page.next_cursor) if page.next_cursor else None


def next_message_page(request: Any, page: Any) -> Any | None:
    """The same for list_messages, whose cursors are of messages and whose order may be either."""
    if not page.has_more:
        return None
    forward = request.order == 2
    cursor = page.last_cursor or (request.after_cursor if forward else request.before_cursor)
    return replace(request, after_cursor=cursor) if forward else replace(request, before_cursor=cursor)


def next_found_page(request: Any, page: Any) -> Any | None:
    """The same for search_messages."""
    return replace(request, before_cursor=page.last_cursor or request.before_cursor) if page.has_more else None


def next_change_page(request: Any, page: Any) -> Any | None:
    """The same for list_changes."""
    return replace(request, after_revision=page.through_revision) if page.has_more else None


NextPage = Callable[[Any, Any], Any]
