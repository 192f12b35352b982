/// The content of a keyring file without its authenticator and checksum.
struct KeyringContent: Hashable, Sendable {
    /// The random id of the keyring. It prevents moving slots from one keyring to another.
    let identifier: [UInt8]
    /// The number of finished rotations.
    var generation: UInt64
    var currentCheck: [UInt8]
    /// The key check of the next master key during a rotation. While this is set, every slot also contains the next
    /// master key, sealed. Otherwise no slot does.
    var nextCheck: [UInt8]?
    /// The 1 to 16 slots in ascending order of their numbers.
    var slots: [Slot]

    func slot(_ number: Int) throws(CryptoError) -> Slot {
        guard let slot = slots.first(where: { $0.head.number == number }) else {
            throw CryptoError(.slotNotFound, "no slot has number \(number); list the slots to see their numbers")
        }
        return slot
    }

    /// Returns the lowest number that no slot has.
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

    /// Inserts a slot in the order of numbers, replacing a slot with the same number.
    mutating func place(_ slot: Slot) {
        slots.removeAll { $0.head.number == slot.head.number }
        let position = slots.firstIndex { $0.head.number > slot.head.number } ?? slots.endIndex
        slots.insert(slot, at: position)
    }
}

/// All keys that an open keyring holds in memory.
struct KeyringKeys: ~Copyable, Sendable {
    let authenticity: AuthenticityKey
    var current: MasterKey
    /// The next master key during a rotation; otherwise `nil`.
    var next: MasterKey?

    static func generate() throws(CryptoError) -> KeyringKeys {
        KeyringKeys(authenticity: try AuthenticityKey.generate(), current: try MasterKey.generate(), next: nil)
    }
}

/// The key that authenticates the whole keyring file: 32 random bytes, the same in every slot. A rotation does not
/// replace it. A rotation does not have the slots' secrets. Therefore it could only seal a new key to the slots' public
/// keys. Anyone can do that, so that the owner of a slot could not trust the new key.
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
