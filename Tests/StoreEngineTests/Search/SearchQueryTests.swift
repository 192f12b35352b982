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
    func `a query finds what it says and nothing else`(query: String, found: [String], missed: [String]) throws {
        for text in found {
            #expect(try holds(text, query), "\(text)")
        }
        for text in missed {
            #expect(try !holds(text, query), "\(text)")
        }
    }

    private static let refusals: [(query: String, words: String)] = [
        ("", "holds no word"), (" \t", "holds no word"), ("...", "holds no word"), ("NOT a", "only says"),
        ("a OR NOT b", "at byte 5"), ("NOT b OR a", "at byte 0"), ("(a", "at byte 2"), ("a)", "at byte 1"),
        ("é \"b", "at byte 3"),
        ("a AND", "at byte 5"), ("OR a", "at byte 0"), ("a AND OR b", "at byte 6"), ("()", "at byte 1"),
        ("*", "a star"), ("a *b", "at byte 2"), ("a NOT", "at byte 5"),
        (String(repeating: "(", count: 100), "inside one another"),
        (String(repeating: "NOT ", count: 100) + "a", "inside one another"),
        (String(repeating: "a ", count: 129), "too many words"),
        (String(repeating: "a", count: 4_097), "4097 bytes"),
    ]

    @Test(arguments: refusals)
    func `what makes no sense is refused with its place`(query: String, words: String) throws {
        let error = #expect(throws: StoreError.self) { try SearchQuery(query) }
        #expect(error?.reason == .invalidArgument)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func `any text is a query or is refused`() throws {
        let parts = ["(", ")", "\"", "*", "AND", "OR", "NOT", " ", "a", "é", "中文", "@", "👍🏽", "\u{0}", "“", "a*"]
        var random = SplitMix(seed: 11)
        var accepted = 0
        for round in 0..<5_000 {
            let text = (0..<(round % 24)).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
            do throws(StoreError) {
                let query = try SearchQuery(text)
                accepted += 1
                _ = query.expression.ranges(in: TermScanner.terms(of: text))
            } catch {
                #expect(error.reason == .invalidArgument)
            }
        }
        #expect(accepted > 100)
    }

    @Test func `a text that matches has a place where it does`() throws {
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
