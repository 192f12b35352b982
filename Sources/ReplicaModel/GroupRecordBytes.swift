import StoreBasics

// Records about the group itself as bytes.

extension MemberRecord {
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: device)
        bytes += signingKey + receivingKey
        bytes.append(text: name)
        return bytes
    }

    /// - Returns: `nil` for bytes that are none, and for more than one.
    package init?(exactly bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        self.init(&reader)
        guard reader.isAtEnd else { return nil }
    }

    package init?(exactly bytes: [UInt8]) {
        guard let record = bytes.withUnsafeBytes({ MemberRecord(exactly: $0) }) else { return nil }
        self = record
    }

    init?(_ reader: inout ByteReader) {
        guard let device: UInt64 = reader.bigEndian(), let signingKey = reader.bytes(Self.keyBytes),
            let receivingKey = reader.bytes(Self.keyBytes), let name = reader.text(),
            1...Self.nameBytesMax ~= name.utf8.count
        else { return nil }
        self.init(
            device: device, signingKey: [UInt8](signingKey), receivingKey: [UInt8](receivingKey), name: name)
    }
}

extension MemberRemovalRecord {
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: device)
        bytes.append(bigEndian: throughSequence)
        return bytes
    }

    init?(_ reader: inout ByteReader) {
        guard let device: UInt64 = reader.bigEndian(), let sequence: UInt64 = reader.bigEndian() else { return nil }
        self.init(device: device, throughSequence: sequence)
    }
}

extension EpochRecord {
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: id.number)
        bytes.append(bigEndian: id.maker)
        for grant in grants {
            bytes.append(bigEndian: grant.device)
            bytes += grant.sealedKey
        }
        return bytes
    }

    init?(_ reader: inout ByteReader) {
        guard let number: UInt32 = reader.bigEndian(), let maker: UInt64 = reader.bigEndian() else { return nil }
        var grants: [Grant] = []
        while !reader.isAtEnd {
            guard let device: UInt64 = reader.bigEndian(), let key = reader.bytes(Self.sealedKeyBytes) else {
                return nil
            }
            grants.append(Grant(device: device, sealedKey: [UInt8](key)))
        }
        self.init(id: EpochID(number: number, maker: maker), grants: grants)
    }
}
