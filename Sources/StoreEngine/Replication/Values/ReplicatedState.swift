import ReplicaModel
import StoreBasics

/// A thing as it is in the store now.
struct PresentThing {
    var values: ThingValues
    /// The time of the thing's last update, in microseconds since 1970.
    var touchedAt: Int64
}

/// An entity in the form that batches carry: a message of archives.proto, without the fields that the entity's name or
/// record already contains.
protocol ReplicatedState: FieldMessage {
    /// Checks the bounds of the values.
    ///
    /// - Parameter unknown: The fields of a later version.
    /// - Throws: `.invalidArgument` for values that no store can have written.
    func checkBounds(_ unknown: [UInt8]) throws(StoreError)
}

extension ReplicatedState {
    /// The encoded body. Fields of a later version are left out, unless the entity keeps them.
    var body: [UInt8] { encoded(isBody: true) }

    /// - Throws: `.invalidArgument` for a body that no store can have written.
    init(body: [UInt8]) throws(StoreError) {
        self = try Self.read(body).state
    }

    /// Returns the entity, and the fields of a later version.
    static func read(_ body: [UInt8]) throws(StoreError) -> (state: Self, unknown: [UInt8]) {
        var state = Self()
        let unknown = try state.read(body: body)
        try state.checkBounds(unknown)
        return (state, unknown)
    }
}

extension FieldMessage {
    /// - Throws: `.invalidArgument` for bytes that are no encoded message of this kind.
    mutating func read(body: [UInt8]) throws(StoreError) -> [UInt8] {
        do {
            return try body.withUnsafeBytes { try read($0, isBody: true) }
        } catch {
            throw [UInt8].unreadable
        }
    }
}

extension WholeMessage: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try FieldLimits.check(newMessage(in: .id(id)))
        try UnknownFields.check(unknown, attachments)
    }

    /// Returns whether the bodies of two messages are equal, without their attachments. Texts are compared byte by
    /// byte, because Swift takes texts in different normal forms of Unicode for equal.
    static func haveSameBody(_ row: MessageRow, _ other: MessageRow) -> Bool {
        var message = WholeMessage(other, [])
        (message.id, message.status, message.isRead) = (row.id, row.status, row.isRead)
        return WholeMessage(row, []) == message && row.hasSameBytes(as: other)
    }
}

extension WholeContact: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try FieldLimits.checkDisplayName(displayName)
        try FieldLimits.checkNotes(notes)
        try FieldLimits.checkAvatar(avatar)
    }
}

extension WholeConversation: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try FieldLimits.checkDisplayName(displayName)
        try FieldLimits.checkAvatar(avatar)
        try FieldLimits.checkKind(kind)
    }
}

extension WholeDraft: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try FieldLimits.check(content)
        try UnknownFields.check(unknown, attachments)
    }
}

extension WholeSceneValue: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try FieldLimits.checkSceneValue(value)
    }
}

extension WholeReaction: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {}
}

extension ConversationMember: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try check()
    }
}

extension WholeLog: ReplicatedState {
    func checkBounds(_ unknown: [UInt8]) throws(StoreError) {
        try LogBounds.check(configuration)
    }

    /// Returns the body of a log from a row of `replica_logs`.
    ///
    /// - Parameter stored: The value in the row. Rows of schema 4 and earlier contain three numbers of fixed width, the
    ///   time first. Their first byte is 0, with which no field begins.
    static func body(stored: [UInt8]) -> [UInt8] {
        guard stored.first == 0, stored.count == 17 else { return stored }
        let log: WholeLog? = stored.withUnsafeBytes { bytes in
            var reader = ByteReader(bytes)
            guard let time = reader.bigEndianTime(), let maximumBytes: UInt64 = reader.bigEndian(),
                let overwritesOldest = reader.flag()
            else { return nil }
            return WholeLog(
                name: LogName(trusted: ""),
                configuration: LogConfiguration(maximumBytes: maximumBytes, overwritesOldest: overwritesOldest),
                createdAt: time)
        }
        return log?.body ?? stored
    }
}

extension MessageStatus {
    /// The status as the step of a `MessageProgress`.
    var replicaStep: UInt8 {
        switch self {
        case .pending: 0
        case .failed: 1
        case .sent: 2
        case .delivered: 3
        }
    }

    /// - Throws: `.invalidArgument` for an unknown step.
    init(replicaStep: UInt8) throws(StoreError) {
        switch replicaStep {
        case 0: self = .pending
        case 1: self = .failed
        case 2: self = .sent
        case 3: self = .delivered
        default: throw .invalidArgument("a batch has a message with an unknown status")
        }
    }
}
