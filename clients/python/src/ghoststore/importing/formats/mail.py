"""Mail: mbox, Maildir and single messages (.eml), alone, in a folder or in a zip such as Google Takeout's.

All three are one format, because a mail has the same id in each of them: its Message-ID.

As in Delta Chat, mails between the same people are one conversation: all people in From, To and Cc except the user. A
mailing list is one conversation. If each thread were a conversation, the store would have a conversation for each
subject, mostly with one or two mails. The thread is not lost: In-Reply-To becomes the reply, and the subject comes
before the text of the mail that begins a thread. The import has to know who the user is: `--self ADDRESS`.

A mail that is only a reaction (RFC 9078, and Gmail's) becomes a reaction. Drafts and mails in the bin are left out.

Read for this module:

- mbox(5) of qmail, http://www.qmail.org/man/man5/mbox.html: From_ lines and quoting
- http://fileformats.archiveteam.org/wiki/Mbox: variants of mbox
- https://github.com/python/cpython, Lib/mailbox.py: the end of a message in an mbox
- https://docs.python.org/2.5/lib/mailbox-maildirmessage.html: flags of Maildir
- https://doc.dovecot.org, mailbox formats, Maildir: files beside mails
- Gmail's "Email reactions" of https://developers.google.com/workspace/gmail, and mails with such a part
- mails of Gmail's export in tests of public programs: From_ lines, X-Gmail-Labels in German, French and Czech
- Thunderbird's test create_detached_deleted_attachment: X-Mozilla-Altered

RFC 2045 to 2047, 2231, 3676, 4155, 5322, 6532, 8098 and 9078 are followed as they are generally known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing

from ..errors import SourceError, WrongOption
from ..reading import Format, Reading
from ..records import Record
from ..source import Document, Source
from ._mail_file import Extents, Mbox, is_mbox, whole
from ._mail_flags import folder_name, maildir_flags
from ._mail_message import Envelope, MailFormat
from ._mail_parts import MailReader

_MAILDIR = re.compile(r"(?:(?P<folder>.*)/)?(?P<state>cur|new)/(?P<name>[^/]+)$", re.S)
_HEAD = re.compile(rb"(?:[!-9;-~]+[ \t]*:[^\n]*\r?\n(?:[ \t][^\n]*\r?\n)*){2}")
# Files beside mails that programs write for themselves.
_INDEXES = re.compile(r"(^|/)(dovecot[^/]*|courier[^/]*|maildir(size|folder)|subscriptions|[^/]*\.(msf|idx|lock))$")


def _read(reading: Reading) -> Iterator[Record]:
    if not reading.self_ids:
        raise WrongOption(reading.source.name, "mail does not say whose mailbox it is; hint: --self ADDRESS")
    mails = MailFormat(reading)
    for document in reading.source.documents("*"):
        found = _MAILDIR.match(document.name)
        if found is not None:
            yield from _maildir(mails, document, found)
        elif _INDEXES.search(document.name):
            continue
        elif "/tmp/" in f"/{document.name}" and not reading.source.is_file:
            reading.skipped("mail in the folder tmp of a Maildir, which is not complete", document.name)
        elif is_mbox(head := document.head(4096)):
            yield from _mbox(reading, mails, document)
        elif _is_mail(document.name, head):
            yield from _single(mails, document, Envelope())
        elif reading.source.is_file:
            raise SourceError(document.name, "is no mail; hint: name an mbox, a Maildir or an .eml file")
        else:
            reading.skipped("file that is no mail", document.name)


def _mbox(reading: Reading, mails: MailFormat, document: Document) -> Iterator[Record]:
    # The user chooses the name of a single file, which can differ in the next export.
    folder = "" if reading.source.is_file else document.name.rpartition("/")[2].removesuffix(".mbox")
    with ExitStack() as opened:
        extents = opened.enter_context(closing(Extents(document, is_quoted=True)))
        mbox = Mbox(opened.enter_context(document.open()), opened.enter_context(document.open()))
        while mbox.has_next():
            place = f"{document.name}: line {mbox.number}"
            envelope = Envelope(line=mbox.envelope, folder=folder)
            blocks = mbox.message()
            reader = MailReader()
            body = reader.read_header(blocks)
            length = reader.mail.headers.raw("content-length")
            if length.isascii() and length.isdigit() and len(length) < 20:
                mbox.trust_length(body, int(length))
            yield from mails.records(reader.read_body(blocks), envelope, extents, place)


def _maildir(mails: MailFormat, document: Document, found: re.Match[str]) -> Iterator[Record]:
    folder = folder_name((found["folder"] or "").rpartition("/")[2])
    flags = maildir_flags(found["name"]) if found["state"] == "cur" else frozenset[str]()
    seconds = found["name"].partition(".")[0]
    time = int(seconds) * 1_000_000 if seconds.isascii() and seconds.isdigit() and len(seconds) < 12 else None
    yield from _single(mails, document, Envelope(folder=folder, flags=flags, has_flags=True, time_microseconds=time))


def _single(mails: MailFormat, document: Document, envelope: Envelope) -> Iterator[Record]:
    with closing(document.open()) as stream:
        blocks = whole(stream)
        reader = MailReader()
        reader.read_header(blocks)
        mail = reader.read_body(blocks)
    if not mail.headers.fields:
        mails.reading.skipped("file that is no mail", document.name)
        return
    with closing(Extents(document, is_quoted=False)) as extents:
        yield from mails.records(mail, envelope, extents, document.name)


def _is_mail(name: str, head: bytes) -> bool:
    return name.lower().endswith(".eml") or _HEAD.match(head) is not None and b"\nFrom:" in b"\n" + head


def _detect(source: Source) -> bool:
    for count, document in enumerate(source.documents("*")):
        if count == 100:
            return False
        if _INDEXES.search(document.name):
            continue
        head = document.head(4096)
        if is_mbox(head) and b"\nFrom:" in head or _MAILDIR.match(document.name) and _HEAD.match(head):
            return True
        if source.is_file:
            return _is_mail(document.name, head) and _HEAD.match(head) is not None
    return False


FORMAT = Format(
    name="mail",
    title="Mail: mbox, Maildir, .eml (needs --self ADDRESS)",
    read=_read,
    detect=_detect,
    options={"html": "yes: attach the HTML form of a text also if the mail has a plain form"},
    self_hint="name an address of yours that is in From, To or Cc",
)
