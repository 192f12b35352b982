/// The layout of the keyring file: proto-docs/KEYRING.md has the offset table.
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
    /// Far above what rotation can reach; keeps the sum below the type's end.
    static let generationMax = UInt64(UInt32.max)

    /// Magic, version and identifier: what every wrap binds besides its own slot's head.
    static func preamble(identifier: [UInt8]) -> [UInt8] {
        precondition(identifier.count == identifierBytes)
        var writer = ByteWriter()
        writer.append(magic)
        writer.append(version)
        writer.append(identifier)
        return writer.bytes
    }

    /// A slot's head as stored, so that what a wrap binds is what a reader sees.
    static func bytes(of head: SlotHead) -> [UInt8] {
        var writer = ByteWriter()
        writer.append(head.number)
        writer.append(head.derivation.kind.rawValue)
        writer.append(UInt64(bitPattern: head.createdAtMicroseconds))
        writer.append(head.derivation.cost?.memoryBytes ?? 0)
        writer.append(head.derivation.cost?.passes ?? 0)
        writer.append(head.salt)
        writer.append(head.publicKey)
        writer.append(UInt8(head.label.text.utf8.count))
        writer.append(Array(head.label.text.utf8))
        return writer.bytes
    }

    static func associatedData(_ head: SlotHead, keyringIdentifier: [UInt8]) -> [UInt8] {
        preamble(identifier: keyringIdentifier) + bytes(of: head)
    }
}
