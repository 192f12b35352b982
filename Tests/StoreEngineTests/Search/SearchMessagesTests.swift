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

    private func save(
        _ texts: [String], from sender: String = "", in conversation: ConversationReference? = nil
    ) throws -> [EntityID] {
        var ids: [EntityID] = []
        for start in stride(from: 0, to: texts.count, by: EngineLimits.requestEntitiesMax) {
            let messages = texts[start...].prefix(EngineLimits.requestEntitiesMax).map {
                NewMessage(conversation: conversation ?? self.conversation, text: $0, senderSessionID: sender)
            }
            ids += try store.engine.commit(.saveMessages(messages)).ids.map { EntityID(trusted: $0) }
        }
        return ids
    }

    /// Returns the texts that a search finds on all pages, newest first.
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
            // While the index is not up to date, a page without a message may end where it began.
            #expect(count == 0 || query.before != end.last)
            query.before = end.last
        }
    }

    /// The sample dialogs in a store, each in a conversation of its own.
    private struct Library {
        struct Text {
            let id: EntityID
            let conversation: ConversationReference
            var text: String {
                didSet { terms = TermScanner.terms(of: text) }
            }
            private(set) var terms: TermList

            init(_ id: EntityID, _ conversation: ConversationReference, _ text: String) {
                self.id = id
                self.conversation = conversation
                self.text = text
                terms = TermScanner.terms(of: text)
            }
        }

        var texts: [Text] = []
        var random = SplitMix(seed: 13)

        mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

        func holding(_ query: SearchQuery, in conversation: ConversationReference? = nil) -> [String] {
            texts.reversed().filter { text in
                (conversation.map { $0 == text.conversation } ?? true)
                    && query.expression.matches(text.terms)
            }.map(\.text)
        }

        /// Edits and deletes some messages. The times of the messages do not change, so their order stays the order in
        /// which they were saved.
        mutating func change(_ engine: StoreEngine) throws {
            var kept: [Text] = []
            for var text in texts {
                switch below(4) {
                case 0:
                    _ = try engine.commit(.deleteMessages([text.id]))
                    continue
                case 1:
                    text.text = texts[below(texts.count)].text
                    _ = try engine.commit(.editMessage(text.id, text: text.text, editedAt: nil))
                default: break
                }
                kept.append(text)
            }
            texts = kept
        }
    }

    @Test func `words of every language are found in all conversations, after changes only where they remain`()
        throws
    {
        let dialogs = try SampleDialog.all()
        #expect(Set(dialogs.map(\.language)).count == 28)
        var library = Library()
        for (number, dialog) in dialogs.enumerated() {
            let reference = ConversationReference.session(SessionID(trusted: "dialog-\(number)"))
            let ids = try save(dialog.turns, in: reference)
            library.texts += zip(ids, dialog.turns).map { Library.Text($0, reference, $1) }
        }
        try expectFound(dialogs, &library)
        try library.change(store.engine)
        try expectFound(dialogs, &library)
    }

    /// Checks that the search finds the same messages as a comparison with the texts, for single words and several
    /// words.
    private func expectFound(_ dialogs: [SampleDialog], _ library: inout Library) throws {
        for dialog in dialogs {
            let isUnspaced = dialog.isUnspaced
            func word(_ library: inout Library) -> String {
                let words = SampleDialog.words(of: dialog.turns[library.below(dialog.turns.count)])
                let word = words.isEmpty ? dialog.language : words[library.below(words.count)]
                return isUnspaced ? String(word.prefix(3)) : word
            }
            let (one, other) = (word(&library), word(&library))
            let found = try found("\"\(one)\"", limit: 100) { $0.conversation = nil }
            let holding = library.texts.map(\.text).filter { text in
                isUnspaced
                    ? text.contains(one)
                    : SampleDialog.words(of: text).contains(one)
            }
            #expect(Set(found).isSuperset(of: holding), "\(dialog.language): \(one)")
            for text in [
                "\"\(one)\"", "\"\(one)\" \"\(other)\"", "\"\(one)\" OR \"\(other)\"", "\"\(one)\" NOT \"\(other)\"",
                "\(one.prefix(2))*", phrase(in: dialog, &library),
                "(\"\(one)\" OR \(other.prefix(1))*) NOT \(phrase(in: dialog, &library))",
            ] {
                guard let query = try? SearchQuery(text) else { continue }
                let conversation = library.below(3) == 0 ? library.texts.last?.conversation : nil
                let found = try self.found(text, limit: 100) { $0.conversation = conversation }
                #expect(found == library.holding(query, in: conversation), "\(dialog.language): \(text)")
            }
        }
    }

    /// Returns some consecutive words of a turn as a phrase.
    private func phrase(in dialog: SampleDialog, _ library: inout Library) -> String {
        let words = SampleDialog.words(of: dialog.turns[library.below(dialog.turns.count)])
        let first = library.below(max(1, words.count - 1))
        return "\"" + words.dropFirst(first).prefix(2 + library.below(2)).joined(separator: " ") + "\""
    }

    @Test func `filters apply together with the searched words`() throws {
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

    @Test func `a page of a search through much text ends in time, and the next page continues`() throws {
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
