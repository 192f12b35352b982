"""Mails as programs write them, in German, Russian, Japanese and other languages."""

from __future__ import annotations

import base64
from email.header import Header

ME = "me@example.org"
SELF = frozenset({ME})


def word(text: str, charset: str = "utf-8") -> str:
    """Returns an encoded word, as the standard library writes it."""
    return Header(text, charset).encode()


def mail(body: bytes | str = "Hallo", **fields: str) -> bytes:
    """Returns a mail. The given fields replace or extend the standard ones; a field with an empty text is left out."""
    header = {
        "From": "Ann <ann@example.org>", "To": f"Me <{ME}>", "Date": "Mon, 13 Nov 2023 11:00:00 +0100",
        "Message-ID": "<1@example.org>", "Subject": "Hi",
    } | {name.replace("_", "-"): value for name, value in fields.items()}
    lines = [f"{name}: {value}" for name, value in header.items() if value]
    return ("\n".join(lines) + "\n\n").encode() + (body if isinstance(body, bytes) else body.encode()) + b"\n"


def mbox(*mails: bytes, envelope: str = "From ann@example.org Mon Nov 13 10:00:00 2023") -> bytes:
    """Returns an mbox of mails. Lines of their texts that begin with "From " must already be quoted."""
    return b"".join(envelope.encode() + b"\n" + one + b"\n" for one in mails)


def multipart(*parts: tuple[str, bytes], boundary: str = "=_b") -> bytes:
    """Returns a body of parts, each with its header and content."""
    pieces = [f"--{boundary}\n{header}\n\n".encode() + content + b"\n" for header, content in parts]
    return b"This is a message in MIME format.\n" + b"".join(pieces) + f"--{boundary}--\n".encode()


def encoded(data: bytes) -> bytes:
    """Returns base64 in lines of 76 characters."""
    return base64.encodebytes(data).rstrip(b"\n")


PICTURE = bytes(range(256)) * 300

# A German mail of an ordinary program: text in two forms, and a picture.
GERMAN = mail(
    multipart(
        (
            'Content-Type: multipart/alternative; boundary="=_in"',
            multipart(
                ('Content-Type: text/plain; charset="iso-8859-1"\nContent-Transfer-Encoding: quoted-printable',
                 b"Sch=F6ne Gr=FC=DFe,\n>From K=F6ln mit Liebe=20\n"),
                ("Content-Type: text/html; charset=utf-8", "<p>Schöne <b>Grüße</b></p>".encode()),
                boundary="=_in",
            ),
        ),
        (
            "Content-Type: image/png\nContent-Transfer-Encoding: base64\nContent-ID: <p1@example.org>\n"
            "Content-Disposition: attachment;\n filename*0*=UTF-8''%C3%9Cbersicht%20;\n filename*1*=K%C3%B6ln.png",
            encoded(PICTURE),
        ),
    ),
    From=f"{word('Jörg Müller', 'iso-8859-1')} <Joerg@Example.org>",
    Subject=word("Übersicht für Köln – ein längerer Betreff, der über mehrere Wörter der Kodierung reicht"),
    Content_Type='multipart/mixed; boundary="=_b"',
    MIME_Version="1.0",
    X_Mailer="Beispiel 1.0",
    Received="from a (b) by c;\n Mon, 13 Nov 2023 11:00:02 +0100",
)
RUSSIAN = mail(
    "Привет, как дела?".encode("koi8-r"),
    From=f"{word('Анна Каренина', 'koi8-r')} <anna@example.org>", Message_ID="<2@example.org>",
    Subject=word("Re: Встреча", "koi8-r"), In_Reply_To="<1@example.org>",
    References="<0@example.org>\n <1@example.org>", Content_Type="text/plain; charset=koi8-r",
    Content_Transfer_Encoding="8bit", Date="Tue, 14 Nov 2023 09:00:00 +0300 (MSK)",
)
JAPANESE = mail(
    "<html><head><meta charset=shift_jis><style>p {}</style></head><body><p>お元気ですか。<br>花子</p></body></html>".encode(
        "cp932"
    ),
    From=f"{word('山田花子', 'iso-2022-jp')} <hanako@example.org>", Message_ID="<3@example.org>",
    Subject=word("写真です", "iso-2022-jp"), Content_Type="text/html", Date="Wed, 15 Nov 2023 18:00:00 +0900",
)
OUTGOING = mail(
    "Danke!", From=f"Me <{ME}>", To="Jörg <joerg@example.org>", Message_ID="<4@example.org>",
    Subject="Re: Übersicht", In_Reply_To="<1@example.org>",
)
