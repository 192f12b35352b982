import Testing

@testable import StoreClient

@Suite struct IdentityTests {
    @Test(arguments: [(7, false), (8, true), (16, true), (64, true), (65, false)])
    func `an idempotency key has 8 to 64 bytes`(count: Int, isAllowed: Bool) {
        #expect((IdempotencyKey(bytes: [UInt8](repeating: 1, count: count)) != nil) == isAllowed)
    }
}
