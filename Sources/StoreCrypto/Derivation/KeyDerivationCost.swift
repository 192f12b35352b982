/// What one Argon2id derivation costs: memory and passes over it (one lane, as in libsodium).
///
/// https://doc.libsodium.org/password_hashing/default_phf
package struct KeyDerivationCost: Sendable, Hashable {
    /// A multiple of 1,024, from `memoryBytesMin` to `memoryBytesMax`.
    package let memoryBytes: UInt64
    /// From `passesMin` to `passesMax`.
    package let passes: UInt32

    package static let memoryBytesMin: UInt64 = 8 << 20
    /// A forged keyring must not make the process allocate more.
    package static let memoryBytesMax: UInt64 = 1 << 30
    package static let passesMin: UInt32 = 1
    /// A forged keyring must not keep the process busy for longer (about 15 s at the most memory).
    package static let passesMax: UInt32 = 16

    /// libsodium's MODERATE: 256 MiB, 3 passes, about 0.65 s.
    package static let moderate = KeyDerivationCost(uncheckedMemoryBytes: 256 << 20, passes: 3)
    /// The floor: 8 MiB, 1 pass, a few milliseconds. Resists nobody; for tests.
    package static let lowForTests = KeyDerivationCost(uncheckedMemoryBytes: memoryBytesMin, passes: passesMin)

    /// - Throws: `.costOutOfRange`.
    package init(memoryBytes: UInt64, passes: UInt32) throws(CryptoError) {
        guard (Self.memoryBytesMin...Self.memoryBytesMax).contains(memoryBytes), memoryBytes.isMultiple(of: 1_024),
            (Self.passesMin...Self.passesMax).contains(passes)
        else {
            throw CryptoError(
                .costOutOfRange,
                "key derivation cost out of range: choose 8 MiB to 1 GiB in whole KiB and 1 to 16 passes")
        }
        self.init(uncheckedMemoryBytes: memoryBytes, passes: passes)
    }

    private init(uncheckedMemoryBytes memoryBytes: UInt64, passes: UInt32) {
        self.memoryBytes = memoryBytes
        self.passes = passes
    }

    /// Whether this costs an attacker less than the default.
    package var isBelowModerate: Bool {
        memoryBytes < Self.moderate.memoryBytes || passes < Self.moderate.passes
    }
}
