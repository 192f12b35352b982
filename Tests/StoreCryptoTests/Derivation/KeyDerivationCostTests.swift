import StoreCrypto
import Testing

@Suite struct KeyDerivationCostTests {
    typealias Numbers = (memoryBytes: UInt64, passes: UInt32)

    private static let mebibyte: UInt64 = 1 << 20
    private static let allowed: [Numbers] = [
        (8 * mebibyte, 1), (1_024 * mebibyte, 16), (256 * mebibyte, 3), (8 * mebibyte + 1_024, 1),
    ]
    private static let refused: [Numbers] = [
        (0, 0), (0, 3), (8 * mebibyte - 1_024, 1), (8 * mebibyte, 0), (1_024 * mebibyte + 1_024, 1),
        (1_024 * mebibyte, 17), (.max, 1), (8 * mebibyte, .max), (8 * mebibyte + 1, 1), (.max, .max),
    ]

    @Test(arguments: Self.allowed) func `costs within the range are taken`(memoryBytes: UInt64, passes: UInt32) throws {
        let cost = try KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        #expect(cost.memoryBytes == memoryBytes)
        #expect(cost.passes == passes)
    }

    @Test(arguments: Self.refused) func `costs outside are refused`(memoryBytes: UInt64, passes: UInt32) {
        let thrown = code { () throws(CryptoError) in
            _ = try KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        }
        #expect(thrown == .costOutOfRange)
    }

    @Test func `named costs are what they are called`() {
        #expect(KeyDerivationCost.moderate.memoryBytes == 256 << 20)
        #expect(KeyDerivationCost.moderate.passes == 3)
        #expect(KeyDerivationCost.lowForTests.memoryBytes == 8 << 20)
        #expect(KeyDerivationCost.lowForTests.passes == 1)
    }
}
