"""The contents of attachments: small ones go with their message, and others are uploaded as streams before it."""

from __future__ import annotations

import io
import os
from hashlib import blake2b
from typing import IO

from .. import model as wire
from ..sync import Store
from .errors import SourceError
from .records import Content
from .wanted import WantedAttachment

# The largest content that a message can carry itself.
INLINE_BYTES_MAX = 65_536
_READ_BYTES = 1024 * 1024


def digest(content: Content) -> bytes:
    """Reads a content and returns its digest."""
    found = blake2b(digest_size=32)
    with content.open() as stream:
        while data := stream.read(_READ_BYTES):
            found.update(data)
    return found.digest()


def is_damaged(content: Content) -> bool:
    """Reads a content, and returns true if it cannot be read to its end."""
    try:
        digest(content)
    except SourceError:
        return True
    return False


def new_attachment(store: Store, wanted: WantedAttachment) -> wire.NewAttachment:
    """Returns the attachment to save. Uploads its content before if the content is too large for the message."""
    name, mime_type, source = wanted.name, wanted.mime_type, wanted.source
    with wanted.content.open() as stream:
        head = stream.read(INLINE_BYTES_MAX + 1)
        if len(head) <= INLINE_BYTES_MAX:
            return wire.NewAttachment(data=head, name=name, mime_type=mime_type, source=source)
        whole = io.BufferedReader(_Restarting(wanted.content, head, stream))
        return wire.NewAttachment(
            digest=store.upload_attachment(whole), name=name, mime_type=mime_type, source=source
        )


class _Restarting(io.RawIOBase):
    """A content as a file object that can go back to its beginning, by opening the content again.

    The size is given, because the stream of a zip would have to unpack everything to find its end.
    """

    def __init__(self, content: Content, head: bytes, stream: IO[bytes]) -> None:
        self._content, self._head, self._stream = content, head, stream
        self._size = content.byte_count
        self._at = 0
        # The position of the stream. The bytes before it, the head, are in memory.
        self._stream_at = len(head)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._size is not None

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size or 0}[whence]
        self._at = base + offset
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if self._at < len(self._head):
            data = self._head[self._at : self._at + len(buffer)]
        else:
            self._go_to(self._at)
            data = self._stream.read(len(buffer))
            self._stream_at += len(data)
        self._at += len(data)
        buffer[: len(data)] = data
        return len(data)

    def _go_to(self, position: int) -> None:
        if position < self._stream_at:
            self._stream.close()
            self._stream = self._content.open()
            self._stream_at = 0
        while self._stream_at < position:
            data = self._stream.read(min(_READ_BYTES, position - self._stream_at))
            if not data:
                return
            self._stream_at += len(data)

    def close(self) -> None:
        self._stream.close()
        super().close()
