import StoreBasics

/// The encoding of a result that is stored with its idempotency key: its kind, and its fields as bytes. Counts are
/// LEB128, texts are a LEB128 length and UTF-8, times have eight bytes, flags are in one.
///
/// The avatar, the metadata and the last message's text of a conversation are not stored, because they may be large,
/// and the text of a deleted message must disappear.
enum MutationResultCodec {
    /// The kinds of results. The raw values are stored on disk and must not change.
    enum Kind: UInt8 {
        case commit = 1
        case conversation = 2
        case log = 3
        case appended = 4
        case compacted = 5
        case restored = 6
        case replica = 7
    }

    static func encode(_ result: MutationResult) -> (Kind, [UInt8]) {
        var bytes: [UInt8] = []
        switch result {
        case .commit(let commit):
            for number in [
                Int(commit.revision), commit.createdCount, commit.updatedCount, commit.deletedCount, commit.ids.count,
            ] {
                bytes.append(count: number)
            }
            commit.ids.forEach { bytes.append(text: $0) }
            bytes.append(count: commit.valueRevisions.count)
            commit.valueRevisions.forEach { bytes.append(variableLength: Int($0)) }
            if commit.leftReplicaGroup {
                bytes.append(flags: true)
            }
            return (.commit, bytes)
        case .conversation(let conversation, let isNew, _):
            append(conversation, isNew: isNew, to: &bytes)
            return (.conversation, bytes)
        case .log(let log, let isNew, _):
            append(log, isNew: isNew, to: &bytes)
            return (.log, bytes)
        case .appended(let sequences, _):
            append(sequences, to: &bytes)
            return (.appended, bytes)
        case .restored(let tally):
            append(tally, to: &bytes)
            return (.restored, bytes)
        case .replica(let result):
            // Results of work for the stream are not stored. Such work is requested without a key, because it may be
            // repeated.
            if case .device(let device) = result {
                bytes.append(bigEndian: device)
            }
            return (.replica, bytes)
        case .compacted(let revision, _):
            bytes.append(variableLength: Int(revision))
            return (.compacted, bytes)
        }
    }

    /// Returns the result; `nil` for bytes that `encode` cannot have made.
    static func decode(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) -> MutationResult? {
        var reader = ByteReader(bytes)
        let result: MutationResult? =
            switch kind {
            case .commit: commit(&reader).map { .commit($0) }
            case .conversation: conversation(&reader)
            case .log: log(&reader)
            case .appended: sequences(&reader).map { .appended($0, isReplayed: false) }
            case .restored: tally(&reader).map { .restored($0) }
            case .replica where reader.isAtEnd: .replica(.done)
            case .replica: reader.bigEndian().map { .replica(.device($0)) }
            case .compacted:
                reader.variableLength().map {
                    .compacted(throughRevision: UInt64($0), isReplayed: false)
                }
            }
        return reader.isAtEnd ? result : nil
    }

    private static func commit(_ reader: inout ByteReader) -> Commit? {
        // Each id takes at least one byte, which limits the count.
        guard let revision = reader.variableLength(), let created = reader.variableLength(),
            let updated = reader.variableLength(), let deleted = reader.variableLength(),
            let count = reader.variableLength(), count <= reader.remaining
        else { return nil }
        var commit = Commit()
        commit.revision = UInt64(revision)
        commit.createdCount = created
        commit.updatedCount = updated
        commit.deletedCount = deleted
        for _ in 0..<count {
            guard let id = reader.text() else { return nil }
            commit.ids.append(id)
        }
        guard let valueCount = reader.variableLength(), valueCount <= reader.remaining else { return nil }
        for _ in 0..<valueCount {
            guard let revision = reader.variableLength() else { return nil }
            commit.valueRevisions.append(UInt64(revision))
        }
        if !reader.isAtEnd {
            guard reader.byte() == 1 else { return nil }
            commit.leftReplicaGroup = true
        }
        return commit
    }

    // MARK: Conversations

    private static func append(_ conversation: Conversation, isNew: Bool, to bytes: inout [UInt8]) {
        bytes.append(text: conversation.id.text)
        bytes.append(text: conversation.sessionID.text)
        bytes.append(
            flags: conversation.displayName != nil, conversation.hasAvatar, conversation.isPinned,
            conversation.isMuted, conversation.lastMessage != nil, conversation.lastMessage?.isOutgoing ?? false,
            isNew)
        bytes.append(text: conversation.displayName ?? "")
        bytes.append(count: conversation.messageCount)
        bytes.append(count: conversation.unreadCount)
        for time in [conversation.createdAt, conversation.updatedAt, conversation.lastActivityAt] {
            bytes.append(littleEndian: time.microseconds)
        }
        append(conversation.retention, to: &bytes)
        if let message = conversation.lastMessage {
            bytes.append(text: message.id.text)
            bytes.append(littleEndian: message.timestamp.microseconds)
            bytes.append(variableLength: message.status.rawValue)
        }
        if let kind = conversation.kind {
            bytes.append(text: kind)
        }
    }

    private static func conversation(_ reader: inout ByteReader) -> MutationResult? {
        guard let id = reader.text(), let sessionID = reader.text(), let flags = reader.byte(),
            let displayName = reader.text(), let messageCount = reader.variableLength(),
            let unreadCount = reader.variableLength(), let createdAt = reader.time(), let updatedAt = reader.time(),
            let lastActivityAt = reader.time(), let retention = Self.retention(&reader)
        else { return nil }
        var conversation = Conversation(
            id: EntityID(trusted: id), sessionID: SessionID(trusted: sessionID),
            displayName: flags.hasFlag(0) ? displayName : nil, hasAvatar: flags.hasFlag(1), isPinned: flags.hasFlag(2),
            isMuted: flags.hasFlag(3), messageCount: messageCount, unreadCount: unreadCount, createdAt: createdAt,
            updatedAt: updatedAt, lastActivityAt: lastActivityAt, retention: retention)
        if flags.hasFlag(4) {
            guard let id = reader.text(), let timestamp = reader.time(),
                let status = reader.variableLength().flatMap(MessageStatus.init(rawValue:))
            else { return nil }
            conversation.lastMessage = LastMessage(
                id: EntityID(trusted: id), text: "", timestamp: timestamp, isOutgoing: flags.hasFlag(5), status: status)
        }
        if !reader.isAtEnd {
            guard let kind = reader.text() else { return nil }
            conversation.kind = kind
        }
        return .conversation(conversation, isNew: flags.hasFlag(6), isReplayed: false)
    }

    private static func append(_ retention: ConversationRetention, to bytes: inout [UInt8]) {
        bytes.append(variableLength: Int(retention.messageTimer?.lifetime.milliseconds ?? 0))
        bytes.append(variableLength: retention.messageTimer?.start.rawValue ?? 0)
        bytes.append(variableLength: Int(retention.keepFor?.milliseconds ?? 0))
        bytes.append(variableLength: Int(retention.keepCount ?? 0))
    }

    private static func retention(_ reader: inout ByteReader) -> ConversationRetention? {
        guard let lifetime = reader.variableLength(), let start = reader.variableLength(),
            let keepFor = reader.variableLength(), let keepCount = reader.variableLength()
        else { return nil }
        var retention = ConversationRetention()
        if lifetime > 0 {
            guard let lifetime = try? RetentionPeriod(milliseconds: UInt64(lifetime)),
                let start = MessageTimer.Start(rawValue: start)
            else { return nil }
            retention.messageTimer = MessageTimer(lifetime: lifetime, start: start)
        }
        if keepFor > 0 {
            guard let keepFor = try? RetentionPeriod(milliseconds: UInt64(keepFor)) else { return nil }
            retention.keepFor = keepFor
        }
        guard let keepCount = UInt32(exactly: keepCount) else { return nil }
        retention.keepCount = keepCount == 0 ? nil : keepCount
        return retention
    }

    // MARK: Archives

    private static func append(_ tally: RestoreTally, to bytes: inout [UInt8]) {
        for outcome in RestoreOutcome.allCases {
            for kind in ArchiveKind.allCases {
                bytes.append(variableLength: Int(clamping: tally[outcome][kind]))
            }
        }
    }

    private static func tally(_ reader: inout ByteReader) -> RestoreTally? {
        var tally = RestoreTally()
        for outcome in RestoreOutcome.allCases {
            for kind in ArchiveKind.allCases {
                guard let count = reader.variableLength() else { return nil }
                tally.increment(outcome, kind, count: UInt64(count))
            }
        }
        return tally
    }

    // MARK: Logs

    private static func append(_ log: Log, isNew: Bool, to bytes: inout [UInt8]) {
        bytes.append(text: log.name.text)
        bytes.append(flags: log.configuration.overwritesOldest, log.sequences != nil, isNew, log.isReplicated)
        bytes.append(variableLength: Int(log.configuration.maximumBytes))
        bytes.append(littleEndian: log.createdAt.microseconds)
        bytes.append(variableLength: Int(log.createdRevision))
        bytes.append(variableLength: Int(log.usedBytes))
        if let sequences = log.sequences {
            append(sequences, to: &bytes)
        }
    }

    private static func log(_ reader: inout ByteReader) -> MutationResult? {
        guard let name = reader.text(), let flags = reader.byte(), let maximumBytes = reader.variableLength(),
            let createdAt = reader.time(), let createdRevision = reader.variableLength(),
            let usedBytes = reader.variableLength()
        else { return nil }
        var log = Log(
            name: LogName(trusted: name),
            configuration: LogConfiguration(
                maximumBytes: UInt64(maximumBytes), overwritesOldest: flags.hasFlag(0)),
            isReplicated: flags.hasFlag(3), createdAt: createdAt, createdRevision: UInt64(createdRevision),
            usedBytes: UInt64(usedBytes))
        if flags.hasFlag(1) {
            guard let sequences = sequences(&reader) else { return nil }
            log.sequences = sequences
        }
        return .log(log, isNew: flags.hasFlag(2), isReplayed: false)
    }

    private static func append(_ sequences: ClosedRange<UInt64>, to bytes: inout [UInt8]) {
        bytes.append(variableLength: Int(sequences.lowerBound))
        bytes.append(variableLength: Int(sequences.upperBound))
    }

    private static func sequences(_ reader: inout ByteReader) -> ClosedRange<UInt64>? {
        guard let first = reader.variableLength(), let last = reader.variableLength(), first <= last else { return nil }
        return UInt64(first)...UInt64(last)
    }
}

extension [UInt8] {
    /// Appends a count from the store, which a damaged page could make negative.
    fileprivate mutating func append(count: Int) {
        append(variableLength: Swift.max(0, count))
    }

    /// Appends up to eight flags; the first one is the lowest bit.
    fileprivate mutating func append(flags: Bool...) {
        append(flags.enumerated().reduce(0) { $1.element ? $0 | 1 << $1.offset : $0 })
    }
}

extension UInt8 {
    fileprivate func hasFlag(_ bit: Int) -> Bool { self & 1 << bit != 0 }
}

extension ByteReader {
    fileprivate mutating func time() -> Timestamp? {
        littleEndian(UInt64.self).map { Timestamp(microseconds: Int64(bitPattern: $0)) }
    }
}
