import Testing

@testable import StoreClient

@Suite struct IdentityTests {
    @Test func `a UUIDv7 has its time first, version 7 and the variant of RFC 9562`() {
        // The example of RFC 9562, appendix A.6: 0x017F22E279B0 milliseconds.
        let id = UUIDv7(nanosecondsSinceEpoch: 0x017F_22E2_79B0 * 1_000_000, random: .max)
        #expect(id.description == "017f22e2-79b0-7000-bfff-ffffffffffff")
    }

    @Test func `ids made later sort later`() {
        let earlier = UUIDv7(nanosecondsSinceEpoch: 1_000_000_000_000_000, random: .max)
        let later = UUIDv7(nanosecondsSinceEpoch: 1_000_000_000_000_300, random: 0)
        #expect(earlier.description < later.description)
    }

    @Test func `a hundred thousand ids are all different`() {
        var seen: Set<[UInt8]> = []
        for _ in 0..<100_000 {
            seen.insert(UUIDv7().bytes)
        }
        #expect(seen.count == 100_000)
    }

    @Test(arguments: [(7, false), (8, true), (16, true), (64, true), (65, false)])
    func `an idempotency key has 8 to 64 bytes`(count: Int, isAllowed: Bool) {
        #expect((IdempotencyKey(bytes: [UInt8](repeating: 1, count: count)) != nil) == isAllowed)
    }
}
