import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct SearchQueryTests {
    private func holds(_ text: String, _ query: String) throws -> Bool {
        try SearchQuery(query).expression.matches(TermScanner.terms(of: text))
    }

    private static let cases: [(query: String, found: [String], missed: [String])] = [
        ("hello", ["Hello, world", "HELLO"], ["hell", "helloo"]),
        ("hello world", ["world: hello"], ["hello"]),
        ("hello AND world", ["world: hello"], ["world"]),
        ("\"hello world\"", ["hello, World!"], ["world hello", "hello big world"]),
        ("wor*", ["world", "wor"], ["sword"]),
        ("a OR b c", ["a", "b c"], ["b", "c"]),
        ("(a OR b) c", ["a c", "b c"], ["a", "b", "c"]),
        ("a NOT b", ["a", "a c"], ["a b", "b"]),
        ("a AND NOT (b OR c)", ["a"], ["a b", "a c"]),
        ("NOT b a", ["a"], ["a b"]),
        ("a NOT (NOT b)", ["a b"], ["a"]),
        ("a NOT b NOT c", ["a"], ["a b", "a c"]),
        ("and or not", ["not or and"], ["and or"]),
        ("don't", ["don't", "don’t", "don t"], ["dont"]),
        ("anna@example.org", ["mail anna@example.org"], ["anna example org"]),
        ("@anna", ["@Anna"], ["anna"]),
        ("anna", ["@Anna", "anna"], ["annas"]),
        ("中文", ["学中文吗"], ["中 文", "文中"]),
        ("字", ["字", "字典", "汉字"], ["学"]),
        ("国", ["한국 中国人"], ["中"]),
        ("국어", ["한국어는"], ["한국"]),
        ("\"手机 x\"", ["手机x", "买手机 x"], ["手机卡 x", "手机 xy"]),
        ("สวัสดี", ["พูดสวัสดีครับ"], ["สวัส"]),
        ("👍", ["ok👍🏿"], ["👎"]),
        ("... a", ["a"], ["b"]),
        ("a OR ...", ["a"], ["b"]),
        ("“hello world”", ["hello world"], ["world hello"]),
        ("Ünï*", ["unicode"], ["un"]),
    ]

    @Test(arguments: cases)
    func `a query finds exactly the texts that match it`(query: String, found: [String], missed: [String]) throws {
        for text in found {
            #expect(try holds(text, query), "\(text)")
        }
        for text in missed {
            #expect(try !holds(text, query), "\(text)")
        }
    }

    /// Queries with quotation marks inside words, and queries with incomplete or unpaired signs.
    private static let typedTexts: [(query: String, found: [String], missed: [String])] = [
        ("צה\"ל", ["חייל צה\"ל", "צה״ל", "צה”ל"], ["צה", "ל צה"]),
        ("ארה\"ב צה\"ל", ["צה\"ל אמר היום ארה\"ב"], ["צה\"ל"]),
        ("\"אמר צה\"ל היום\"", ["אמר צה\"ל היום"], ["צה\"ל אמר היום"]),
        ("27\" screen", ["a 27\" screen", "screen of 27"], ["27"]),
        ("5\"3", ["5\"3"], ["3 5"]),
        ("14\" \"red fish\"", ["red fish 14"], ["fish red 14"]),
        ("fish \"red", ["red fish"], ["fish"]), ("\"red fish", ["a red fish"], ["fish red"]),
        ("fish\" bird", ["bird fish"], ["fish"]), ("NOT\"red fish\" bird", ["bird"], ["bird red fish"]),
        ("\"中文\"字", ["字 中文"], ["字"]), ("中“文字”", ["文字 中"], ["中 文 字"]),
        ("„red fish“", ["red fish"], ["fish red"]),
        ("anna (w", ["w anna"], ["anna"]), ("(a OR b", ["b"], ["c"]), ("a)", ["a"], ["b"]),
        ("a) b (c", ["a b c"], ["a b"]),
        ("a AND", ["a"], ["b"]), ("a OR", ["a"], ["or"]), ("OR a", ["a"], ["or"]), ("a AND OR b", ["a", "b"], ["c"]),
        ("a NOT", ["a", "a not"], ["not"]), ("a NOT )", ["a"], ["b"]), ("a ()", ["a"], ["b"]),
        ("a *b", ["a b"], ["a bc"]), ("a*b", ["a*b"], ["a", "ab"]), ("fis**", ["fish"], ["ish"]),
        ("OR", ["this or that"], ["this"]), ("NOT", ["is not"], ["is"]), ("AND OR", ["and or"], ["or and"]),
        ("NOT a", ["not a"], ["a", "not", "b"]), ("a OR NOT b", ["a", "not b"], ["b", "c"]),
        ("...", [], ["...", "a"]), ("€", [], ["€", "5 €"]), (" \t", [], ["", "a"]), ("(", [], ["("]),
        ("\"", [], ["\""]),
        ("*", [], ["*", "a"]), ("()", [], ["a"]), ("-x", ["x"], ["y"]),
    ]

    @Test(arguments: typedTexts)
    func `an unfinished query, or one with quotation marks in words, finds what a person would expect`(
        query: String, found: [String], missed: [String]
    ) throws {
        for text in found {
            #expect(try holds(text, query), "\(text)")
        }
        for text in missed {
            #expect(try !holds(text, query), "\(text)")
        }
    }

    @Test func `every beginning of every query is accepted, as a complete query and as a typed one`() throws {
        let queries =
            Self.cases.map(\.query) + Self.typedTexts.map(\.query) + [
                "(fish OR bird) \"red", "a AND NOT (b OR \"c d\")", "*️⃣ 27\" NOT (\"x y\" OR z*)", ")))(((",
                "NOT (NOT (a))",
                "\"\"\"", "“a”b“c", "a OR NOT b OR NOT (c d)",
            ]
        for query in queries {
            for count in 1...query.unicodeScalars.count {
                let beginning = String(String.UnicodeScalarView(query.unicodeScalars.prefix(count)))
                #expect(throws: Never.self, "\(beginning)") {
                    _ = try SearchQuery(beginning)
                    _ = try SearchQuery(typed: beginning)
                }
            }
        }
    }

    @Test func `the last word of a typed query may be incomplete, even in a phrase`() throws {
        let list = TermScanner.terms(of: "my red fish")
        for (query, isFound) in [
            ("fi", true), ("\"red fi", true), ("\"red fi\"", false), ("\"red fish ", true), ("\"re ", false),
            ("(my re", true), ("(my re)", false), ("my OR", true), ("mine OR", false),
        ] {
            #expect(try SearchQuery(typed: query).expression.matches(list) == isFound, "\(query)")
        }
    }

    private static let refusals: [(query: String, words: String)] = [
        ("", "is empty"),
        (String(repeating: "(", count: 100), "too many nested parts"),
        (String(repeating: "NOT ", count: 100) + "a", "too many nested parts"),
        (String(repeating: "a ", count: 129), "too many words"),
        (String(repeating: "OR ", count: 129), "too many words"),
        (String(repeating: "a", count: 4_097), "4097 bytes"),
    ]

    @Test(arguments: refusals)
    func `a query beyond a limit is refused`(query: String, words: String) throws {
        let error = #expect(throws: StoreError.self) { try SearchQuery(query) }
        #expect(error?.reason == .invalidArgument)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `any text is a query`() throws {
        let parts = ["(", ")", "\"", "*", "AND", "OR", "NOT", " ", "a", "é", "中文", "@", "👍🏽", "\u{0}", "“", "a*", "1️⃣"]
        var random = SplitMix(seed: 11)
        for round in 1..<5_000 {
            let text = (0..<(1 + round % 24)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
            let query = try SearchQuery(text)
            _ = query.expression.ranges(in: TermScanner.terms(of: text))
        }
    }

    @Test func `a matching text has a range that matches`() throws {
        let texts = ["中文字典", "hello world", "a b a b", "한국어 a", "@anna 👍🏽"]
        for text in texts {
            for query in ["中", "字", "典", "文字", "wor*", "\"a b\"", "국어", "어", "anna", "👍"] {
                let list = TermScanner.terms(of: text)
                let expression = try SearchQuery(query).expression
                #expect(expression.matches(list) == !expression.ranges(in: list).isEmpty)
            }
        }
    }
}
