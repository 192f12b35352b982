import Glibc
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct SearchRankingTests {
    private let store: TemporaryStore
    private let conversation = ConversationReference.session(SessionID(trusted: "anna"))

    init() throws {
        store = try TemporaryStore()
    }

    private func save(_ texts: [String]) throws {
        for start in stride(from: 0, to: texts.count, by: EngineLimits.requestEntitiesMax) {
            let part = texts[start...].prefix(EngineLimits.requestEntitiesMax)
            _ = try store.engine.commit(.saveMessages(part.map { NewMessage(conversation: conversation, text: $0) }))
        }
    }

    private func page(
        _ query: String, limit: Int = 10, before: MessageCursor? = nil, everywhere: Bool = true
    ) throws -> (texts: [String], end: MessagePageEnd) {
        var search = MessageSearch(try SearchQuery(query), in: everywhere ? nil : conversation, limit: limit)
        search.order = .bestFirst
        search.before = before
        var texts: [String] = []
        let end = try store.engine.makeReader().searchMessages(search) { found in
            texts.append(String(decoding: found.message.text, as: UTF8.self))
            return .goOn
        }
        return (texts, try #require(end))
    }

    @Test(arguments: [true, false])
    func `texts with more matches, fewer other words and rarer words come first`(everywhere: Bool) throws {
        try save([
            "fish", "a fish in the sea is a fish", "one fish among very many other words", "bird", "no words of it",
            "a bird with a fish",
        ])
        #expect(
            try page("fish", everywhere: everywhere).texts == [
                "fish", "a fish in the sea is a fish", "a bird with a fish", "one fish among very many other words",
            ])
        // Fewer messages contain "bird" than "fish", so "bird" weighs more.
        #expect(try page("fish OR bird", limit: 2, everywhere: everywhere).texts == ["bird", "a bird with a fish"])
        #expect(try page("fish NOT sea", limit: 1, everywhere: everywhere).texts == ["fish"])
        #expect(try page("absent", everywhere: everywhere).texts.isEmpty)
        #expect(try page("absent", everywhere: everywhere).end.hasMore == false)
    }

    @Test func `of equal matches the newer one comes first`() throws {
        try save((0..<20).map { "word \($0)" })
        #expect(try page("word", limit: 3).texts == ["word 19", "word 18", "word 17"])
    }

    @Test func `a page ranks the newest messages, and the next page older ones`() throws {
        let windowCount = SearchLimits.rankedMessagesMax
        try save(["word"] + (0..<windowCount).map { "word \($0)" })
        var (texts, end) = try page("word", limit: 1)
        // A page may end early if time is over, even before it has found something.
        var pages = [texts]
        while end.hasMore {
            (texts, end) = try page("word", limit: 1, before: end.last)
            pages.append(texts)
        }
        let found = pages.flatMap { $0 }
        #expect(found.count >= 2 && found.dropLast().allSatisfy { $0.hasPrefix("word ") } && found.last == "word")
    }

    /// Computes the score of each message by the formula in proto-docs/SEARCH.md (Okapi BM25), and compares the order
    /// with these scores.
    @Test func `the order follows the published formula`() throws {
        var random = SplitMix(seed: 29)
        let words = ["red", "fish", "blue", "bird", "x", "y", "z"]
        let texts = (0..<60).map { _ in
            (0..<Int(1 + random.next() % 12)).map { _ in words[Int(random.next() % 7)] }.joined(separator: " ")
        }
        try save(texts)
        let query = ["red", "fish"]
        let found = texts.reversed().map { $0.split(separator: " ").map(String.init) }
            .filter { $0.contains("red") || $0.contains("fish") }
        let mean = Double(found.reduce(0) { $0 + $1.count }) / Double(found.count)
        func score(_ text: [String]) -> Double {
            query.reduce(0) { sum, word in
                let holding = Double(found.count { $0.contains(word) })
                let rarity = log(1 + (Double(found.count) - holding + 0.5) / (holding + 0.5))
                let count = Double(text.count { $0 == word })
                return sum + rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * Double(text.count) / mean))
            }
        }
        let scores = try page("red OR fish", limit: 1_000).texts.map {
            score($0.split(separator: " ").map(String.init))
        }
        #expect(scores.count == found.count)
        for (better, worse) in zip(scores, scores.dropFirst()) {
            #expect(better >= worse - 1e-9)
        }
    }
}
