"""The flags of a mail (read, answered, flagged, forwarded, draft, deleted), and the names of folders."""

from __future__ import annotations

import base64
import csv
import re

from ._mail_headers import Headers

_MAILDIR = {"S": "read", "R": "answered", "F": "flagged", "P": "forwarded", "D": "draft", "T": "deleted"}
_STATUS = {"R": "read", "A": "answered", "F": "flagged", "T": "draft", "D": "deleted"}
_MOZILLA = {0x0001: "read", 0x0002: "answered", 0x0004: "flagged", 0x0008: "deleted", 0x1000: "forwarded"}
# Fields with flags, and fields that a mail program writes only for itself. Their values are not kept.
FIELDS = frozenset((
    "status", "x-status", "x-mozilla-status", "x-mozilla-status2", "x-mozilla-keys", "content-length", "lines", "x-uid",
    "x-uidl", "x-imap", "x-imapbase", "x-keywords", "x-gmail-labels",
))
# Gmail's export has the words of the user's language.
_UNREAD = frozenset((
    "Unread", "Ungelesen", "Non lus", "No leídos", "Não lidas", "Da leggere", "Непрочитанные", "Nepřečtené", "未読",
    "未读",
))
_DRAFTS = frozenset((
    "Drafts", "Draft", "Entwürfe", "Brouillons", "Borradores", "Rascunhos", "Bozze", "Черновики", "下書き", "草稿",
))
_BIN = frozenset((
    "Trash", "Bin", "Papierkorb", "Corbeille", "Papelera", "Lixeira", "Cestino", "Корзина", "ゴミ箱", "已删除邮件",
))


def maildir_flags(name: str) -> frozenset[str]:
    """Returns the flags of a file name of Maildir: "1700000000.M1P2.host:2,RS". Other letters are keywords."""
    match = re.search(r"[:;!_-]2,([A-Za-z]*)$", name)
    return frozenset(_MAILDIR.get(letter, letter) for letter in match[1]) if match else frozenset()


def header_flags(headers: Headers) -> tuple[frozenset[str], bool, list[str]]:
    """Returns the flags in the fields, true if the fields say whether the mail was read, and labels and keywords."""
    flags: set[str] = set()
    status = headers.raw("status") + headers.raw("x-status")
    flags.update(word for letter, word in _STATUS.items() if letter in status)
    mozilla = headers.raw("x-mozilla-status")
    if re.fullmatch(r"[0-9A-Fa-f]{1,8}", mozilla):
        flags.update(word for bit, word in _MOZILLA.items() if int(mozilla, 16) & bit)
    gmail = _labels(headers.text("x-gmail-labels"))
    if gmail and not _UNREAD.intersection(gmail):
        flags.add("read")
    if _DRAFTS.intersection(gmail):
        flags.add("draft")
    if _BIN.intersection(gmail):
        flags.add("deleted")
    labels = [*gmail, *headers.text("x-keywords").split(), *headers.text("x-mozilla-keys").split()]
    return frozenset(flags), bool(headers.raw("status") or mozilla or gmail), labels


def _labels(value: str) -> list[str]:
    """Returns the labels of Gmail. A label with a comma has quotes."""
    if not value:
        return []
    try:
        found: list[str] = next(csv.reader([value], skipinitialspace=True), [])
    except csv.Error:
        found = value.split(",")
    return [label.strip() for label in found if label.strip()]


def folder_name(name: str) -> str:
    """Returns the readable name of a folder of Maildir++: ".Entw&APw-rfe" is "Entwürfe"."""
    return re.sub(r"&([A-Za-z0-9+,]*)-", _readable, name.removeprefix("."))


def _readable(match: re.Match[str]) -> str:
    if not match[1]:
        return "&"
    data = match[1].replace(",", "/")
    if len(data) % 4 == 1:
        return match[0]
    return base64.b64decode(data + "=" * (-len(data) % 4)).decode("utf-16-be", "replace")
