import StoreBasics

/// The layout of the keyring file. proto-docs/KEYRING.md has the offset table.
enum KeyringFormat {
    static let magic = Array("ghoststore-keys\n".utf8)
    static let version: UInt32 = 1
    static let fileBytesMax = 64 << 10
    static let slotNumbers: ClosedRange<UInt8> = 1...16
    static let slotsMax = 16
    static let identifierBytes = 16
    static let keyCheckBytes = Blake2b.digestBytes
    static let authenticatorBytes = Blake2b.digestBytes
    static let checksumBytes = Blake2b.digestBytes
    /// The largest generation. It is far above any real number of rotations, and incrementing it cannot overflow.
    static let generationMax = UInt64(UInt32.max)

    /// Returns magic, version and identifier. The encrypted part of each slot (`SlotWrap`) authenticates them together
    /// with the slot's head.
    static func preamble(identifier: [UInt8]) -> [UInt8] {
        precondition(identifier.count == identifierBytes)
        var bytes = magic
        bytes.append(bigEndian: version)
        return bytes + identifier
    }

    /// Returns a slot's head as it is stored. The encrypted part of the slot (`SlotWrap`) authenticates these bytes.
    static func bytes(of head: SlotHead) -> [UInt8] {
        var bytes = [head.number, head.derivation.kind.rawValue]
        bytes.append(bigEndian: head.createdAtMicroseconds)
        bytes.append(bigEndian: head.derivation.cost?.memoryBytes ?? 0)
        bytes.append(bigEndian: head.derivation.cost?.passes ?? 0)
        bytes += head.salt + head.publicKey
        bytes.append(UInt8(head.label.text.utf8.count))
        return bytes + head.label.text.utf8
    }

    static func associatedData(_ head: SlotHead, keyringIdentifier: [UInt8]) -> [UInt8] {
        preamble(identifier: keyringIdentifier) + bytes(of: head)
    }
}

extension KeyringContent {
    /// Returns the bytes of the file before its authenticator. The authenticator covers exactly these bytes.
    func authenticatedBytes() -> [UInt8] {
        precondition((1...KeyringFormat.slotsMax).contains(slots.count), "a keyring must have 1 to 16 slots")
        var bytes = KeyringFormat.preamble(identifier: identifier)
        bytes.append(bigEndian: generation)
        bytes.append(nextCheck == nil ? 0 : 1)
        bytes.append(UInt8(slots.count))
        bytes.append(bigEndian: UInt16(0))
        bytes += currentCheck + (nextCheck ?? [])
        for slot in slots {
            let slotBytes = self.bytes(of: slot)
            bytes.append(bigEndian: UInt16(slotBytes.count))
            bytes += slotBytes
        }
        return bytes
    }

    private func bytes(of slot: Slot) -> [UInt8] {
        precondition((slot.sealedNext == nil) == (nextCheck == nil), "a rotation must seal the new key for every slot")
        let opening = KeyringFormat.bytes(of: slot.head) + slot.commitment + slot.wrap.nonce + slot.wrap.ciphertext
        return opening + slot.sealedCurrent + (slot.sealedNext ?? [])
    }
}
