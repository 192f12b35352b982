import FoundationEssentials
import StoreCrypto
import Testing

@Suite struct KeyDerivationCostTests {
    typealias Numbers = (memoryBytes: UInt64, passes: UInt32)

    private static let mebibyte: UInt64 = 1 << 20
    private static let allowed: [Numbers] = [
        (8 * mebibyte, 1), (512 * mebibyte, 8), (256 * mebibyte, 3), (8 * mebibyte + 1_024, 1),
    ]
    private static let refused: [Numbers] = [
        (0, 0), (0, 3), (8 * mebibyte - 1_024, 1), (8 * mebibyte, 0), (512 * mebibyte + 1_024, 1),
        (512 * mebibyte, 9), (.max, 1), (8 * mebibyte, .max), (8 * mebibyte + 1, 1), (.max, .max),
    ]

    @Test(arguments: Self.allowed) func `costs within the range are accepted`(memoryBytes: UInt64, passes: UInt32)
        throws
    {
        let cost = try KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        #expect(cost.memoryBytes == memoryBytes)
        #expect(cost.passes == passes)
    }

    @Test(arguments: Self.refused) func `costs outside the range are refused`(memoryBytes: UInt64, passes: UInt32) {
        let thrown = code { () throws(CryptoError) in
            _ = try KeyDerivationCost(memoryBytes: memoryBytes, passes: passes)
        }
        #expect(thrown == .costOutOfRange)
    }

    @Test func `named costs have the documented values`() {
        #expect(KeyDerivationCost.moderate.memoryBytes == 256 << 20)
        #expect(KeyDerivationCost.moderate.passes == 3)
        #expect(KeyDerivationCost.sealedFile.memoryBytes == 64 << 20)
        #expect(KeyDerivationCost.sealedFile.passes == 6)
        #expect(KeyDerivationCost.lowForTests.memoryBytes == 8 << 20)
        #expect(KeyDerivationCost.lowForTests.passes == 1)
    }

    /// A forged keyring or sealed file can ask for the largest accepted cost. The daemon runs only one derivation at a
    /// time, so the memory must suffice for one derivation with this cost.
    @Test(arguments: ["ghoststored.service", "user/ghoststored.service"])
    func `the largest accepted cost leaves half of the unit's memory free`(unit: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = String(decoding: try Data(contentsOf: root.appending(path: "systemd/\(unit)")), as: UTF8.self)
        #expect(text.split(separator: "\n").contains("MemoryMax=1G"))
        #expect(KeyDerivationCost.memoryBytesMax <= 1 << 29)
        #expect(SealedFileLimits.memoryBytesMax <= KeyDerivationCost.memoryBytesMax / 4)
        let (blob, keyring) = (KeyDerivationCost.sealedFile, KeyDerivationCost.moderate)
        #expect(blob.memoryBytes <= SealedFileLimits.memoryBytesMax && blob.passes <= SealedFileLimits.passesMax)
        #expect(keyring.memoryBytes <= KeyDerivationCost.memoryBytesMax)
    }
}
