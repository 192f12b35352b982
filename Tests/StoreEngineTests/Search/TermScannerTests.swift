import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct TermScannerTests {
    private func terms(_ text: String) -> [String] {
        let list = TermScanner.terms(of: text)
        return list.terms.indices.map { list.text($0) }
    }

    private static let foldings: [(String, [String])] = [
        ("Ärger, Straße & Größe", ["arger", "strasse", "grosse"]),
        ("ÉTÉ e\u{301}te\u{301} Œuvre", ["ete", "ete", "oeuvre"]),
        ("İstanbul IRMAK ılık", ["istanbul", "irmak", "ilik"]),
        ("Ọ̀rẹ́ mi", ["ore", "mi"]),
        ("Її Йод ЁЖ", ["іі", "иод", "еж"]),
        ("ΣΟΦΟΣ σοφός", ["σοφοσ", "σοφοσ"]),
        ("كتاب کتاب یک يك", ["کتاب", "کتاب", "یک", "یک"]),
        ("می\u{200C}خواهم كـتاب", ["میخواهم", "کتاب"]),
        ("שָׁלוֹם שלום", ["שלום", "שלום"]),
        ("ज़रूर \u{095B}", ["जरूर", "ज"]),
        ("আমার বয়স", ["আমার", "বযস"]),
        ("3.14 ٣ ４２ abc123", ["3", "14", "3", "42", "abc123"]),
        ("@anna a@b.c # @", ["@", "anna", "a", "@", "b", "c"]),
        ("hi👍🏽❤️", ["hi", "👍", "❤"]),
        ("ＡＢＣ", ["abc"]),
        ("oﬃce ﬁnd ﬀ Ĳssel ǆep", ["office", "find", "ff", "ijssel", "dzep"]),
        ("𝐇𝐞𝐥𝐥𝐨 𝓦𝓸𝓻𝓵𝓭 ℝ", ["hello", "world", "r"]),
        ("m² H₂O 1º", ["m2", "h2o", "1o"]),
        ("ﺳﻼﻡ سلام", ["سلام", "سلام"]),
        ("first\u{200B}second @\u{200B}anna", ["first", "second", "anna"]),
        ("สวัส\u{200B}ดี", ["สว", "วั", "ัส", "สด", "ดี", "ี"]),
        ("мʼята Hawaiʻi", ["м", "ята", "hawai", "i"]),
        ("a\u{20DD}b", ["ab"]),
        ("x1️⃣1⃣y #️⃣ *️⃣ 21️⃣", ["x", "1⃣", "1⃣", "y", "#⃣", "*⃣", "2", "1⃣"]),
        ("no‼️ℹ️x ↔ 〰️", ["no", "‼", "ℹ", "x", "↔", "〰"]),
    ]

    @Test(arguments: foldings)
    func `case, diacritics and different encodings are folded`(text: String, terms: [String]) {
        #expect(self.terms(text) == terms)
    }

    @Test func `a script without spaces gives overlapping pairs and its last character`() {
        #expect(terms("中文字") == ["中文", "文字", "字"])
        #expect(terms("한국어 말") == ["한국", "국어", "어", "말"])
        #expect(terms("iPhone手机x") == ["iphone", "手机", "机", "x"])
        #expect(terms("ไทย") == ["ไท", "ทย", "ย"])
    }

    @Test func `a character and its parts give the same terms`() {
        for (parts, whole) in [
            ("\u{1112}\u{1161}\u{11AB}글", "한글"), ("か\u{3099}く", "がく"), ("ハ\u{309A}ン", "パン"),
            ("ﾊﾟﾝ", "パン"), ("ウ\u{3099}", "ヴ"), ("つ\u{3099}と\u{3099}", "づど"), ("\u{F900}", "豈"),
        ] {
            #expect(terms(parts) == terms(whole))
        }
    }

    @Test func `every term has the range of its text`() throws {
        let text = "Hé 中文, @Bo!"
        let list = TermScanner.terms(of: text)
        let parts = list.terms.map { term in
            String(decoding: Array(text.utf8)[term.textStart..<term.textEnd], as: UTF8.self)
        }
        #expect(parts == ["Hé", "中文", "文", "@", "Bo"])
    }

    @Test func `a long word is cut, and so is the word in a query`() throws {
        let word = String(repeating: "aé", count: 1_000)
        let term = try #require(terms(word).first)
        #expect(term.utf8.count <= SearchLimits.termBytesMax)
        #expect(terms(word + " b").count == 2)
        let wide = String(repeating: "\u{10400}", count: 100)
        #expect(terms("abc" + wide) == terms("abc" + wide + "x"))
    }

    @Test func `any bytes give terms inside the text`() throws {
        var random = SplitMix(seed: 10)
        for round in 0..<2_000 {
            var bytes = random.bytes(round % 64)
            if round % 2 == 0 {
                // Half of the inputs are valid UTF-8, so that longer sequences occur too.
                bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
            }
            var scanner = TermScanner()
            try bytes.withUnsafeBytes { text in
                try scanner.scan(text) { list throws(StoreError) in
                    var start = 0
                    for (index, term) in list.terms.enumerated() {
                        #expect(start <= term.textStart && term.textStart < term.textEnd)
                        #expect(term.textEnd <= text.count && !list.bytes(index).isEmpty)
                        start = term.textStart
                    }
                }
            }
        }
    }
}
