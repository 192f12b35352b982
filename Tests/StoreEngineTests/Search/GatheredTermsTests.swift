import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct GatheredTermsTests {
    @Test func `the lists of many messages are those of each term, in the order of terms`() throws {
        var random = SplitMix(seed: 31)
        // Many that are the same in their first bytes, and some that are the beginning of others.
        let beginnings = ["", "a", "abcdefg", "abcdefgh", "abcdefghi", "zzzzzzzzzzzz", "漢", "漢字漢字", "éclair"]
        func word() -> String {
            beginnings[Int(random.next() % 9)] + ["", "", "a", "b", "bb", "字"][Int(random.next() % 6)]
        }
        for round in 0..<200 {
            let messages = (0..<(round % 20)).map { number in
                let text = (0..<(random.next() % 8)).map { _ in word() }.joined(separator: " ")
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
}
