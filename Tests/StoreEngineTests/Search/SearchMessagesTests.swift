import FoundationEssentials
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct SearchMessagesTests {
    private let store: TemporaryStore
    private let conversation = ConversationReference.session(SessionID(trusted: "anna"))

    init() throws {
        store = try TemporaryStore()
    }

    private struct Dialog: Decodable {
        var language: String
        var turns: [String]
    }

    /// The sample dialogs in all languages.
    private static func dialogs() throws -> [Dialog] {
        let folder = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let data = try Data(contentsOf: URL(filePath: "/" + folder + "/Fixtures/dialogs-sample.jsonl"))
        return try data.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Dialog.self, from: $0) }
    }

    private func save(_ texts: [String], from sender: String = "") throws -> [EntityID] {
        var ids: [EntityID] = []
        for start in stride(from: 0, to: texts.count, by: EngineLimits.requestEntitiesMax) {
            let messages = texts[start...].prefix(EngineLimits.requestEntitiesMax).map {
                NewMessage(conversation: conversation, text: $0, senderSessionID: sender)
            }
            ids += try store.engine.commit(.saveMessages(messages)).ids.map { EntityID(trusted: $0) }
        }
        return ids
    }

    /// All that is found, page by page, newest first.
    private func found(
        _ text: String, limit: Int = 7, _ change: (inout MessageSearch) -> Void = { _ in }
    ) throws -> [String] {
        var query = MessageSearch(try SearchQuery(text), in: conversation, limit: limit)
        change(&query)
        let reader = store.engine.makeReader()
        var texts: [String] = []
        while true {
            var count = 0
            let end = try reader.searchMessages(query) { found in
                texts.append(String(decoding: found.message.text, as: UTF8.self))
                count += 1
                return .goOn
            }
            #expect(count <= limit)
            guard let end, end.hasMore else { return texts }
            #expect(query.before != end.last)
            query.before = end.last
        }
    }

    private static let unspaced: Set = ["chinese", "traditionalchinese", "japanese", "korean", "thai"]

    /// What a word is without the marks around it.
    private static func bare(_ word: some StringProtocol) -> String {
        String(word.drop { !$0.isLetter }.reversed().drop { !$0.isLetter }.reversed())
    }

    @Test func `words of every language are found, and after edits and deletes only where they are`() throws {
        let dialogs = try Self.dialogs()
        #expect(Set(dialogs.map(\.language)).count == 28)
        var texts = dialogs.flatMap(\.turns)
        let ids = try save(texts)
        try expectFound(in: dialogs, texts: texts)
        var random = SplitMix(seed: 13)
        var isKept = texts.map { _ in true }
        for index in texts.indices {
            switch random.next() % 4 {
            case 0:
                _ = try store.engine.commit(.deleteMessages([ids[index]]))
                isKept[index] = false
            case 1:
                texts[index] = texts[Int(random.next() % UInt64(texts.count))]
                _ = try store.engine.commit(.editMessage(ids[index], text: texts[index], editedAt: nil))
            default: break
            }
        }
        try expectFound(in: dialogs, texts: zip(texts, isKept).filter(\.1).map(\.0))
    }

    /// Each word is found where a look at the texts finds it.
    private func expectFound(in dialogs: [Dialog], texts: [String]) throws {
        for dialog in dialogs {
            for turn in dialog.turns.prefix(2) {
                for word in turn.split(whereSeparator: \.isWhitespace).prefix(3).map(Self.bare) where !word.isEmpty {
                    let isUnspaced = Self.unspaced.contains(dialog.language)
                    let term = isUnspaced ? String(word.prefix(3)) : word
                    let holding = texts.filter { text in
                        isUnspaced
                            ? text.contains(term)
                            : text.split(whereSeparator: \.isWhitespace).contains { Self.bare($0) == term }
                    }
                    let found = try found("\"\(term)\"")
                    #expect(Set(found).isSuperset(of: holding), "\(dialog.language): \(term)")
                    let matcher = try SearchQuery("\"\(term)\"").expression
                    #expect(found == texts.reversed().filter { matcher.matches(TermScanner.terms(of: $0)) })
                }
            }
        }
    }

    @Test func `filters hold beside what is searched for`() throws {
        _ = try save(["one two", "two"], from: "bob")
        _ = try save(["two three", "four"], from: "eve")
        #expect(try found("two") == ["two three", "two", "one two"])
        #expect(try found("two", limit: 1) == ["two three", "two", "one two"])
        #expect(try found("two") { $0.filter.senderSessionID = "bob" } == ["two", "one two"])
        #expect(try found("two NOT three") == ["two", "one two"])
        #expect(try found("two") { $0.conversation = nil } == ["two three", "two", "one two"])
        #expect(try found("two") { $0.filter.until = Timestamp(microseconds: 0) }.isEmpty)
        #expect(throws: StoreError.self) { try found("two", limit: 0) }
        #expect(throws: StoreError.self) { try found("two") { $0.conversation = .session(SessionID(trusted: "x")) } }
    }

    @Test func `a search through much text ends its page in time and goes on`() throws {
        let filler = String(repeating: "lorem ipsum ", count: 20_000)
        _ = try save(["needle"] + (0..<24).map { _ in filler } + ["needle too"])
        var query = MessageSearch(try SearchQuery("needle"), in: conversation)
        let reader = store.engine.makeReader()
        let end = try #require(try reader.searchMessages(query) { _ in .goOn })
        #expect(end.hasMore)
        query.before = end.last
        #expect(try found("needle") == ["needle too", "needle"])
    }
}
