/// A table of Unicode characters for printed forms: ligatures, shapes of Arabic letters, raised and bold letters. The
/// standard library has no compatibility decomposition (NFKD), so this table contains the forms that occur in texts.
enum PrintedForms {
    /// Returns the plain letters that a printed form stands for, and `nil` for any other scalar.
    static func letters(of scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar.value {
        case 0x1D400...0x1D6A3:
            // These scalars are alphabets in several styles. Each alphabet has 26 letters, either capital or small.
            let number = UInt8((scalar.value - 0x1D400) % 26)
            return [Unicode.Scalar(UInt8(ascii: "a") + number)]
        case 0xAA...0xBA, 0x132...0x1F3, 0x587, 0x2071...0x214F, 0xFB00...0xFEFC:
            return byScalar[scalar]
        default:
            return nil
        }
    }

    private static let byScalar: [Unicode.Scalar: [Unicode.Scalar]] = {
        var byScalar: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for (first, forms) in runs {
            for (number, letters) in forms.split(separator: " ").enumerated() {
                guard let scalar = Unicode.Scalar(first + UInt32(number)) else { continue }
                byScalar[scalar] = Array(letters.unicodeScalars)
            }
        }
        return byScalar
    }()

    /// Runs of consecutive scalars: the first scalar, and for each scalar of the run the letters that it stands for, in
    /// lower case.
    private static let runs: [(first: UInt32, forms: String)] = [
        (0x00AA, "a"),
        (0x00B5, "μ"),
        (0x00BA, "o"),
        (0x0132, "ij ij"),
        (0x0149, "n"),
        (0x01C4, "dž dž dž lj lj lj nj nj nj"),
        (0x01F1, "dz dz dz"),
        (0x0587, "եւ"),
        (0x2071, "i"),
        (0x207F, "n"),
        (0x2090, "a e o x ə h k l m n p s t"),
        (0x2102, "c"),
        (0x2107, "ɛ"),
        (0x210A, "g h h h h ħ i i l l"),
        (0x2115, "n"),
        (0x2119, "p q r r r"),
        (0x2124, "z"),
        (0x2128, "z"),
        (0x212C, "b c"),
        (0x212F, "e e f"),
        (0x2133, "m o א ב ג ד"),
        (0x213C, "π γ γ π"),
        (0x2145, "d d e i j"),
        (0xFB00, "ff fi fl ffi ffl st st"),
        (0xFB13, "մն մե մի վն մխ"),
        (0xFB20, "ע א ד ה כ ל ם ר ת"),
        (0xFB4F, "אל ٱ ٱ ٻ ٻ ٻ ٻ پ پ پ پ ڀ ڀ ڀ ڀ ٺ ٺ ٺ ٺ ٿ ٿ ٿ ٿ ٹ ٹ ٹ ٹ ڤ ڤ ڤ ڤ ڦ ڦ ڦ ڦ ڄ ڄ ڄ ڄ ڃ ڃ ڃ ڃ چ"),
        (0xFB7B, "چ چ چ ڇ ڇ ڇ ڇ ڍ ڍ ڌ ڌ ڎ ڎ ڈ ڈ ژ ژ ڑ ڑ ک ک ک ک گ گ گ گ ڳ ڳ ڳ ڳ ڱ ڱ ڱ ڱ ں ں ڻ ڻ ڻ ڻ ۀ ۀ ہ"),
        (0xFBA7, "ہ ہ ہ ھ ھ ھ ھ ے ے ۓ ۓ"),
        (0xFBD3, "ڭ ڭ ڭ ڭ ۇ ۇ ۆ ۆ ۈ ۈ ۇٴ ۋ ۋ ۅ ۅ ۉ ۉ ې ې ې ې ى ى ئا ئا ئە ئە ئو ئو ئۇ ئۇ ئۆ ئۆ ئۈ ئۈ ئې ئې"),
        (0xFBF8, "ئې ئى ئى ئى ی ی ی ی ئج ئح ئم ئى ئي بج بح بخ بم بى بي تج تح تخ تم تى تي ثج ثم ثى ثي جح جم"),
        (0xFC17, "حج حم خج خح خم سج سح سخ سم صح صم ضج ضح ضخ ضم طح طم ظم عج عم غج غم فج فح فخ فم فى في قح"),
        (0xFC34, "قم قى قي كا كج كح كخ كل كم كى كي لج لح لخ لم لى لي مج مح مخ مم مى مي نج نح نخ نم نى ني"),
        (0xFC51, "هج هم هى هي يج يح يخ يم يى يي ذٰ رٰ ىٰ"),
        (0xFC64, "ئر ئز ئم ئن ئى ئي بر بز بم بن بى بي تر تز تم تن تى تي ثر ثز ثم ثن ثى ثي فى في قى قي كا"),
        (0xFC81, "كل كم كى كي لم لى لي ما مم نر نز نم نن نى ني ىٰ ير يز يم ين يى يي ئج ئح ئخ ئم ئه بج بح"),
        (0xFC9E, "بخ بم به تج تح تخ تم ته ثم جح جم حج حم خج خم سج سح سخ سم صح صخ صم ضج ضح ضخ ضم طح ظم عج"),
        (0xFCBB, "عم غج غم فج فح فخ فم قح قم كج كح كخ كل كم لج لح لخ لم له مج مح مخ مم نج نح نخ نم نه هج"),
        (0xFCD8, "هم هٰ يج يح يخ يم يه ئم ئه بم به تم ته ثم ثه سم سه شم شه كل كم لم نم نه يم يه"),
        (0xFCF5, "طى طي عى عي غى غي سى سي شى شي حى حي جى جي خى خي صى صي ضى ضي شج شح شخ شم شر سر صر ضر طى"),
        (0xFD12, "طي عى عي غى غي سى سي شى شي حى حي جى جي خى خي صى صي ضى ضي شج شح شخ شم شر سر صر ضر شج شح"),
        (0xFD2F, "شخ شم سه شه طم سج سح سخ شج شح شخ طم ظم اً اً"),
        (0xFD50, "تجم تحج تحج تحم تخم تمج تمح تمخ جمح جمح حمي حمى سحج سجح سجى سمح سمح سمج سمم سمم صحح صحح"),
        (0xFD66, "صمم شحم شحم شجي شمخ شمخ شمم شمم ضحى ضخم ضخم طمح طمح طمم طمي عجم عمم عمم عمى غمم غمي غمى"),
        (0xFD7C, "فخم فخم قمح قمم لحم لحي لحى لجج لجج لخم لخم لمح لمح محج محم محي مجح مجم مخج مخم"),
        (0xFD92, "مجخ همج همم نحم نحى نجم نجم نجى نمي نمى يمم يمم بخي تجي تجى تخي تخى تمي تمى جمي جحى جمى"),
        (0xFDA8, "سخى صحي شحي ضحي لجي لمي يحي يجي يمي ممي قمي نحي قمح لحم عمي كمي نجح مخي لجم كمم لجم نجح"),
        (0xFDBE, "جحي حجي مجي فمي بحي كمم عجم صمم سخي نجي"),
        (0xFDF0, "صلے قلے الله اكبر محمد صلعم رسول عليه وسلم صلى"),
        (0xFE80, "ء آ آ أ أ ؤ ؤ إ إ ئ ئ ئ ئ ا ا ب ب ب ب ة ة ت ت ت ت ث ث ث ث ج ج ج ج ح ح ح ح خ خ خ خ د د ذ"),
        (0xFEAC, "ذ ر ر ز ز س س س س ش ش ش ش ص ص ص ص ض ض ض ض ط ط ط ط ظ ظ ظ ظ ع ع ع ع غ غ غ غ ف ف ف ف ق ق ق"),
        (0xFED8, "ق ك ك ك ك ل ل ل ل م م م م ن ن ن ن ه ه ه ه و و ى ى ي ي ي ي لآ لآ لأ لأ لإ لإ لا لا"),
    ]
}
