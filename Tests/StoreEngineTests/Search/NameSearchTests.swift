import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

@Suite struct NameSearchTests {
    private static let names = ["Anna Müller", "annika", "", "Bob Annan", "李小龙", "Zoë", "O'Brien, Pat"]

    /// Returns a store with a contact and a conversation for each name. Their session ids contain the number of the
    /// name.
    private func store(_ names: [String]) throws -> TemporaryStore {
        let store = try TemporaryStore()
        for (number, name) in names.enumerated() {
            let session = SessionID(trusted: "05n\(number)")
            try store.engine.write(.saveContact(ContactUpdate(sessionID: session, displayName: name)))
            try store.engine.write(
                .getOrCreateConversation(session, id: nil, displayName: name.isEmpty ? nil : name))
        }
        return store
    }

    /// Returns the numbers of the names that a search finds on all pages.
    private func found(
        _ text: String, _ engine: StoreEngine
    ) throws -> (contacts: [Int], conversations: [Int], pageCount: Int) {
        let reader = engine.makeReader()
        var contacts: [String] = []
        var conversations: [String] = []
        var pageCount = 0
        var query = ContactQuery(limit: 2, search: try SearchQuery(typed: text))
        repeat {
            let page = try reader.contacts(query)
            contacts += page.contacts.map(\.sessionID.text)
            query.cursor = page.nextCursor
            pageCount += 1
        } while query.cursor != nil
        var other = ConversationQuery(limit: 2, search: try SearchQuery(typed: text))
        repeat {
            let page = try reader.conversations(other)
            conversations += page.conversations.map(\.sessionID.text)
            other.cursor = page.nextCursor
        } while other.cursor != nil
        func numbers(_ sessions: [String]) -> [Int] { sessions.compactMap { Int($0.dropFirst(3)) }.sorted() }
        return (numbers(contacts), numbers(conversations), pageCount)
    }

    @Test func `names are found by words, of which the last may be incomplete`() throws {
        let store = try store(Self.names)
        for (query, expected) in [
            ("ann", [0, 1, 3]), ("ann ", []), ("anna", [0, 3]), ("\"anna\"", [0]), ("anna mul", [0]), ("an* bob", [3]),
            ("小", [4]), ("李小", [4]), ("zoe", [5]), ("brien", [6]), ("05n2", [2]), ("05n", [0, 1, 2, 3, 4, 5, 6]),
            ("ann* NOT bob", [0, 1]), ("zoe OR 05n6", [5, 6]), ("anna 05n0", [0]), ("\"muller 05n0\"", []),
            ("absent", []),
        ] {
            let found = try found(query, store.engine)
            #expect(found.contacts == expected, "\(query)")
            #expect(found.conversations == expected, "\(query)")
        }
    }

    @Test func `names in every language are found after others were changed or removed`() throws {
        let dialogs = try SampleDialog.all()
        var names = dialogs.map { String($0.turns[0].prefix(60)) }
        let store = try store(names)
        for number in names.indices {
            let session = SessionID(trusted: "05n\(number)")
            switch number % 3 {
            case 0:
                names[number] = ""
                try store.engine.write(.deleteContact(session))
                try store.engine.write(.deleteConversation(.session(session)))
            case 1:
                names[number] = "renamed " + names[(number + 1) % names.count]
                try store.engine.write(.saveContact(ContactUpdate(sessionID: session, displayName: names[number])))
                let update = ConversationUpdate(displayName: names[number])
                try store.engine.write(.updateConversation(.session(session), update))
            default: break
            }
        }
        for (number, dialog) in dialogs.enumerated() {
            let words = SampleDialog.words(of: dialog.turns[0])
            guard let word = dialog.isUnspaced ? words.first.map({ String($0.prefix(3)) }) : words.last else {
                continue
            }
            let query = "\"\(word)\""
            let expression = try SearchQuery(query).expression
            let holding = names.indices.filter { expression.matches([TermScanner.terms(of: names[$0])]) }
            let found = try found(query, store.engine)
            #expect(found.contacts == holding, "\(dialog.language): \(word)")
            #expect(found.conversations == holding, "\(dialog.language): \(word)")
            // A simpler search, whose results must be among the found ones.
            let plain = names.indices.filter { index in
                dialog.isUnspaced ? names[index].contains(word) : SampleDialog.words(of: names[index]).contains(word)
            }
            #expect(Set(holding).isSuperset(of: plain), "\(dialog.language) \(number): \(word)")
        }
    }

    @Test func `pages of a search through many names end in time, and together contain every match`() throws {
        let store = try TemporaryStore()
        try store.engine.writer.perform { context throws(StoreError) in
            try context.commit { connection throws(StoreError) in
                try mapped(
                    connection.execute(
                        """
                        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
                        INSERT INTO contacts (id, session_id, display_name, sort_key, created_at, updated_at)
                        SELECT 'c' || i, '05n' || i, 'some name ' || i, '0some name ' || i, 0, 0 FROM n
                        """))
            }
        }
        let found = try found("name 3999", store.engine)
        #expect(found.contacts == [3_999])
        #expect(found.pageCount > 1)
    }
}
