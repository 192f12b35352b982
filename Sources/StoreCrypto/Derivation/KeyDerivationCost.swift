/// What one Argon2id derivation costs: memory and passes over it (one lane, as in libsodium).
///
/// https://doc.libsodium.org/password_hashing/default_phf
public struct KeyDerivationCost: Sendable, Hashable {
    /// A multiple of 1,024, from `memoryBytesMin` to `memoryBytesMax`.
    public let memoryBytes: UInt64
    /// From `passesMin` to `passesMax`.
    public let passes: UInt32

    public static let memoryBytesMin: UInt64 = 8 << 20
    /// A forged keyring must not make the process allocate more.
    public static let memoryBytesMax: UInt64 = 1 << 30
    public static let passesMin: UInt32 = 1
    /// A forged keyring must not keep the process busy for longer (about 15 s at the most memory).
    public static let passesMax: UInt32 = 16

    /// libsodium's MODERATE: 256 MiB, 3 passes, about 0.65 s.
    public static let moderate = KeyDerivationCost(uncheckedMemoryBytes: 256 << 20, passes: 3)
    /// The floor: 8 MiB, 1 pass, a few milliseconds. Resists nobody; for tests.
    public static let lowForTests = KeyDerivationCost(uncheckedMemoryBytes: memoryBytesMin, passes: passesMin)

    /// - Throws: `.costOutOfRange`.
    public init(memoryBytes: UInt64, passes: UInt32) throws(CryptoError) {
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
    public var isBelowModerate: Bool {
        memoryBytes < Self.moderate.memoryBytes || passes < Self.moderate.passes
    }
}
