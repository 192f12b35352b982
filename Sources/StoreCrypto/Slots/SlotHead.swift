import CSodium

/// What a slot says in the clear, and what its wrap binds as associated data.
struct SlotHead: Hashable, Sendable {
    /// 1 to 16.
    let number: UInt8
    let createdAtMicroseconds: Int64
    let derivation: SlotDerivation
    /// 16 random bytes, new with every secret.
    let salt: [UInt8]
    /// X25519; master keys are sealed to it while the slot's secret is elsewhere.
    let publicKey: [UInt8]
    let label: SlotLabel

    static let saltBytes = 16
    static let publicKeyBytes = 32

    static func randomSalt() throws(CryptoError) -> [UInt8] {
        try SodiumRuntime.start()
        var salt = [UInt8](repeating: 0, count: saltBytes)
        randombytes_buf(&salt, saltBytes)
        return salt
    }

    var info: KeySlotInfo {
        KeySlotInfo(
            number: Int(number), kind: derivation.kind, label: label.text,
            createdAtMicroseconds: createdAtMicroseconds, cost: derivation.cost)
    }
}
