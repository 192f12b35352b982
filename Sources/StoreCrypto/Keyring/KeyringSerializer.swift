extension KeyringContent {
    /// The file up to its authenticator: what the authenticator covers.
    func authenticatedBytes() -> [UInt8] {
        precondition((1...KeyringFormat.slotsMax).contains(slots.count), "a keyring has 1 to 16 slots")
        var writer = ByteWriter()
        writer.append(KeyringFormat.preamble(identifier: identifier))
        writer.append(generation)
        writer.append(UInt8(nextCheck == nil ? 0 : 1))
        writer.append(UInt8(slots.count))
        writer.append(UInt16(0))
        writer.append(currentCheck)
        writer.append(nextCheck ?? [])
        for slot in slots {
            let bytes = bytes(of: slot)
            writer.append(UInt16(bytes.count))
            writer.append(bytes)
        }
        return writer.bytes
    }

    private func bytes(of slot: Slot) -> [UInt8] {
        precondition((slot.sealedNext == nil) == (nextCheck == nil), "a rotation seals its key for every slot")
        var writer = ByteWriter()
        writer.append(KeyringFormat.bytes(of: slot.head))
        writer.append(slot.commitment)
        writer.append(slot.wrap.nonce)
        writer.append(slot.wrap.ciphertext)
        writer.append(slot.sealedCurrent)
        writer.append(slot.sealedNext ?? [])
        return writer.bytes
    }
}

/// Appends big-endian numbers and bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }
}
