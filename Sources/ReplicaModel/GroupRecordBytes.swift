import StoreBasics

// The encoding of records about the group itself.

extension MemberRecord {
    package var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, device)
        bytes.append(field: 2, signingKey)
        bytes.append(field: 3, receivingKey)
        bytes.append(field: 4, name)
        return bytes
    }

    /// Returns `nil` for bytes that are not a member.
    package init?(exactly bytes: UnsafeRawBufferPointer) {
        self.init(device: 0, signingKey: [], receivingKey: [], name: "")
        let isRead = bytes.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: device = try field.unsigned()
            case 2: signingKey = try field.bytes()
            case 3: receivingKey = try field.bytes()
            case 4: name = try field.text()
            default: break
            }
        }
        guard isRead, signingKey.count == Self.keyBytes, receivingKey.count == Self.keyBytes,
            1...Self.nameBytesMax ~= name.utf8.count
        else { return nil }
    }

    package init?(exactly bytes: [UInt8]) {
        guard let record = bytes.withUnsafeBytes({ MemberRecord(exactly: $0) }) else { return nil }
        self = record
    }
}

extension MemberRemovalRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, device)
        bytes.append(field: 2, throughSequence)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(device: 0, throughSequence: 0)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: device = try field.unsigned()
            case 2: throughSequence = try field.unsigned()
            default: break
            }
        }
        guard isRead else { return nil }
    }
}

extension EpochRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, UInt64(id.number))
        bytes.append(field: 2, id.maker)
        for grant in grants {
            bytes.append(field: 3, present: grant.fieldBytes)
        }
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(id: EpochID(number: 0, maker: 0), grants: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: id.number = try field.fixedWidth()
            case 2: id.maker = try field.unsigned()
            case 3: grants.append(try Grant(try field.content()))
            default: break
            }
        }
        guard isRead else { return nil }
    }
}

extension EpochRecord.Grant {
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, device)
        bytes.append(field: 2, sealedKey)
        return bytes
    }

    fileprivate init(_ content: UnsafeRawBufferPointer) throws(ProtobufFault) {
        self.init(device: 0, sealedKey: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: device = try field.unsigned()
            case 2: sealedKey = try field.bytes()
            default: break
            }
        }
        guard isRead, sealedKey.count == EpochRecord.sealedKeyBytes else { throw ProtobufFault() }
    }
}

extension TimeRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, signed: time)
        bytes.append(field: 2, isSynchronized)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(time: 0, isSynchronized: false)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: time = try field.signed()
            case 2: isSynchronized = try field.flag()
            default: break
            }
        }
        guard isRead else { return nil }
    }
}
