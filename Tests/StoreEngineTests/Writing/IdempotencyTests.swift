import Testing

@testable import StoreEngine

@Suite struct IdempotencyTests {
    @Test func theSameKeyGivesTheSameAnswerAndWritesOnce() throws {
        let store = try TemporaryStore()
        let key = try IdempotencyKey(Array("0123456789abcdef".utf8), userID: 7)
        let mutation = Mutation.saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "once"))
        let first = try store.engine.write(mutation, key: key)
        var second = try store.engine.write(mutation, key: key)
        #expect(second.isReplayed)
        second.isReplayed = false
        #expect(second == first)
        #expect(try store.engine.statistics().messageCount == 1)
        try store.reopen()
        #expect(try store.engine.write(mutation, key: key).isReplayed)
        let other = try IdempotencyKey(Array("0123456789abcdef".utf8), userID: 8)
        #expect(try !store.engine.write(mutation, key: other).isReplayed)
        #expect(try expectClean(store.engine) == [])
    }

    @Test func aDeadlineThatPassedMeansNoEffect() throws {
        let store = try TemporaryStore()
        let request = WriteRequest(
            .saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "late")),
            deadline: .now - .seconds(1))
        let error = #expect(throws: StoreError.self) { try store.engine.write(request) }
        #expect(error?.reason == .deadlineExceeded)
        #expect(try store.engine.statistics().messageCount == 0)
    }
}
