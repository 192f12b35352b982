/// Message texts of several lengths, about 100 bytes in the mean, in several scripts.
enum SampleTexts {
    static let all = [
        "Ok, see you there.",
        "Did you get the photos I sent yesterday? Let me know which ones you would like to keep for the album.",
        "Das Treffen wurde auf Donnerstag um halb drei verschoben, bitte bring die unterschriebenen Unterlagen mit.",
        "The train is twelve minutes late again, so start without me; I will join you for the second half of it.",
        "昨日の資料を確認しました。来週の月曜日までに返事をします。",
        "I looked at the numbers once more, and it seems to me that we forgot the shipping costs of the last two "
            + "orders; could you send me the invoices tonight, so that I can correct the table before the call?",
        "¿Puedes llamarme cuando llegues a casa? Tengo que contarte algo importante sobre el viaje de mañana.",
        "Thanks! That is exactly what I needed, it saved me at least an hour of searching.",
    ]
}
