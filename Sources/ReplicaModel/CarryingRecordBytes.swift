import StoreBasics

// The encoding of records that carry other records, or ask for them.

extension SnapshotRequestRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, id.bytes)
        bytes.append(field: 2, maker)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        var id: ReplicaID?
        var maker: UInt64 = 0
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: id = ReplicaID(try field.content())
            case 2: maker = try field.unsigned()
            default: break
            }
        }
        guard isRead, let id else { return nil }
        self.init(id: id, maker: maker)
    }
}

extension PositionsRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        for position in positions {
            bytes.append(field: 1, present: position.fieldBytes)
        }
        return bytes
    }

    /// Returns `nil` also for an empty list, because the maker of a snapshot always has a position of its own.
    init?(_ content: UnsafeRawBufferPointer) {
        self.init(positions: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            guard field.number == 1 else { return }
            positions.append(try Position(try field.content()))
        }
        guard isRead, !positions.isEmpty else { return nil }
    }
}

extension PositionsRecord.Position {
    fileprivate var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, device)
        bytes.append(field: 2, sequence)
        bytes.append(field: 3, hash)
        return bytes
    }

    fileprivate init(_ content: UnsafeRawBufferPointer) throws(ProtobufFault) {
        self.init(device: 0, sequence: 0, hash: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: device = try field.unsigned()
            case 2: sequence = try field.unsigned()
            case 3: hash = try field.bytes()
            default: break
            }
        }
        guard isRead, hash.count == PositionsRecord.hashBytes else { throw ProtobufFault() }
    }
}

extension PartRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, isLast)
        bytes.append(field: 2, piece)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(isLast: false, piece: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: isLast = try field.flag()
            case 2: piece = try field.bytes()
            default: break
            }
        }
        guard isRead, isLast || piece.count >= Self.pieceBytesMin else { return nil }
    }
}

// MARK: Contents

extension ContentPieceRecord {
    var fieldBytes: [UInt8] {
        var fields: [UInt8] = []
        fields.reserveCapacity(Self.digestBytes + 24 + bytes.count)
        fields.append(field: 1, digest)
        fields.append(field: 2, byteCount)
        fields.append(field: 3, offset)
        fields.append(field: 4, bytes)
        return fields
    }

    /// Decodes a piece. Checks only that the piece is within the content; the other numbers are not trusted.
    init?(_ content: UnsafeRawBufferPointer) {
        self.init(digest: [], byteCount: 0, offset: 0, bytes: [])
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: digest = try field.bytes()
            case 2: byteCount = try field.unsigned()
            case 3: offset = try field.unsigned()
            case 4: bytes = try field.bytes()
            default: break
            }
        }
        guard isRead, digest.count == Self.digestBytes, bytes.count <= Self.bytesMax, offset <= byteCount,
            UInt64(bytes.count) <= byteCount - offset, offset.isMultiple(of: Self.alignment),
            byteCount == 0 || !bytes.isEmpty, isLast || bytes.count.isMultiple(of: Int(Self.alignment))
        else { return nil }
    }
}

extension ContentNoticeRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, digest)
        bytes.append(field: 2, device)
        bytes.append(field: 3, sequence)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(digest: [], device: 0, sequence: 0)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: digest = try field.bytes()
            case 2: device = try field.unsigned()
            case 3: sequence = try field.unsigned()
            default: break
            }
        }
        guard isRead, digest.count == ContentPieceRecord.digestBytes else { return nil }
    }
}

extension ContentRequestRecord {
    var fieldBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: 1, digest)
        bytes.append(field: 2, device)
        return bytes
    }

    init?(_ content: UnsafeRawBufferPointer) {
        self.init(digest: [], device: 0)
        let isRead = content.readFields { field throws(ProtobufFault) in
            switch field.number {
            case 1: digest = try field.bytes()
            case 2: device = try field.unsigned()
            default: break
            }
        }
        guard isRead, digest.count == ContentPieceRecord.digestBytes else { return nil }
    }
}
