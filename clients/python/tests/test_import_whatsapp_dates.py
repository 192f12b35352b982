"""Dates and clocks of WhatsApp's exported chats, as locales write them."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from importing_help import read_all

from ghoststore.importing import Message, SourceError
from ghoststore.importing.notes import Notes

LRM, NARROW = "\u200e", "\u202f"


def said(tmp_path: Path, text: str, **arguments: object) -> list[Message]:
    """Returns the messages of a chat."""
    path = tmp_path / "WhatsApp Chat with Ann.txt"
    path.write_bytes(text.encode())
    records = read_all("whatsapp", path, **arguments)  # type: ignore[arg-type]
    return [one for one in records if isinstance(one, Message)]


# The same moment, 21:41 (and 35 seconds) of 27 March 2022, as locales write it.
LOCALES = {
    "en-US": "3/27/22, 9:41 PM - {}",
    "en-US iOS": f"[3/27/22, 9:41:35{NARROW}PM] {{}}",
    "en-GB": "27/03/2022, 21:41 - {}",
    "en-AU": "27/3/22, 9:41 pm - {}",
    "en-IN": f"27/03/22, 9:41{NARROW}pm - {{}}",
    "en-ZA": "2022/03/27, 21:41 - {}",
    "de": "27.03.22, 21:41 - {}",
    "de iOS": "[27.03.22, 21:41:35] {}",
    "de-AT with Uhr": "27.03.22 um 21:41 Uhr - {}",
    "fr": "27/03/2022 21:41 - {}",
    "fr with à": "27/03/2022 à 21:41 - {}",
    "fr-CA": "2022-03-27 21 h 41 - {}",
    "es": "27/3/22, 21:41 - {}",
    "es-MX": "27/3/2022, 9:41 p. m. - {}",
    "es-CO iOS": "[27/3/22, 9:41:35 p.\u00a0m.] {}",
    "pt-BR": "27/03/2022 21:41 - {}",
    "it": "27/03/22, 21:41 - {}",
    "nl": "27-03-2022 21:41 - {}",
    "sv": "2022-03-27 21:41 - {}",
    "sv with em": "2022-03-27 9:41 em - {}",
    "nb": "27.03.2022, kl. 21:41 - {}",
    "da": "27.03.2022 21.41 - {}",
    "fi": "27.3.2022 klo 21.41 - {}",
    "pl": "27.03.2022, 21:41 - {}",
    "cs": "27. 3. 2022 21:41 - {}",
    "hr": "27. 03. 2022. 21:41 - {}",
    "hu": "2022. 03. 27. 21:41 - {}",
    "bg": "27.03.22 г., 21:41 ч. - {}",
    "el": "27/3/22, 9:41 μ.μ. - {}",
    "ru": "27.03.2022, 21:41 - {}",
    "uk with пп": "27.03.2022, 9:41 пп - {}",
    "tr": "27.03.2022 21:41 - {}",
    "tr with ÖS": "27.03.2022 ÖS 9:41 - {}",
    "ar": "٢٧‏/٣‏/٢٠٢٢, ٩:٤١ م - {}",
    "ar iOS": "[٢٧‏/٣‏/٢٠٢٢، ٩:٤١:٣٥ م] {}",
    "fa, Persian calendar": "۱۴۰۱/۱/۷،‏ ۲۱:۴۱ - {}",
    "he": "27.3.2022, 21:41 - {}",
    "hi with Devanagari": "२७/३/२२, ९:४१ अपराह्न - {}",
    "id": "27/03/22 21.41 - {}",
    "ms": "27/03/2022, 9:41 PTG - {}",
    "ja": "2022/03/27 21:41 - {}",
    "ja with 午後": "2022/3/27 午後9:41 - {}",
    "ja, imperial": "[R4/3/27 21:41:35] {}",
    "ko": "2022. 3. 27. 오후 9:41 - {}",
    "ko with words": "2022년 3월 27일 오후 9:41 - {}",
    "zh-CN": "2022/3/27 下午9:41 - {}",
    "zh-TW": "2022/3/27 晚上9:41 - {}",
    "zh with words": "2022年3月27日 21:41 - {}",
    "th, Buddhist": "27/3/2565 21:41 - {}",
    "th, short": "27/3/65 21:41 - {}",
    "th, BE": "[3/27/2565 BE, 21:41:35] {}",
    "vi": "21:41, 27/03/2022 - {}",
    "vi iOS": "[21:41:35, 3/27/22] {}",
    "sq": "27.3.2022, 9:41 e pasdites - {}",
    "old iOS": "27/03/22 21:41:35: {}",
    "old iOS with PM": "27/03/22, 9:41:35 PM: {}",
    "mark before": f"{LRM}[27.03.22, 21:41:35] {{}}",
}


@pytest.mark.parametrize("locale", LOCALES)
def test_times_of_locales(tmp_path: Path, locale: str) -> None:
    lines = [LOCALES[locale].format(text) for text in ("Ann: eins: zwei", "Ann joined")]
    zone = ZoneInfo("Europe/Berlin")
    first, second = said(tmp_path, f"{lines[0]}\nmore\n{lines[1]}\n", zone=zone, notes=(notes := Notes()))
    seconds = 35 if ":35" in lines[0] or ":٣٥" in lines[0] else 0
    assert first.time_microseconds == second.time_microseconds == (1648410060 + seconds) * 1_000_000
    assert (first.sender, first.text) == ("Ann", "eins: zwei\nmore")
    assert (second.sender, second.text, second.kind) == ("", "Ann joined", "service")
    assert notes.unknown == {}


@pytest.mark.parametrize(
    "half, hours",
    [("AM", {12: 0, 1: 1, 11: 11}), ("PM", {12: 12, 1: 13, 11: 23}), ("", {0: 0, 12: 12, 23: 23, 24: 0})],
)
def test_clocks(tmp_path: Path, half: str, hours: dict[int, int]) -> None:
    for shown, hour in hours.items():
        [message] = said(tmp_path, f"13/03/22, {shown}:05 {half} - Ann: x")
        assert message.time_microseconds // 3_600_000_000 % 24 == hour


@pytest.mark.parametrize(
    "days, order",
    [
        (["11/12/22", "12/1/22", "1/2/23"], "mdy"),
        (["22/3/7", "22/3/8", "22/4/1"], "ymd"),
        (["3/4/22", "13/4/22"], "dmy"),
        (["30/4/22", "1/5/22", "2/5/22"], "dmy"),
        (["10/4/22", "11/4/22", "1/5/22"], "dmy"),
        (["3/3/22"], "dmy"),
        (["03.04.22"], "dmy"),
        (["2022-03-04"], "ymd"),
        (["3/4/22"], None),
        (["05/06/2025", "06/06/2025", "07/07/2025"], None),
        (["3/4/22", "4/4/22", "5/4/22"], None),
        (["3/4/22, 9:00 PM"], None),
        (["3-4-22"], None),
    ],
)
def test_the_order_of_dates_is_proven_or_asked_for(tmp_path: Path, days: list[str], order: str | None) -> None:
    text = "".join(f"{day if ',' in day else day + ', 21:00'} - Ann: x\n" for day in days)
    if order is None:
        with pytest.raises(SourceError, match="which number is the day; hint: --option date-order=dmy if"):
            said(tmp_path, text)
    else:
        proven = said(tmp_path, text)
        given = said(tmp_path, text, options={"date-order": order})
        assert [one.time_microseconds for one in proven] == [one.time_microseconds for one in given]
