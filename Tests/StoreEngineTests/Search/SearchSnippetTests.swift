import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct SearchSnippetTests {
    private struct Found {
        let text: String
        let offset: Int
        let matches: [Range<Int>]
    }

    private func snippet(_ text: String, _ query: String) throws -> Found {
        let ranges = try SearchQuery(query).expression.ranges(in: TermScanner.terms(of: text))
        let bytes = Array(text.utf8)
        let snippet = bytes.withUnsafeBytes { SearchSnippet(of: $0, around: ranges) }
        return Found(
            text: String(decoding: bytes[snippet.range], as: UTF8.self), offset: snippet.range.lowerBound,
            matches: snippet.matches)
    }

    private func parts(_ snippet: Found) -> [String] {
        snippet.matches.map { String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self) }
    }

    @Test func `a short text is shown whole with every match`() throws {
        let found = try snippet("Hé, he and HE\u{301}!", "he")
        #expect(found.text == "Hé, he and HE\u{301}!")
        #expect(found.offset == 0)
        #expect(parts(found) == ["Hé", "he", "HE\u{301}"])
    }

    @Test func `matches of phrases and of single characters are marked exactly`() throws {
        #expect(try parts(snippet("买手机 x 手机x", "\"手机 x\"")) == ["手机 x", "手机x"])
        #expect(try parts(snippet("汉字字典", "字")) == ["字", "字"])
        #expect(try parts(snippet("a b c", "\"a b\" OR \"b c\"")) == ["a b c"])
        #expect(try parts(snippet("ok 👍🏽!", "👍")) == ["👍🏽"])
    }

    @Test func `a long text is cut around the first match, between characters`() throws {
        for filler in ["x ", "é́ ", "中", "👨‍👩‍👧‍👦", "क्षि "] {
            let text = String(repeating: filler, count: 500) + " needle " + String(repeating: filler, count: 500)
            let found = try snippet(text, "needle")
            #expect(found.text.utf8.count <= SearchLimits.snippetBytesMax)
            #expect(parts(found) == ["needle"])
            let bytes = Array(text.utf8)[found.offset...].prefix(found.text.utf8.count)
            #expect(bytes.elementsEqual(found.text.utf8))
            let borders = Set(text.indices.map { text.utf8.distance(from: text.startIndex, to: $0) })
            #expect(borders.contains(found.offset) && borders.contains(found.offset + found.text.utf8.count))
        }
    }

    @Test func `any text has a snippet`() throws {
        let pieces = ["e", "\u{301}", "👨", "\u{200D}", "中", " ", "\r", "\n", "ि", "क", "🇩", "needle"]
        var random = SplitMix(seed: 12)
        for round in 0..<1_000 {
            let text = (0..<(round % 400)).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
            let found = try snippet(text, "needle* OR e")
            for match in found.matches {
                #expect(match.upperBound <= found.text.utf8.count && !match.isEmpty)
            }
        }
    }

    @Test func `printable ASCII is cut like any other text`() throws {
        let pieces = ["a", " ", "~", "needle", " needle ", "\n", "é", "\u{301}", "\r"]
        var random = SplitMix(seed: 13)
        for round in 0..<3_000 {
            // The text is mostly ASCII, sometimes with other characters at random places.
            var chosen = (0..<(round % 300)).map { _ in pieces[Int(random.next() % 5)] }
            for _ in 0..<(round % 3) where !chosen.isEmpty {
                chosen[Int(random.next() % UInt64(chosen.count))] = pieces[Int(random.next() % UInt64(pieces.count))]
            }
            let bytes = Array(chosen.joined().utf8)
            let ranges = try SearchQuery("needle").expression.ranges(
                in: bytes.withUnsafeBytes { TermScanner.terms(of: $0) })
            let wanted = max(0, (ranges.first?.lowerBound ?? 0) - SearchLimits.snippetLeadBytesMax)
            bytes.withUnsafeBytes { bytes in
                #expect(
                    SearchSnippet(of: bytes, around: ranges) == SearchSnippet(of: bytes, around: ranges, from: wanted))
            }
        }
    }
}
