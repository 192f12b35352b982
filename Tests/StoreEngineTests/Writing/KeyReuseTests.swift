import Testing

@testable import StoreEngine

@Suite struct KeyReuseTests {
    private let store: TemporaryStore
    private let key: IdempotencyKey

    init() throws {
        store = try TemporaryStore()
        key = try IdempotencyKey(Array("used-once".utf8), userID: 7)
    }

    private func reason(_ mutation: Mutation) -> StoreError.Reason? {
        let error = #expect(throws: StoreError.self) { try store.engine.write(mutation, key: key) }
        return error?.reason
    }

    private func message(to session: String) throws -> Mutation {
        .saveMessage(NewMessage(conversation: .session(try SessionID(session)), text: "once"))
    }

    @Test func `a key used again for another call or another conversation is refused and changes nothing`() throws {
        try store.engine.write(try message(to: "alice"), key: key)
        let revision = try store.engine.statistics().revision
        #expect(reason(try message(to: "bob")) == .idempotencyKeyReused)
        #expect(reason(.deleteConversation(.session(try SessionID("alice")))) == .idempotencyKeyReused)
        #expect(reason(.clearAllData) == .idempotencyKeyReused)
        #expect(try store.engine.statistics().revision == revision)
        try store.reopen()
        #expect(reason(try message(to: "bob")) == .idempotencyKeyReused)
        #expect(try store.engine.commit(try message(to: "alice"), key: key).isReplayed)
    }

    @Test func `a key of an append used again for another log or number of messages is refused`() throws {
        let configuration = LogConfiguration(maximumBytes: 1_000, overwritesOldest: true)
        let (first, second) = (try LogName("first"), try LogName("second"))
        try store.engine.write(.openLog(first, configuration))
        try store.engine.write(.openLog(second, configuration))
        func append(_ log: LogName, _ count: Int) -> Mutation {
            .appendLog(LogAppend(log: log, expected: nil, messages: [[UInt8]](repeating: [1], count: count)))
        }
        try store.engine.write(append(first, 2), key: key)
        #expect(reason(append(second, 2)) == .idempotencyKeyReused)
        #expect(reason(append(first, 3)) == .idempotencyKeyReused)
        #expect(try store.engine.write(append(first, 2), key: key) == .appended(1...2, isReplayed: true))
    }

    @Test func `operations differ by what they are about and not by what they write`() throws {
        let alice = ConversationReference.session(try SessionID("alice"))
        func of(_ mutation: Mutation) -> MutationFingerprint { MutationFingerprint(mutation) }
        #expect(
            of(.saveMessage(NewMessage(conversation: alice, text: "a")))
                == of(.saveMessage(NewMessage(conversation: alice, text: "b"))))
        #expect(of(.updateConversation(alice, ConversationUpdate())) != of(.markConversationRead(alice)))
        #expect(of(.markConversationRead(alice)) != of(.markConversationRead(.id(try EntityID("alice")))))
        let (whole, parts) = ([try EntityID("ab")], [try EntityID("a"), try EntityID("b")])
        #expect(of(.deleteMessages(whole)) != of(.deleteMessages(parts)))
        // Kept at rest: the same in every build.
        #expect(of(.clearAllData).value == 0xaf63_c94c_8601_cc43)
    }
}
