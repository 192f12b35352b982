/// What a keyring file says, apart from its authenticator and checksum.
struct KeyringContent: Hashable, Sendable {
    /// Random at creation; keeps slots of one keyring out of another.
    let identifier: [UInt8]
    /// How many rotations have been finished.
    var generation: UInt64
    var currentCheck: [UInt8]
    /// Of the master key being rotated to. Every slot has a sealed next key exactly when this is set.
    var nextCheck: [UInt8]?
    /// 1 to 16, by ascending number.
    var slots: [Slot]

    func slot(_ number: Int) throws(CryptoError) -> Slot {
        guard let slot = slots.first(where: { $0.head.number == number }) else {
            throw CryptoError(.slotNotFound, "no slot has number \(number); list the slots to see their numbers")
        }
        return slot
    }

    /// The lowest number no slot has.
    func freeSlotNumber() throws(CryptoError) -> UInt8 {
        let taken = Set(slots.map(\.head.number))
        guard let number = KeyringFormat.slotNumbers.first(where: { !taken.contains($0) }) else {
            throw CryptoError(
                .slotsFull,
                """
                the keyring is full: it has \(slots.count) slots; first remove a slot that is no longer used
                """)
        }
        return number
    }

    /// Puts `slot` in its place, instead of one with the same number if there is one.
    mutating func place(_ slot: Slot) {
        slots.removeAll { $0.head.number == slot.head.number }
        let position = slots.firstIndex { $0.head.number > slot.head.number } ?? slots.endIndex
        slots.insert(slot, at: position)
    }
}

/// Every key that an open keyring holds in memory.
struct KeyringKeys: ~Copyable, Sendable {
    let authenticity: AuthenticityKey
    var current: MasterKey
    /// The master key being rotated to.
    var next: MasterKey?

    static func generate() throws(CryptoError) -> KeyringKeys {
        KeyringKeys(authenticity: try AuthenticityKey.generate(), current: try MasterKey.generate(), next: nil)
    }
}

/// The key under which the whole keyring file is authenticated: 32 random bytes, the same in every slot, never
/// rotated (a slot whose secret is absent could not be given a new one that it can trust).
struct AuthenticityKey: ~Copyable, Sendable {
    static let keyBytes = 32

    let bytes: SecretBytes

    init(bytes: consuming SecretBytes) {
        precondition(bytes.count == Self.keyBytes, "an authenticity key must have \(Self.keyBytes) bytes")
        self.bytes = bytes
    }

    static func generate() throws(CryptoError) -> AuthenticityKey {
        AuthenticityKey(bytes: try SecretBytes.random(count: keyBytes))
    }

    borrowing func authenticator(of message: [UInt8]) -> [UInt8] {
        Blake2b.authenticator(of: message, key: bytes)
    }
}
