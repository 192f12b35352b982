"""The name of a conversation, from the names of its files."""

from __future__ import annotations

import re

from ..source import Document, Source
from ._whatsapp_words import without_marks

# The names that the app gives to exported chats, in its languages. A download can have "_" for each space.
_NAMES = """
WhatsApp Chat with *
WhatsApp Chat - *
WhatsApp Chat mit *
WhatsApp-Chat mit *
Discussion WhatsApp avec *
Chat de WhatsApp con *
Conversación de WhatsApp con *
Conversa no WhatsApp com *
Conversa do WhatsApp com *
Chat WhatsApp con *
WhatsApp-chat met *
WhatsApp Gesprek met *
Чат WhatsApp с контактом *
Чат WhatsApp с *
Бесіда WhatsApp з *
Чат WhatsApp з *
WhatsApp Чат с *
WhatsApp разговор со *
WhatsApp Ћаскање са *
WhatsApp чат: *
Czat WhatsApp z *
Chat WhatsApp s uživatelem *
WhatsApp chat s používateľom *
WhatsApp razgovor s *
WhatsApp klepet z *
WhatsApp csevegés vele: *
Conversație WhatsApp cu *
Xat de WhatsApp amb *
Συνομιλία WhatsApp με *
WhatsApp-chatt med *
WhatsApp-samtale med *
WhatsApp chat med *
WhatsApp-keskustelu henkilön * kanssa
WhatsApp'i vestlus kontaktiga *
WhatsApp pokalbis su *
WhatsApp sarakste ar *
Biseda me * në WhatsApp
* ile WhatsApp Sohbeti
* ilə WhatsApp Söhbəti
* bilan WhatsApp chati
دردشة واتساب مع *
گفتگوی WhatsApp با *
צ'אט WhatsApp עם *
* کے ساتھ WhatsApp بات چیت
* के साथ WhatsApp चैट
* सोबतच्या WhatsApp गप्पा
* এর সাথে WhatsApp চ্যাট
* સાથેની WhatsApp વાત
* உடன் WhatsApp உரையாடல்
* తో WhatsApp సంభాషణ
* ಜೊತೆ WhatsApp ಸಂಭಾಷಣೆ
* മായുള്ള WhatsApp ചാറ്റുകൾ
* ਨਾਲ WhatsApp ਗੱਲਬਾਤ
Chat WhatsApp dengan *
Sembang WhatsApp dengan *
WhatsApp Chat kay *
Soga za WhatsApp na *
Trò chuyện WhatsApp với *
แชท WhatsApp กับ *
*とのWhatsAppチャット
*님과의 WhatsApp 대화
WhatsApp 与 * 的对话
WhatsApp 與 * 的對話
"""
_PATTERNS = [
    re.compile(re.escape(name).replace(r"\ ", "[ _]").replace(r"\*", "(.+)"), re.IGNORECASE)
    for name in _NAMES.strip().split("\n")
]
# A chat of iOS always has this file name, and the names of its attachments begin with a number.
_CHAT = "_chat.txt"
_NUMBERED = re.compile(r"\d{8}-")


def rank(name: str) -> int:
    """Returns 0 for the name of an iOS chat, 1 for an Android chat, and 2 for another text."""
    last = name.rpartition("/")[2].lower()
    if last == _CHAT:
        return 0
    return 1 if re.search("whatsapp|واتساب", last) and not _NUMBERED.match(last) else 2


def title_of(source: Source, document: Document, only_other: str) -> str:
    """Returns the title that a file's, folder's or zip's name has, or the only other sender, or the file's own name."""
    own = _stem(document.name.rpartition("/")[2])
    folder = document.name.rpartition("/")[0].rpartition("/")[2]
    # The folder of a file that is imported alone may have nothing to do with the chat.
    around = [] if source.is_file else [folder, source.path.name if source.is_folder else _stem(source.path.name)]
    for name in [own, *around]:
        for pattern in _PATTERNS:
            if found := pattern.fullmatch(name):
                return found[1].strip()
    return only_other or ("" if own.lower() in ("_chat", "chat", "") else own)


def _stem(name: str) -> str:
    stem, dot, _ = without_marks(name).rpartition(".")
    return stem if dot else name
