import SQLCipher
import StoreBasics
import Testing

@testable import StoreEngine

@Suite struct StoreErrorTests {
    @Test func `a lock of another connection is reported as busy and does not concern the whole store`() {
        let error = StoreError(SQLCipherError(kind: .busy, operation: "prepare"))
        #expect(error.reason == .storeBusy)
        #expect(error.retryAfterMilliseconds != nil)
        #expect(!error.concernsWholeStore && !error.losesDurability)
    }

    @Test func `a change with an unknown outcome loses durability and concerns the whole store`() {
        let error = StoreError(SQLCipherError(kind: .outcomeUnknown, operation: "commit"))
        #expect(error.losesDurability && error.concernsWholeStore)
    }
}
