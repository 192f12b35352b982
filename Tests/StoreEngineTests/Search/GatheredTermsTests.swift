import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct GatheredTermsTests {
    @Test func `the lists of many messages contain each term's messages, in the order of terms`() throws {
        var random = SplitMix(seed: 31)
        // Many terms have the same first bytes, and some are the beginning of others.
        let beginnings = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "zzzzzzzzzzzz", "漢", "漢字漢字", "éclair"]
        func word() -> String {
            beginnings[Int(random.next() % 9)] + ["", "", "a", "b", "bb", "字"][Int(random.next() % 6)]
        }
        for round in 0..<200 {
            try expectLists(
                of: (0..<(round % 20)).map { _ in (0..<(random.next() % 8)).map { _ in word() }.joined(separator: " ") }
            )
        }
    }

    /// Tests a long text, whose duplicate terms are removed before the terms are sorted.
    @Test func `a long text has each of its terms once, whatever other texts there are`() throws {
        var random = SplitMix(seed: 32)
        func word() -> String {
            ["number\(random.next() % 3_000)", "abcdefgh\(random.next() % 50)", "漢字", "漢", "@a"][Int(random.next() % 5)]
        }
        for wordCount in [200, 255, 256, 257, 1_000, 20_000] {
            let long = (0..<wordCount).map { _ in word() }.joined(separator: " ")
            try expectLists(of: [long, "short number1", "", long, "漢字漢字"])
        }
    }

    /// Checks the lists of terms that are made from texts.
    ///
    /// - Parameter texts: the newest text first.
    private func expectLists(of texts: [String]) throws {
        let messages = texts.enumerated().map { number, text in
            let place = PostingPlace(microseconds: 0, id: "m", sequence: Int64(100 - number))
            return IndexedMessage(Posting(place: place, conversation: 1), TermScanner.terms(of: text))
        }
        var expected: [[UInt8]: [Int64]] = [:]
        for message in messages {
            for term in message.terms {
                expected[term, default: []].append(message.posting.place.sequence)
            }
        }
        var lists: [PostingList] = []
        try GatheredTerms(of: messages).forEachList { list throws(StoreError) in lists.append(list) }
        #expect(
            lists
                == expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                .map { PostingList(term: $0.key, sequences: $0.value) })
    }
}
