"""Words that WhatsApp writes into exported chats, in many languages. All are compared after `plain`.

WhatsApp marks most of its words on iOS with U+200E, so many of them are recognized in other languages, too.
"""

from __future__ import annotations

import re
import unicodedata

LEFT_TO_RIGHT_MARK = "\u200e"
# Marks of direction, which WhatsApp puts around names, dates and its own words.
MARKS = "\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff"
SPACES = " \t\u00a0\u2007\u2009\u202f\u3000"
_MARKS = re.compile(f"[{MARKS}]")
_SPACES = re.compile(f"[{SPACES}]+")


def without_marks(text: str) -> str:
    """Returns a text without marks of direction, and with plain spaces."""
    # Most texts have no marks and only plain single spaces, and need only this.
    if text.isascii() and "  " not in text and "\t" not in text:
        return text.strip(" ")
    return _SPACES.sub(" ", _MARKS.sub("", text)).strip()


def plain(text: str) -> str:
    """Returns a text in the form in which words are compared."""
    found = without_marks(text)
    return (found if found.isascii() else unicodedata.normalize("NFKC", found)).casefold().strip(" .。।")


def _set(*texts: str) -> frozenset[str]:
    return frozenset(plain(one) for text in texts for one in text.split("|"))


# Words for the two halves of a day. Forms of "am" and "pm" in other alphabets are here, too.
AM = (
    "a.m.|fm|vm.|dop.|de.|öö|sa|tô|pg|π.μ.|дп|пр.об.|претпл.|пре подне|до обяд|ص|صباحا|ق.ظ.|قبل‌ازظهر|לפנה״צ|לפנה\"צ|"
    "上午|凌晨|清晨|早上|午前|오전|पूर्वाह्न|म.पू.|মু.পূ.|পূর্বাহ্ণ|মু.প.|மு.ப.|முற்பகல்|ਪੂ.ਦੁ.|ಪೂರ್ವಾಹ್ನ|ก่อนเที่ยง|ព្រឹក|နံနက်|"
    "e paradites|paradite|ap.|priešpiet|priekšp.|in the morning|de la mañana|ጥዋት|υ.ε.|goizeko|to|ү.ө."
)
PM = (
    "p.m.|em|nm.|odp.|du.|ös|ch|chiều|ptg|μ.μ.|пп|сл.об.|попл.|по подне|следобед|م|مساء|ب.ظ.|بعدازظهر|אחה״צ|אחה\"צ|"
    "下午|中午|傍晚|晚上|午後|오후|अपराह्न|म.उ.|অপরাহ্ণ|பி.ப.|பிற்பகல்|ਬਾ.ਦੁ.|ಅಪರಾಹ್ನ|หลังเที่ยง|ល្ងាច|ညနေ|e pasdites|pasdite|"
    "ip.|popiet|pēcp.|in the afternoon|in the evening|at night|de la tarde|de la noche|ከሰዓት|arratsaldeko|tk|ү.х.|pop."
)
# Words beside a time that do not change its meaning.
BESIDE_TIME = "klo|kl.|kl|um|at|à|a las|às|alle|ore|om|в|о|lúc|saat|uhr|uur|ч.|hs.|hs|h|г.|時|시"

ATTACHED = _set(
    "attached|angehängt|Anhang|pièce jointe|adjunto|anexado|anexo|allegato|bijgevoegd|прикреплено|додано|załączono|"
    "příloha|príloha|eklendi|المُرفق|מצורף|पर अटैच किया गया|अटैच किया गया|terlampir|dilampirkan|dilampir|添付ファイル|첨부됨|"
    "附件|đính kèm|แนบ|επισυνάφθηκε|atașare|bifogat|vedhæftet|vedlagt|liite|csatolva|priloženo|adjunt|پیوست"
)
FILE_ATTACHED = _set(
    "file attached|Datei angehängt|fichier joint|archivo adjunto|archivo adjuntado|arquivo anexado|ficheiro anexado|"
    "file allegato|bestand bijgevoegd|файл добавлен|файл додано|załączony plik|soubor byl přiložen|súbor pripojený|"
    "dosya ekli|الملف مرفق|קובץ מצורף|फ़ाइल अटैच की गई|फाइल अटैच कर दी गई है|फाइल संलग्न|file terlampir|"
    "fail dilampirkan|添付ファイル有り|添付ファイルあり|파일 첨부됨|文件附件|附件檔案|tệp đính kèm|ไฟล์ที่แนบ|συνημμένο αρχείο|fișier atașat|"
    "bifogad fil|fil vedhæftet|vedlagt fil|liitetiedosto|fájl csatolva|datoteka u privitku|arxiu adjunt|"
    "прикачен файл|nakalakip na file|lêer aangeheg|fayl əlavə olunub|ফাইল সংযুক্ত হয়েছে|fail lisatud|ફાઇલ જોડાયેલ|"
    "қосымша файл|ಕಡತ ಸೇರಿಸಲಾಯಿತು|byla prisegta|pievienots fails|прикачен фајл|ഫയൽ ചേർത്തു|ਫਾਈਲ ਅਟੈਚ ਕੀਤੀ|"
    "priložena datoteka|skedë e ngjitur|прикачена датотека|faili limeambatanishwa|ఫైల్ జోడించబడినది|پیوستہ فائل|"
    "fayl biriktirildi"
)
# Words in place of a file that was left out, by the kind of the file. On Android, "media" stands for all kinds.
_OMITTED = {
    "image":
    "image omitted|Bild weggelassen|image absente|imagen omitida|imagem ocultada|imagem não revelada|immagine omessa|"
    "afbeelding weggelaten|изображение отсутствует|зображення відсутнє|obraz pominięty|obrázek vynechán|"
    "görüntü dahil edilmedi|لم يتم إدراج الصورة|התמונה הושמטה|फ़ोटो हटाई गई|gambar tidak disertakan|"
    "imej tidak dimasukkan|画像は含まれていません|이미지 생략됨|照片已忽略|圖片已略去|圖像已省略|đã bỏ qua hình ảnh|ไม่มีรูปภาพ|εικόνα παραλείφθηκε|"
    "imagine omisă|bild utesluten|billede udeladt|bilde ikke inkludert|ei kuvaa|تصویر حذف شد",
    "video":
    "video omitted|Video weggelassen|vidéo absente|video omitido|vídeo omitido|vídeo não revelado|video omesso|"
    "video weggelaten|видео отсутствует|відео відсутнє|wideo pominięte|video vynecháno|video dahil edilmedi|"
    "لم يتم إدراج الفيديوهات|סרטון הווידאו הושמט|वीडियो छोड़ा गया|video tidak disertakan|ビデオは含まれていません|비디오 생략됨|视频已忽略|"
    "影片已略去|影片已省略|đã bỏ video|วิดีโอถูกลบ|βίντεο παραλείφθηκε|clip video omis|video utesluten|video udeladt|"
    "video utelatt|videota ei sisällytetä|ویدیو حذف شد",
    "video note":
    "video note omitted|video message omitted|Videonachricht weggelassen|видеозаметка опущена",
    "audio":
    "audio omitted|Audio weggelassen|audio omis|audio omitido|áudio ocultado|ficheiro de áudio não revelado|"
    "audio omesso|audio weggelaten|аудиофайл отсутствует|аудіо відсутнє|audio pominięte|zvukový soubor vynechán|"
    "ses dahil edilmedi|لم يتم إدراج المقاطع الصوتية|קטע קול הושמט|ऑडियो हटाई गयी|audio tidak disertakan|音声は含まれていません|"
    "오디오 생략됨|音频已忽略|音訊已略去|音訊已省略|bỏ qua tệp âm thanh|ไม่มีไฟล์เสียง|ήχος παραλείφθηκε|fără audio|ljud uteslutet|"
    "lyd udeladt|lyd utelatt|äänitiedostoa ei sisällytetä",
    "sticker":
    "sticker omitted|Sticker weggelassen|sticker omis|sticker omitido|figurinha omitida|sticker não revelado|"
    "sticker non incluso|sticker weggelaten|стикер не добавлен|наклейку не додано|pominięto naklejkę|"
    "nálepka vynechána|çıkartma dahil edilmedi|تم حذف الملصقات|סטיקר הושמט|स्टिकर छोड़ा गया|stiker tidak disertakan|"
    "スタンプは含まれていません|스티커 제외됨|贴图已省略|貼圖已略去|貼圖已忽略|đã bỏ sticker|ไม่มีสติกเกอร์|αυτοκόλλητο παραλήφθηκε|sticker utesluten|"
    "klistermærke udeladt|klistremerke utelatt|tarraa ei sisällytetty",
    "gif":
    "GIF omitted|GIF weggelassen|GIF retiré|GIF omitido|GIF não revelada|GIF esclusa|GIF weggelaten|GIF отсутствует|"
    "GIF-анімацію пропущено|plik GIF pominięty|GIF vynechán|GIF dahil edilmedi|لم يتم إدراج صورة GIF|GIF הושמט|"
    "GIF छोड़ा गया|GIF tidak disertakan|GIFは含まれていません|GIF 생략됨|GIF 动态图已被忽略|GIF 已略去|GIF 圖片已被省略|đã bỏ qua ảnh GIF|"
    "ละเว้น GIF|παράληψη GIF|GIF omis|GIF utesluten|GIF udeladt|GIF utelatt",
    "contact":
    "contact card omitted|Kontaktkarte ausgelassen|fiche contact manquante|tarjeta de contacto omitida|"
    "cartão do contato omitido|contacto não revelado|scheda contatto omessa|visitekaartje weggelaten|"
    "карточка контакта отсутствует|картка контакту відсутня|pominięta wizytówka kontaktu|vizitka vynechána|"
    "kişi kartı dahil edilmedi|لم يتم إدراج بطاقة جهة اتصال|כרטיס איש קשר הושמט|कॉन्टैक्ट कार्ड छोड़ा गया|"
    "kartu kontak tidak disertakan|連絡先カードを省略|연락처 카드 생략됨|联系人卡片已忽略|聯絡人卡片已略去|聯絡人卡片已省略|bỏ qua thẻ liên lạc|"
    "บัตรรายชื่อที่ละเว้น|kontaktkort uteslutet|kontaktkort udeladt",
    "document":
    "document omitted|Dokument weggelassen|document manquant|documento omitido|documento não revelado|"
    "documento omesso|document weggelaten|документ отсутствует|документ пропущено|dokument pominięty|"
    "dokument vynechán|belge dahil edilmedi|لم يتم إدراج المستند|מסמך הושמט|डॉक्यूमेंट छोड़ा गया|"
    "dokumen tidak disertakan|ドキュメントは含まれていません|문서 생략됨|文档已省略|文件已略去|文件已忽略|đã bỏ qua tài liệu|ละเว้นเอกสาร|"
    "έγγραφο παραλείφθηκε|document omis|dokument uteslutet|dokument udeladt|utelatt dokument",
    "media":
    "media omitted|Medien ausgeschlossen|Medien weggelassen|Médias omis|Fichier omis|Multimedia omitido|"
    "Archivo omitido|Mídia oculta|Arquivo de mídia oculto|Mídia omitida|Ficheiro não revelado|Media omessi|"
    "Media omesso|Media weggelaten|Без медиафайлов|Файл пропущен|Медіа пропущено|pominięto multimedia|"
    "pliki pominięto|Média vynechány|Média vynechána|Médiá vynechané|Medya dahil edilmedi|Medya atlanmış|"
    "تم استبعاد الوسائط|رسانه حذف شد|המדיה לא נכללה|מדיה הושמטה|मीडिया के बिना|मीडिया वगळण्यात आला|मीडिया वगळले|"
    "Media tidak disertakan|Media dikecualikan|Media disingkirkan|メディアなし|メディアは含まれていません|미디어 파일 제외됨|미디어 파일을 생략한 대화내용|"
    "省略多媒体文件|忽略多媒體檔|bỏ qua tệp phương tiện|Bỏ qua Media|ไฟล์สื่อถูกลบ|สื่อถูกลบ|αρχείο παραλήφθηκε|"
    "Εξαίρεση πολυμέσων|conținut media omis|media utelämnat|Media har utelämnats|medier udeladt|Mediefil udeladt|"
    "media utelatt|Uten vedlegg|media jätettiin pois|Media jätetty pois|média elhagyva|Hiányzó médiafájl|"
    "medijski zapis izostavljen|медији су изостављени|Без файл|без фајлови|Без фајл|datoteke izpuščene|"
    "Medij izpuščen|medija praleista|Praleistas medijos turinys|nav iekļauta multivide|Bez multivides|"
    "meedia välja jäetud|Meedia ära jäetud|fitxers multimèdia omesos|Mitjans omesos|media weggelaat|"
    "media hazijajumuishwa|Media imerukwa|Walang kalakip na media|media u hoq|Media hequr|মিডিয়া বাদ দেওয়া হয়েছে|"
    "கோப்புகள் விடப்பட்டன|మీడియా విస్మరించబడింది|ಮಾಧ್ಯಮ ಕೈಬಿಡಲಾಗಿದೆ|മീഡിയ ഒഴിവാക്കി|મિડિયા છોડી મૂકાયું|ਮੀਡੀਆ ਛੱਡਿਆ|"
    "میڈیا چھوڑ دیا گیا|میڈیا ہٹا دیا گیا|media buraxıldı|файлдар қосылмаған|fayl o‘tkazib yuborildi|ບໍ່ລວມມີເດຍ",
}
OMITTED = {plain(word): kind for kind, words in _OMITTED.items() for word in words.split("|")}
DOCUMENT_ENDS = tuple(f" {word}" for word, kind in OMITTED.items() if kind == "document")
# A document's name stands before the words: "Plan.pdf • 2 pages document omitted".
OMITTED_DOCUMENT = re.compile(
    rf"(.{{1,400}}?)(?: • [^\n]{{1,60}}?)?,?(?:{'|'.join(map(re.escape, DOCUMENT_ENDS))})[ .。।]*", re.IGNORECASE
)

EDITED = _set(
    "This message was edited|Diese Nachricht wurde bearbeitet|Ce message a été modifié|Se editó este mensaje|"
    "Este mensaje fue editado|Mensagem editada|Esta mensagem foi editada|Questo messaggio è stato modificato|"
    "Dit bericht is bewerkt|Сообщение изменено|Это сообщение изменено|Bu mesaj düzenlendi|Pesan ini diedit|"
    "تم تعديل هذه الرسالة|ההודעה נערכה"
)
DELETED = _set(
    "This message was deleted|Diese Nachricht wurde gelöscht|Ce message a été supprimé|Se eliminó este mensaje|"
    "Este mensaje fue eliminado|Mensagem apagada|Esta mensagem foi apagada|Questo messaggio è stato eliminato|"
    "Dit bericht is verwijderd|Данное сообщение удалено|Це повідомлення було видалено|Ta wiadomość została usunięta|"
    "Tato zpráva byla smazána|Tato zpráva byla odstraněna|Bu mesaj silindi|تم حذف هذه الرسالة|הודעה זו נמחקה|"
    "यह मैसेज डिलीट कर दिया गया है|यह संदेश मिटाया गया|Pesan ini dihapus|Pesan ini telah dihapus|"
    "Mesej ini telah dipadam|このメッセージは削除されました|이 메시지는 삭제되었습니다|这条消息已被删除|信息已删除|此訊息已刪除|Tin nhắn này đã bị xóa|"
    "Tin nhắn này đã bị xoá|ข้อความนี้ถูกลบแล้ว|Αυτό το μήνυμα διαγράφηκε|Acest mesaj a fost șters|"
    "Det här meddelandet raderades|Denne besked er blevet slettet|Denne meldingen ble slettet|"
    "Tämä viesti poistettiin|Ez az üzenet törlésre került|این پیام حذف شد"
)
YOU_DELETED = _set(
    "You deleted this message|Du hast diese Nachricht gelöscht|Vous avez supprimé ce message|Eliminaste este mensaje|"
    "Você apagou esta mensagem|Apagou esta mensagem|Hai eliminato questo messaggio|U hebt dit bericht verwijderd|"
    "Вы удалили данное сообщение|Вы удалили это сообщение|Ви видалили це повідомлення|Tuto zprávu jste smazal/a|"
    "Tuto zprávu jste odstranil/a|Bu mesajı sildiniz|أنت حذفت هذه الرسالة|لقد حذفت هذه الرسالة|מחקת את ההודעה הזו|"
    "आपने यह मैसेज डिलीट किया|Anda menghapus pesan ini|Anda telah menghapus pesan ini|このメッセージを削除しました|삭제한 메시지입니다|"
    "이 메시지를 삭제했습니다|您已删除这条消息|您已刪除此訊息|Bạn đã xóa tin nhắn này|Bạn đã xoá tin nhắn này|คุณได้ลบข้อความนี้|"
    "Διαγράψατε αυτό το μήνυμα|Ați șters acest mesaj|Du raderade det här meddelandet|Du har slettet denne besked|"
    "Du slettet denne meldingen|Poistit tämän viestin|Törölted ezt az üzenetet"
)
CALLS = _set(
    "Missed voice call|Missed video call|Missed group voice call|Missed group video call|Voice call|Video call|"
    "No answer|Verpasster Sprachanruf|Verpasster Videoanruf|Sprachanruf|Videoanruf|Appel vocal manqué|"
    "Appel vidéo manqué|Appel vocal|Appel vidéo|Llamada perdida|Llamada de voz perdida|Videollamada perdida|"
    "Llamada de voz|Videollamada|Chamada de voz perdida|Chamada de vídeo perdida|Videochamada perdida|Chamada de voz|"
    "Chamada de vídeo|Chiamata vocale persa|Videochiamata persa|Chiamata vocale|Videochiamata|Gemist spraakgesprek|"
    "Gemist videogesprek|Пропущенный аудиозвонок|Пропущенный видеозвонок|Аудиозвонок|Видеозвонок|"
    "Пропущений аудіодзвінок|Пропущений відеодзвінок|Nieodebrane połączenie|Zmeškaný hovor|Zmeškaný videohovor|"
    "Cevapsız sesli arama|Cevapsız görüntülü arama|مكالمة صوتية فائتة|مكالمة فيديو فائتة|שיחה קולית שלא נענתה|"
    "שיחת וידאו שלא נענתה|वॉइस कॉल मिस हुई|मिस्ड वॉइस कॉल|मिस्ड वीडियो कॉल|Panggilan suara tak terjawab|"
    "Panggilan video tak terjawab|音声通話不在着信|ビデオ通話不在着信|부재중 전화|부재중 영상통화|未接语音通话|未接视频通话|未接語音通話|未接視像通話|Cuộc gọi nhỡ|"
    "สายที่ไม่ได้รับ|Αναπάντητη κλήση|Αναπάντητη βιντεοκλήση|Missat röstsamtal|Ubesvaret taleopkald|Tapt taleanrop"
)
