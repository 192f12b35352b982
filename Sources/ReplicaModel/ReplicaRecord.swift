import StoreBasics

/// What a batch holds, one behind the other.
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
}

extension ReplicaRecord {
    /// The latest stamp in it; 0 where it has none.
    package var newestTime: UInt64 {
        switch self {
        case .thing(let record): record.newestTime
        case .message(let record): record.content?.stamp.time ?? 0
        case .logEntries(let record): record.newestTime
        case .member, .memberRemoval, .epoch, .snapshotRequest, .positions, .part, .contentPiece, .contentNotice,
            .contentRequest, .time:
            0
        }
    }
}

/// Why the plaintext of a batch says nothing to this build.
package enum ReplicaRecordError: Error, Hashable {
    /// A record is not what its maker can have written.
    case malformed
    /// A later build wrote a kind of record that this one does not know.
    case unknownKind(UInt8)
}

// MARK: As bytes

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
    }

    /// A byte for the kind, the number of bytes (LEB128), and these.
    package func append(to bytes: inout [UInt8]) {
        let (kind, content) = encoded
        bytes.append(kind.rawValue)
        bytes.append(variableLength: content.count)
        bytes += content
    }

    private var encoded: (Kind, [UInt8]) {
        switch self {
        case .thing(let record): (.thing, record.bytes)
        case .message(let record): (.message, record.bytes)
        case .member(let record): (.member, record.bytes)
        case .memberRemoval(let record): (.memberRemoval, record.bytes)
        case .epoch(let record): (.epoch, record.bytes)
        case .snapshotRequest(let record): (.snapshotRequest, record.bytes)
        case .positions(let record): (.positions, record.bytes)
        case .part(let record): (.part, record.bytes)
        case .contentPiece(let record): (.contentPiece, record.encoded)
        case .contentNotice(let record): (.contentNotice, record.encoded)
        case .contentRequest(let record): (.contentRequest, record.encoded)
        case .logEntries(let record): (.logEntries, record.encoded)
        case .time(let record): (.time, record.bytes)
        }
    }

    /// Records of one message, or of what was put together of parts, at most.
    package static let countMax = 65_536

    /// All records of a plaintext.
    package static func all(in bytes: UnsafeRawBufferPointer) throws(ReplicaRecordError) -> [ReplicaRecord] {
        var records: [ReplicaRecord] = []
        var reader = ByteReader(bytes)
        while !reader.isAtEnd {
            guard records.count < countMax else { throw .malformed }
            guard let number = reader.byte(), let count = reader.variableLength(), let content = reader.bytes(count)
            else { throw .malformed }
            guard let kind = Kind(rawValue: number) else { throw .unknownKind(number) }
            guard let record = decoded(kind, content) else { throw .malformed }
            records.append(record)
        }
        return records
    }

    /// How many bytes each of the records has that were appended one behind the other.
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
        var reader = ByteReader(content)
        let record: ReplicaRecord? =
            switch kind {
            case .thing: ThingRecord(&reader).map { .thing($0) }
            case .message: MessageRecord(&reader).map { .message($0) }
            case .member: MemberRecord(&reader).map { .member($0) }
            case .memberRemoval: MemberRemovalRecord(&reader).map { .memberRemoval($0) }
            case .epoch: EpochRecord(&reader).map { .epoch($0) }
            case .snapshotRequest: SnapshotRequestRecord(&reader).map { .snapshotRequest($0) }
            // Who makes a snapshot has its own.
            case .positions: reader.isAtEnd ? nil : PositionsRecord(&reader).map { .positions($0) }
            case .part: PartRecord(&reader).map { .part($0) }
            case .contentPiece: ContentPieceRecord(&reader).map { .contentPiece($0) }
            case .contentNotice: ContentNoticeRecord(&reader).map { .contentNotice($0) }
            case .contentRequest: ContentRequestRecord(&reader).map { .contentRequest($0) }
            case .logEntries: LogEntriesRecord(&reader).map { .logEntries($0) }
            case .time: TimeRecord(&reader).map { .time($0) }
            }
        return reader.isAtEnd ? record : nil
    }
}

extension ThingRecord {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = [name.kind.rawValue]
        bytes.append(sized: name.bytes)
        removal.append(to: &bytes)
        bytes.append(bigEndian: UInt64(bitPattern: touchedAt))
        bytes.append(variableLength: fields.count)
        for field in fields {
            bytes.append(field.field.rawValue)
            field.stamp.append(to: &bytes)
            bytes.append(field.value == nil ? 0 : 1)
            if let value = field.value {
                bytes.append(sized: value)
            }
        }
        return bytes
    }

    fileprivate init?(_ reader: inout ByteReader) {
        guard let kind = reader.byte().flatMap(ThingKind.init(rawValue:)), let nameBytes = reader.sizedBytes(),
            let name = ThingName(kind, bytes: nameBytes), let removal = ReplicaStamp(&reader),
            let touchedAt: UInt64 = reader.bigEndian(), let count = reader.variableLength()
        else { return nil }
        var fields: [FieldRecord] = []
        for _ in 0..<count {
            guard let number = reader.byte(), fields.last.map({ $0.field.rawValue < number }) ?? true,
                let stamp = ReplicaStamp(&reader), let value = reader.optionalBytes()
            else { return nil }
            fields.append(FieldRecord(field: FieldNumber(rawValue: number), stamp: stamp, value: value))
        }
        self.init(name: name, removal: removal, touchedAt: Int64(bitPattern: touchedAt), fields: fields)
    }
}

extension MessageRecord {
    private enum Presence: UInt8 {
        case removed = 0
        case there = 1
        case timerStarted = 2
    }

    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: id)
        bytes.append(leb128: generation)
        guard let content else {
            bytes.append(isTimerStarted ? Presence.timerStarted.rawValue : Presence.removed.rawValue)
            return bytes
        }
        bytes.append(Presence.there.rawValue)
        bytes.append(text: content.sessionID)
        content.stamp.append(to: &bytes)
        bytes.append(leb128: content.progress.restarts)
        bytes.append(content.progress.isRead ? 1 : 0)
        bytes.append(content.progress.step)
        bytes.append(optional: content.remaining)
        bytes.append(sized: content.body)
        return bytes
    }

    fileprivate init?(_ reader: inout ByteReader) {
        guard let id = reader.text(), let generation = reader.leb128(),
            let presence = reader.byte().flatMap(Presence.init(rawValue:))
        else { return nil }
        self.init(id: id, generation: generation, content: nil, isTimerStarted: presence == .timerStarted)
        guard presence == .there else { return }
        guard let sessionID = reader.text(), let stamp = ReplicaStamp(&reader),
            let restarts = reader.leb128(), let isRead = reader.flag(), let step = reader.byte(),
            let remaining = reader.optionalInteger(), remaining ?? 0 >= 0, let body = reader.sizedBytes()
        else { return nil }
        content = MessageContent(
            sessionID: sessionID, stamp: stamp, body: [UInt8](body),
            progress: MessageProgress(restarts: restarts, isRead: isRead, step: step), remaining: remaining)
    }
}
