import StoreBasics

/// One record of a batch. A batch is a sequence of records.
package enum ReplicaRecord: Hashable, Sendable {
    case thing(ThingRecord)
    case message(MessageRecord)
    case member(MemberRecord)
    case memberRemoval(MemberRemovalRecord)
    case epoch(EpochRecord)
    case snapshotRequest(SnapshotRequestRecord)
    case positions(PositionsRecord)
    case part(PartRecord)
    case contentPiece(ContentPieceRecord)
    case contentNotice(ContentNoticeRecord)
    case contentRequest(ContentRequestRecord)
    case logEntries(LogEntriesRecord)
    case time(TimeRecord)
    case knownBatches(KnownBatchesRecord)
}

extension ReplicaRecord {
    /// The latest time of all stamps in the record; 0 if the record has no stamp.
    package var newestTime: UInt64 {
        switch self {
        case .thing(let record): record.newestTime
        case .message(let record): record.content?.stamp.time ?? 0
        case .logEntries(let record): record.newestTime
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .part, .contentPiece, .contentNotice,
            .contentRequest, .time, .knownBatches:
            0
        }
    }
}

extension ReplicaRecord {
    /// True if the record contains data of a store, so that the other devices answer its batch with their positions.
    package var isChange: Bool {
        switch self {
        case .thing, .message, .contentPiece, .contentNotice, .logEntries, .part: true
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .contentRequest, .time, .knownBatches:
            false
        }
    }

    private static let changeKinds: Set<Kind> = [.thing, .message, .contentPiece, .contentNotice, .logEntries, .part]

    /// Returns true if one of the encoded records contains data of a store.
    package static func containsChange(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        for size in sizes(in: bytes) {
            if let kind = Kind(rawValue: bytes[offset]), changeKinds.contains(kind) { return true }
            offset += size
        }
        return false
    }
}

/// The reason for which this version cannot read the plaintext of a batch.
package enum ReplicaRecordError: Error, Hashable {
    case malformed
    /// A later version wrote a kind of record, or of thing, that this version does not know.
    case unknownKind(UInt8)
}

// MARK: Encoding

extension ReplicaRecord {
    private enum Kind: UInt8 {
        case thing = 1
        case message = 2
        case member = 3
        case memberRemoval = 4
        case epoch = 5
        case snapshotRequest = 6
        case positions = 7
        case part = 12
        case contentPiece = 8
        case logEntries = 9
        case contentNotice = 10
        case contentRequest = 11
        case time = 13
        case knownBatches = 14
    }

    /// Appends the record: a byte for the kind, the number of bytes (LEB128), and the bytes.
    package func append(to bytes: inout [UInt8]) {
        let (kind, content) = encoded
        bytes.append(kind.rawValue)
        bytes.append(variableLength: content.count)
        bytes += content
    }

    private var encoded: (Kind, [UInt8]) {
        switch self {
        case .thing(let record): (.thing, record.encoded())
        case .message(let record): (.message, record.encoded())
        case .member(let record): (.member, record.encoded())
        case .memberRemoval(let record): (.memberRemoval, record.encoded())
        case .epoch(let record): (.epoch, record.encoded())
        case .snapshotRequest(let record): (.snapshotRequest, record.encoded())
        case .positions(let record): (.positions, record.encoded())
        case .part(let record): (.part, record.encoded())
        case .contentPiece(let record): (.contentPiece, record.encoded())
        case .contentNotice(let record): (.contentNotice, record.encoded())
        case .contentRequest(let record): (.contentRequest, record.encoded())
        case .logEntries(let record): (.logEntries, record.encoded())
        case .time(let record): (.time, record.encoded())
        case .knownBatches(let record): (.knownBatches, record.encoded())
        }
    }

    /// The most records of one message, or of a message that was combined from parts.
    package static let countMax = 65_536

    /// The smallest number of a kind that a device may ignore if it does not know the kind. Records of these kinds
    /// contain nothing that must be preserved or forwarded.
    package static let firstSkippedKind: UInt8 = 128

    /// Returns all records of a plaintext except unknown ones that may be ignored.
    ///
    /// - Throws: `.unknownKind` if only a later version of this program can read a record; `.malformed` for invalid
    ///   bytes and for more than `countMax` records.
    package static func all(in bytes: UnsafeRawBufferPointer) throws(ReplicaRecordError) -> [ReplicaRecord] {
        var records: [ReplicaRecord] = []
        var reader = ByteReader(bytes)
        var count = 0
        while !reader.isAtEnd {
            guard count < countMax else { throw .malformed }
            count += 1
            guard let number = reader.byte(), let byteCount = reader.variableLength(),
                let content = reader.bytes(byteCount)
            else { throw .malformed }
            guard number < firstSkippedKind else { continue }
            guard let kind = Kind(rawValue: number) else { throw .unknownKind(number) }
            guard kind != .thing || ThingRecord.isKnownKind(content) else { throw .unknownKind(number) }
            guard let record = decoded(kind, content) else { throw .malformed }
            records.append(record)
        }
        return records
    }

    /// Returns the sizes of records that were appended one after the other.
    package static func sizes(in bytes: UnsafeRawBufferPointer) -> [Int] {
        var sizes: [Int] = []
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            let begin = reader.remaining
            guard reader.byte() != nil, let count = reader.variableLength(), reader.bytes(count) != nil else {
                return sizes + [begin]
            }
            sizes.append(begin - reader.remaining)
        }
        return sizes
    }

    private static func decoded(_ kind: Kind, _ content: UnsafeRawBufferPointer) -> ReplicaRecord? {
        switch kind {
        case .thing: ThingRecord(record: content).map { .thing($0) }
        case .message: MessageRecord(record: content).map { .message($0) }
        case .member: MemberRecord(record: content).map { .member($0) }
        case .memberRemoval: MemberRemovalRecord(record: content).map { .memberRemoval($0) }
        case .epoch: EpochRecord(record: content).map { .epoch($0) }
        case .snapshotRequest: SnapshotRequestRecord(record: content).map { .snapshotRequest($0) }
        case .positions: PositionsRecord(record: content).map { .positions($0) }
        case .part: PartRecord(record: content).map { .part($0) }
        case .contentPiece: ContentPieceRecord(record: content).map { .contentPiece($0) }
        case .contentNotice: ContentNoticeRecord(record: content).map { .contentNotice($0) }
        case .contentRequest: ContentRequestRecord(record: content).map { .contentRequest($0) }
        case .logEntries: LogEntriesRecord(record: content).map { .logEntries($0) }
        case .time: TimeRecord(record: content).map { .time($0) }
        case .knownBatches: KnownBatchesRecord(record: content).map { .knownBatches($0) }
        }
    }
}
