import SQLCipher
import StoreBasics
import TestBasics
import Testing

@testable import StoreEngine

/// Tests lists that skip rows and are returned in pages.
@Suite struct PageScanTests {
    private let store: TemporaryStore
    private let alice = ConversationReference.session(SessionID(trusted: "alice"))

    init() throws {
        store = try TemporaryStore()
    }

    private func fill(_ count: Int) throws {
        for start in stride(from: 0, to: count, by: 250) {
            try store.engine.write(
                .saveMessages(
                    (start..<start + 250).map(message)))
        }
    }

    private func message(_ number: Int) -> NewMessage {
        let isRare = number % 5_000 == 0
        return NewMessage(
            conversation: alice, text: "text", senderSessionID: isRare ? "bob" : "carol",
            timestamp: Timestamp(microseconds: Int64(number)), status: isRare ? .failed : .sent,
            isOutgoing: number % 2 == 0, isRead: number % 3 == 0, attachmentURL: number % 7 == 0 ? "u" : nil)
    }

    @Test func `pages that skip many rows lead to all matches, wherever they end`() throws {
        try fill(20_000)
        let reader = store.engine.makeReader()
        for order in [MessageOrder.newestFirst, .oldestFirst] {
            var query = MessageQuery(conversation: alice, limit: 1_000, order: order)
            query.filter.senderSessionID = "bob"
            var found: [Int64] = []
            while true {
                let page = try reader.messages(query)
                found += page.messages.map(\.timestamp.microseconds)
                guard page.hasMore else { break }
                let last = try #require(page.last)
                switch order {
                case .newestFirst: query.before = last
                case .oldestFirst: query.after = last
                }
            }
            let expected: [Int64] = [0, 5_000, 10_000, 15_000]
            #expect(found == (order == .oldestFirst ? expected : expected.reversed()))
        }
    }

    @Test func `every filter skips the rows that it should`() throws {
        try fill(2_000)
        func count(_ change: (inout MessageQuery) -> Void) throws -> Int {
            var query = MessageQuery(conversation: alice, limit: 1_000)
            change(&query)
            var count = 0
            while true {
                let page = try store.engine.makeReader().messages(query)
                count += page.messages.count
                guard page.hasMore else { return count }
                query.before = page.last
            }
        }
        #expect(try count { $0.filter.isOutgoing = true } == 1_000)
        #expect(try count { $0.filter.isRead = true } == 667)
        #expect(try count { $0.filter.isRead = false } == 1_333)
        #expect(try count { $0.filter.status = .failed } == 1)
        #expect(try count { $0.filter.hasAttachment = true } == 286)
        #expect(try count { $0.filter.hasAttachment = false } == 1_714)
        #expect(try count { $0.filter.senderSessionID = "nobody" } == 0)
        #expect(
            try count {
                $0.filter.isOutgoing = true
                $0.filter.isRead = true
            } == 334)
    }

    @Test func `a scan ends after the row at which its time is over`() {
        var scan = PageScan()
        var passed = 0
        while scan.mayPassRow() {
            passed += 1
        }
        #expect(passed > 0)
    }

    @Test func `filtered lists of conversations and contacts are complete, page by page`() throws {
        for number in 0..<300 {
            let session = SessionID(trusted: "c\(number)")
            try store.engine.write(.getOrCreateConversation(session, id: nil, displayName: nil))
            try store.engine.write(
                .updateConversation(
                    .session(session), ConversationUpdate(isPinned: number % 50 == 0, isMuted: number % 10 == 0)))
            try store.engine.write(.saveContact(ContactUpdate(sessionID: session, isBlocked: number % 10 == 0)))
            if number % 3 == 0 {
                try store.engine.write(
                    .saveMessage(NewMessage(conversation: .session(session), text: "last \(number)")))
            }
        }
        let reader = store.engine.makeReader()
        var query = ConversationQuery(limit: 7, isMuted: true)
        var found: [Conversation] = []
        repeat {
            let page = try reader.conversations(query)
            found += page.conversations
            query.cursor = page.nextCursor
        } while query.cursor != nil
        #expect(found.count == 30 && Set(found.map(\.id)).count == 30 && found.allSatisfy { $0.isMuted })
        #expect(found.prefix(6).allSatisfy { $0.isPinned } && found.dropFirst(6).allSatisfy { !$0.isPinned })
        #expect(found.count { $0.lastMessage != nil } == 10)
        #expect(found.allSatisfy { $0.lastMessage.map { $0.text.hasPrefix("last ") } ?? true })
        var unread = ConversationQuery(limit: 1_000, hasUnread: true)
        unread.isPinned = false
        var unreadCount = 0
        repeat {
            // On a busy machine, a page may reach its time limit before it has all rows.
            let page = try reader.conversations(unread)
            unreadCount += page.conversations.count
            unread.cursor = page.nextCursor
        } while unread.cursor != nil
        #expect(unreadCount == 98)
        var contacts = ContactQuery(limit: 7, isBlocked: true)
        var names: [String] = []
        repeat {
            let page = try reader.contacts(contacts)
            names += page.contacts.map(\.sessionID.text)
            contacts.cursor = page.nextCursor
        } while contacts.cursor != nil
        #expect(names.count == 30 && Set(names).count == 30)
    }

    @Test func `a read ends when its deadline passes while it runs`() throws {
        try fill(2_000)
        let outcome = OneShot<Result<Int64, StoreError>>()
        let deadline = MonotonicClock.nanoseconds + 50_000_000
        try store.engine.readInBackground(deadline: deadline) { reader in
            outcome.set(
                Result { () throws(StoreError) in
                    try reader.read { connection throws(StoreError) in
                        // This query never ends by itself.
                        try mapped(
                            connection.integer(
                                """
                                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
                                """)) ?? 0
                    }
                })
        }
        guard case .failure(let error) = outcome.wait() else {
            Issue.record("the read was finished")
            return
        }
        #expect(error.reason == .deadlineExceeded)
        // The reader of the thread serves the next read.
        let next = OneShot<Bool>()
        for _ in 0..<4 {
            try store.engine.readInBackground { reader in
                next.set(
                    (try? reader.messages(MessageQuery(conversation: .session(SessionID(trusted: "alice")))) { _ in
                        .goOn
                    }) != nil)
            }
        }
        #expect(next.wait())
    }

    @Test func `a list waits for at most one read of a user who has queued a thousand`() throws {
        let order = Seen<UInt32>()
        let (gate, end) = (OneShot<Bool>(), OneShot<Bool>())
        defer { end.set(true) }
        // All threads of the pool are busy. Only one of them is released and does all the reads, so their order is the
        // order of the queue.
        let threadCount = EngineConfiguration(stateDirectory: "", onLostDurability: { _ in fatalError() }).readerThreads
        for thread in 0..<threadCount {
            let isBusy = OneShot<Bool>()
            try store.engine.readInBackground(for: WorkOwner(userID: 9, connection: 9)) { _ in
                isBusy.set(true)
                _ = (thread == 0 ? gate : end).wait()
            }
            #expect(isBusy.wait())
        }
        for connection in 0..<1_000 {
            try store.engine.readInBackground(for: WorkOwner(userID: 1, connection: UInt64(connection))) { _ in
                order.add(1)
            }
        }
        try store.engine.readInBackground(for: WorkOwner(userID: 2, connection: 1)) { _ in order.add(2) }
        gate.set(true)
        #expect(eventually { order.all.count == 1_001 })
        #expect(try #require(order.all.firstIndex(of: 2)) <= 1)
    }
}
