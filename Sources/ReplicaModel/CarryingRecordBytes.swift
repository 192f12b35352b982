package import StoreBasics

// The encoding of records that contain or request other records.

extension SnapshotRequestRecord: FieldMessage {
    package init() {
        self.init(id: .none, maker: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        var bytes = id.bytes
        try form.field(1, &bytes)
        guard let id = ReplicaID(bytes) else { throw ProtobufFault() }
        self.id = id
        try form.field(2, &maker)
        try form.expect(form.hasRead(1))
    }
}

extension PositionsRecord: FieldMessage {
    package init() {
        self.init(positions: [])
    }

    /// Describes the fields. A record without positions is invalid, because the device that made the snapshot has at
    /// least its own position.
    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &positions)
        try form.expect(!positions.isEmpty)
    }
}

extension PositionsRecord.Position: FieldMessage {
    package init() {
        self.init(device: 0, sequence: 0, hash: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &device)
        try form.field(2, &sequence)
        try form.field(3, &hash)
        try form.expect(hash.count == PositionsRecord.hashBytes)
    }
}

extension KnownBatchesRecord: FieldMessage {
    package init() {
        self.init(last: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &last)
    }
}

extension KnownBatchesRecord.Last: FieldMessage {
    package init() {
        self.init(device: 0, sequence: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &device)
        try form.field(2, &sequence)
    }
}

extension PartRecord: FieldMessage {
    package init() {
        self.init(isLast: false, piece: [])
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &isLast)
        try form.field(2, &piece)
        try form.expect(isLast || piece.count >= Self.pieceBytesMin)
    }
}

// MARK: Contents

extension ContentPieceRecord: FieldMessage {
    package init() {
        self.init(digest: [], byteCount: 0, offset: 0, bytes: [])
    }

    /// Describes the fields. Checks only that the numbers are possible: the piece lies within the content and consists
    /// of whole chunks, except at the end of the content.
    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &digest)
        try form.field(2, &byteCount)
        try form.field(3, &offset)
        try form.field(4, &bytes)
        try form.expect(isPossible)
    }

    private var isPossible: Bool {
        guard digest.count == Self.digestBytes, bytes.count <= Self.bytesMax, offset <= byteCount,
            UInt64(bytes.count) <= byteCount - offset, offset.isMultiple(of: Self.alignment),
            byteCount == 0 || !bytes.isEmpty, isLast || bytes.count.isMultiple(of: Int(Self.alignment))
        else { return false }
        return true
    }
}

extension ContentNoticeRecord: FieldMessage {
    package init() {
        self.init(digest: [], device: 0, sequence: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &digest)
        try form.field(2, &device)
        try form.field(3, &sequence)
        try form.expect(digest.count == ContentPieceRecord.digestBytes)
    }
}

extension ContentRequestRecord: FieldMessage {
    package init() {
        self.init(digest: [], device: 0)
    }

    package mutating func describe(_ form: inout MessageForm) throws {
        try form.field(1, &digest)
        try form.field(2, &device)
        try form.expect(digest.count == ContentPieceRecord.digestBytes)
    }
}
