import StoreBasics
import Synchronization
import TestBasics
import Testing

@testable import StoreEngine

/// Checks that everything in one answer is from the same moment.
@Suite struct OneMomentTests {
    private static let rounds = 300

    @Test func `a list never mixes a deleted conversation with the one that is created again`() throws {
        let store = try TemporaryStore()
        let engine = store.engine
        let alice = ConversationReference.session(SessionID(trusted: "alice"))
        let save = Mutation.saveMessage(NewMessage(conversation: alice, text: "there"))
        try engine.write(save)
        let isDone = Atomic<Bool>(false)
        let ended = OneShot<String>()
        try OwnThread.start {
            let outcome = Result {
                for _ in 0..<Self.rounds {
                    try engine.write(.deleteConversation(alice))
                    try engine.write(save)
                }
            }
            isDone.store(true, ordering: .releasing)
            ended.set("\(outcome)")
        }
        let reader = engine.makeReader()
        defer { reader.close() }
        var empty = 0
        while !isDone.load(ordering: .acquiring) {
            do throws(StoreError) {
                let page: StoredMessagePage = try reader.messages(MessageQuery(conversation: alice))
                empty += page.messages.isEmpty ? 1 : 0
            } catch {
                #expect(error.reason == .conversationNotFound)
            }
        }
        #expect(ended.wait() == "success()")
        #expect(empty == 0)
    }
}
