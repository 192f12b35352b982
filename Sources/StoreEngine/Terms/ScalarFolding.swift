@_spi(_Unicode) import Swift

/// The classification of scalars for search, and their folding to a form without case and diacritics, so that spellings
/// that people read as the same word become the same term. Indexes store these terms: a change here needs a step of
/// `Schema.migrations` that rebuilds the index (`SearchIndexState.rebuilt`). `SearchTermsTests` fails without such a
/// step.
enum ScalarFolding {
    enum Kind {
        /// Ends a word.
        case separator
        /// Skipped as if it were absent: joiners, variation selectors, soft hyphens, skin tones.
        case ignored
        /// Ends a word, except in a script without spaces, where it only allows a line break and is skipped.
        case invisibleSpace
        /// Part of a word between separators.
        case word
        /// Part of a script without spaces between words, or of Korean, in which a search also finds parts of words.
        case unspaced
        /// A term by itself: emoji and other symbols.
        case symbol
    }

    static func kind(of scalar: Unicode.Scalar) -> Kind {
        if isSkinTone(scalar) { return .ignored }
        if scalar == zeroWidthSpace { return .invisibleSpace }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark:
            if properties.isDefaultIgnorableCodePoint || scalar == tatweel { return .ignored }
            if isApostrophe(scalar) { return .separator }
            if scalar == informationSign { return .symbol }
            return isUnspaced(scalar) ? .unspaced : .word
        case .enclosingMark:
            return .ignored
        case .decimalNumber:
            return .word
        case .letterNumber, .otherNumber:
            return isUnspaced(scalar) ? .unspaced : .word
        case .otherSymbol:
            return .symbol
        case .format, .unassigned, .privateUse, .surrogate:
            return properties.isDefaultIgnorableCodePoint ? .ignored : .separator
        case .dashPunctuation, .otherPunctuation, .mathSymbol:
            // Some emoji have these categories. So do # and *, which are terms only as part of a keycap emoji.
            return properties.isEmoji && !scalar.isASCII ? .symbol : .separator
        case .connectorPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
            .currencySymbol, .modifierSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator, .control:
            return .separator
        @unknown default:
            return .separator
        }
    }

    /// Calls `give` with the folded form of a word's scalar: no scalar, one or several.
    static func fold(_ scalar: Unicode.Scalar, _ give: (Unicode.Scalar) -> Void) {
        let properties = scalar.properties
        if properties.generalCategory == .decimalNumber, let value = properties.numericValue,
            let digit = UInt8(exactly: value), digit < 10
        {
            return give(Unicode.Scalar(UInt8(ascii: "0") + digit))
        }
        if let digit = raisedDigit(scalar) {
            return give(digit)
        }
        if let letters = PrintedForms.letters(of: scalar) {
            for letter in letters {
                fold(letter, give)
            }
            return
        }
        if isFullWidth(scalar), let half = Unicode.Scalar(scalar.value - 0xFEE0) {
            return fold(half, give)
        }
        for lowercase in properties.lowercaseMapping._nfd where !isDiacritic(lowercase) {
            if let letters = letters[lowercase] {
                letters.forEach(give)
            } else {
                give(lowercase)
            }
        }
    }

    /// Returns the folded form of a scalar in an unspaced script: compatibility ideographs and half-width letters
    /// become their standard forms.
    static func foldUnspaced(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if (0xFF66...0xFF9F).contains(scalar.value) {
            return wideKatakana[Int(scalar.value - 0xFF66)]
        }
        guard (0xF900...0xFAFF).contains(scalar.value) || scalar.value >= 0x2F800 else { return scalar }
        return String(scalar)._nfd.first { _ in true } ?? scalar
    }

    /// Returns the single scalar for two that compose: Hangul parts to a syllable, a kana with its voicing mark.
    static func composed(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
        switch (first.value, second.value) {
        case (0x1100...0x1112, 0x1161...0x1175):
            return Unicode.Scalar(0xAC00 + (first.value - 0x1100) * 588 + (second.value - 0x1161) * 28)
        case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first.value - 0xAC00) % 28 == 0:
            return Unicode.Scalar(first.value + second.value - 0x11A7)
        case (0x3046, 0x3099), (0x30A6, 0x3099):
            return Unicode.Scalar(first.value + 0x4E)
        case (0x304B...0x3061, 0x3099), (0x30AB...0x30C1, 0x3099):
            // Unvoiced kana have odd numbers.
            return first.value % 2 == 1 ? Unicode.Scalar(first.value + 1) : nil
        case (0x3064...0x3068, 0x3099), (0x30C4...0x30C8, 0x3099):
            return first.value % 2 == 0 ? Unicode.Scalar(first.value + 1) : nil
        case (0x306F...0x307B, 0x3099...0x309A), (0x30CF...0x30DB, 0x3099...0x309A):
            return first.value % 3 == 0 ? Unicode.Scalar(first.value + second.value - 0x3098) : nil
        default:
            return nil
        }
    }

    /// Returns true for marks on letters of alphabets. Other marks are letters themselves: vowels of Indic scripts,
    /// tones of Thai.
    private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1...7, 10...36, 200...240: true
        default: false
        }
    }

    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x0E00: false
        // Thai and Lao, Burmese, parts of Hangul, Khmer, ideographs and kana, Hangul, compatibility ideographs,
        // half-width kana.
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0x9FFF, 0xA960...0xA97F,
            0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F3FB...0x1F3FF).contains(scalar.value)
    }

    private static func isFullWidth(_ scalar: Unicode.Scalar) -> Bool {
        (0xFF01...0xFF5E).contains(scalar.value)
    }

    /// Returns true for scalars of a letter category that people type as an apostrophe: `мʼята`, `Hawaiʻi`.
    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x02B9...0x02BF, 0x02C8, 0x02EE, 0x07F4...0x07F5, 0xA78B...0xA78C: true
        default: false
        }
    }

    /// Returns the ASCII digit for a raised or lowered digit, as in `m²` and `H₂O`.
    private static func raisedDigit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xB2, 0xB3, 0xB9, 0x2070, 0x2074...0x2079, 0x2080...0x2089:
            guard let value = scalar.properties.numericValue else { return nil }
            return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
        default:
            return nil
        }
    }

    /// The combining keycap: together with a digit, # or * before it, it is one emoji.
    static let keycap: Unicode.Scalar = "\u{20E3}"
    private static let zeroWidthSpace: Unicode.Scalar = "\u{200B}"
    /// An emoji that Unicode counts among the letters.
    private static let informationSign: Unicode.Scalar = "\u{2139}"
    /// A mark that stretches an Arabic word in print.
    private static let tatweel: Unicode.Scalar = "\u{0640}"

    private static let wideKatakana = Array(
        ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
            + "\u{3099}\u{309A}").unicodeScalars)

    /// Letters that are replaced by others, in lower case and without marks.
    private static let letters: [Unicode.Scalar: [Unicode.Scalar]] = [
        "ß": ["s", "s"], "æ": ["a", "e"], "œ": ["o", "e"], "ø": ["o"], "đ": ["d"], "ð": ["d"], "ħ": ["h"],
        "ı": ["i"], "ĸ": ["k"], "ł": ["l"], "ŋ": ["n"], "þ": ["t", "h"], "ŧ": ["t"], "ſ": ["s"], "ς": ["σ"],
        // Persian and Urdu letters that correspond to the letters of Arabic keyboards.
        "\u{0643}": ["\u{06A9}"], "\u{0649}": ["\u{06CC}"], "\u{064A}": ["\u{06CC}"], "\u{0629}": ["\u{0647}"],
        "\u{06C1}": ["\u{0647}"], "\u{06BE}": ["\u{0647}"], "\u{0671}": ["\u{0627}"],
    ]
}
