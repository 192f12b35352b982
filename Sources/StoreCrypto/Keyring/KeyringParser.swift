import StoreBasics

/// Parses a keyring file strictly: serializing an accepted file gives the same bytes.
enum KeyringParser {
    /// Parses a file. Checks size, magic, checksum, version and fields, in this order. The checksum comes before the
    /// version, so that a flipped bit in the version is reported as damage and not as a newer version. Therefore magic,
    /// version and checksum must stay at the same offsets in every version of the format.
    static func parse(_ file: [UInt8]) throws(CryptoError) -> (content: KeyringContent, authenticator: [UInt8]) {
        let trailerBytes = KeyringFormat.authenticatorBytes + KeyringFormat.checksumBytes
        let preambleBytes = KeyringFormat.magic.count + 4
        guard file.count <= KeyringFormat.fileBytesMax else { throw .damaged("the file is larger than 64 KiB") }
        guard file.count >= preambleBytes + trailerBytes else { throw .damaged("the file is cut short") }
        guard file.starts(with: KeyringFormat.magic) else { throw .damaged("the first bytes do not match the format") }
        let checksum = file.suffix(KeyringFormat.checksumBytes)
        guard Blake2b.digest(of: Array(file.dropLast(KeyringFormat.checksumBytes))).elementsEqual(checksum) else {
            throw .damaged("the checksum does not match")
        }
        let content = try file.withUnsafeBufferPointer { bytes throws(CryptoError) in
            let fields = bytes[KeyringFormat.magic.count..<(file.count - trailerBytes)]
            var reader = ByteReader(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: fields)))
            return try Self.content(&reader)
        }
        return (content, Array(file.dropLast(KeyringFormat.checksumBytes).suffix(KeyringFormat.authenticatorBytes)))
    }

    private static func content(_ reader: inout ByteReader) throws(CryptoError) -> KeyringContent {
        let version: UInt32 = try reader.number()
        guard version == KeyringFormat.version else {
            throw CryptoError(
                .keyringVersionUnknown,
                """
                the keyring has format version \(version), but this program knows only \(KeyringFormat.version); \
                upgrade ghoststore
                """
            )
        }
        let identifier = try reader.field(KeyringFormat.identifierBytes)
        let generation: UInt64 = try reader.number()
        guard generation <= KeyringFormat.generationMax else { throw .damaged("the generation is out of range") }
        let pending: UInt8 = try reader.number()
        guard pending <= 1 else { throw .damaged("the rotation flag is out of range") }
        let slotCount: UInt8 = try reader.number()
        guard (1...KeyringFormat.slotsMax).contains(Int(slotCount)) else {
            throw .damaged("the number of slots is out of range")
        }
        guard try reader.number(UInt16.self) == 0 else { throw .damaged("the reserved bytes are not zero") }
        let isPending = pending == 1
        let currentCheck = try reader.field(KeyringFormat.keyCheckBytes)
        let nextCheck = isPending ? try reader.field(KeyringFormat.keyCheckBytes) : nil
        var slots: [Slot] = []
        for _ in 0..<slotCount {
            let slot = try slot(&reader, isPending: isPending)
            guard slots.last.map({ $0.head.number < slot.head.number }) ?? true else {
                throw .damaged("the slots are out of order")
            }
            slots.append(slot)
        }
        guard reader.isAtEnd else { throw .damaged("bytes follow the last slot") }
        return KeyringContent(
            identifier: identifier, generation: generation, currentCheck: currentCheck, nextCheck: nextCheck,
            slots: slots)
    }

    private static func slot(_ file: inout ByteReader, isPending: Bool) throws(CryptoError) -> Slot {
        let slotBytes: UInt16 = try file.number()
        var reader = ByteReader(try file.slice(Int(slotBytes)))
        let slot = Slot(
            head: try head(&reader),
            commitment: try reader.field(SlotKey.commitmentBytes),
            wrap: SlotWrap(
                nonce: try reader.field(SlotWrap.nonceBytes),
                ciphertext: try reader.field(SlotWrap.ciphertextBytes)),
            sealedCurrent: try reader.field(SlotKeyPair.sealedKeyBytes),
            sealedNext: isPending ? try reader.field(SlotKeyPair.sealedKeyBytes) : nil)
        guard reader.isAtEnd else { throw .damaged("bytes follow the last field of a slot") }
        return slot
    }

    private static func head(_ reader: inout ByteReader) throws(CryptoError) -> SlotHead {
        let number: UInt8 = try reader.number()
        guard KeyringFormat.slotNumbers.contains(number) else { throw .damaged("a slot number is out of range") }
        guard let kind = SlotKind(rawValue: try reader.number()) else { throw .damaged("a slot is of an unknown kind") }
        let createdAt = Int64(bitPattern: try reader.number(UInt64.self))
        let derivation = try derivation(&reader, kind: kind)
        return SlotHead(
            number: number, createdAtMicroseconds: createdAt, derivation: derivation,
            salt: try reader.field(SlotHead.saltBytes), publicKey: try reader.field(SlotHead.publicKeyBytes),
            label: try label(&reader))
    }

    /// Decodes how a slot's key is derived. Rejects a cost outside the limits of `KeyDerivationCost`, so that a forged
    /// file cannot demand a longer derivation.
    private static func derivation(
        _ reader: inout ByteReader, kind: SlotKind
    ) throws(CryptoError) -> SlotDerivation {
        let memoryBytes: UInt64 = try reader.number()
        let passes: UInt32 = try reader.number()
        let strongSecretKind: SlotDerivation.StrongSecretKind
        switch kind {
        case .passphrase:
            guard let cost = try? KeyDerivationCost(memoryBytes: memoryBytes, passes: passes) else {
                throw .damaged("a slot's key derivation cost is out of range")
            }
            return .argon2id(cost)
        case .recoveryCode: strongSecretKind = .recoveryCode
        case .keyFile: strongSecretKind = .keyFile
        case .credential: strongSecretKind = .credential
        }
        guard memoryBytes == 0, passes == 0 else { throw .damaged("a slot has a cost that its kind does not use") }
        return .blake2b(strongSecretKind)
    }

    private static func label(_ reader: inout ByteReader) throws(CryptoError) -> SlotLabel {
        let labelBytes: UInt8 = try reader.number()
        guard let text = String(validating: try reader.slice(Int(labelBytes)), as: UTF8.self),
            let label = try? SlotLabel(text)
        else { throw .damaged("a slot's label is not valid") }
        return label
    }
}

/// Reading of fields. A file that ends too early is damaged.
extension ByteReader {
    fileprivate mutating func slice(_ count: Int) throws(CryptoError) -> UnsafeRawBufferPointer {
        guard let slice = bytes(count) else { throw .damaged("the file ends too early") }
        return slice
    }

    fileprivate mutating func field(_ count: Int) throws(CryptoError) -> [UInt8] {
        Array(try slice(count))
    }

    fileprivate mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) throws(CryptoError) -> Number {
        guard let number = bigEndian(type) else { throw .damaged("the file ends too early") }
        return number
    }
}
