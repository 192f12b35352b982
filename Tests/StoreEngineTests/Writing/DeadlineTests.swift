import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct DeadlineTests {
    @Test func `a request whose deadline has passed has no effect`() throws {
        let store = try TemporaryStore()
        let request = WriteRequest(
            .saveMessage(NewMessage(conversation: .session(try SessionID("a")), text: "late")),
            deadline: MonotonicClock.nanoseconds - 1)
        let error = #expect(throws: StoreError.self) { try store.engine.write(request) }
        #expect(error?.reason == .deadlineExceeded)
        #expect(try store.engine.statistics().messageCount == 0)
    }
}
