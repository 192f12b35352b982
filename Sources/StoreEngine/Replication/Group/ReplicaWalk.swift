import ReplicaModel
import SQLCipher
import StoreBasics

/// How far a walk over all that the group's stores hold has come. What is told after something that it needs comes
/// behind it: messages behind conversations, reactions behind messages.
enum ReplicaWalk: Hashable, Sendable {
    /// Things of a kind, behind one.
    case things(ThingKind, after: [UInt8])
    case messages(after: MessagePlace)
    /// Those that were removed, by their ids.
    case removedMessages(after: String)

    static let start = ReplicaWalk.things(.contact, after: [])

    /// In this order; messages between them.
    private static let kindsBeforeMessages: [ThingKind] = [.contact, .conversation, .draft, .sceneValue]
    private static let kindsBehindMessages: [ThingKind] = [.reaction]

    /// Behind all that this part of the walk has; `nil`: it ends there.
    var nextPart: ReplicaWalk? {
        switch self {
        case .things(let kind, _):
            if let next = Self.kind(after: kind, in: Self.kindsBeforeMessages) { return .things(next, after: []) }
            if kind == Self.kindsBeforeMessages.last { return .messages(after: .first) }
            return Self.kind(after: kind, in: Self.kindsBehindMessages).map { .things($0, after: []) }
        case .messages: return .removedMessages(after: "")
        case .removedMessages: return Self.kindsBehindMessages.first.map { .things($0, after: []) }
        }
    }

    private static func kind(after kind: ThingKind, in kinds: [ThingKind]) -> ThingKind? {
        kinds.firstIndex(of: kind).flatMap { kinds.dropFirst($0 + 1).first }
    }

    // MARK: At rest

    var bytes: [UInt8] {
        switch self {
        case .things(let kind, let name):
            return [0, kind.rawValue] + name
        case .messages(let place):
            var bytes: [UInt8] = [1]
            bytes.append(bigEndian: UInt64(bitPattern: place.conversation))
            bytes.append(time: place.timestamp)
            bytes.append(bigEndian: UInt64(bitPattern: place.sequence))
            return bytes
        case .removedMessages(let id):
            return [2] + id.utf8
        }
    }

    /// - Returns: `nil` for bytes that are no place.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes)
        switch reader.byte() {
        case 0:
            guard let kind = reader.byte().flatMap(ThingKind.init(rawValue:)), let name = reader.bytes(reader.remaining)
            else { return nil }
            self = .things(kind, after: [UInt8](name))
        case 1:
            guard let conversation: UInt64 = reader.bigEndian(), let time = reader.bigEndianTime(),
                let sequence: UInt64 = reader.bigEndian()
            else { return nil }
            self = .messages(
                after: MessagePlace(
                    conversation: Int64(bitPattern: conversation), timestamp: time,
                    sequence: Int64(bitPattern: sequence)))
        case 2:
            guard let id = reader.bytes(reader.remaining), let text = String(validating: id, as: UTF8.self) else {
                return nil
            }
            self = .removedMessages(after: text)
        default:
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}

extension MessagePlace {
    /// Before all.
    static let first = MessagePlace(conversation: .min, timestamp: Timestamp(microseconds: .min), sequence: .min)
}

extension WriteSession {
    /// Adds what comes next in a walk to a payload, as much as fits a batch and a step.
    ///
    /// What was changed here since it was last told is left out, or told as far as it is known: a batch tells it.
    ///
    /// - Returns: the walk behind it; `nil`: it has ended.
    func tellNext(of walk: ReplicaWalk, into payload: inout [UInt8]) throws(StoreError) -> ReplicaWalk? {
        var walk = walk
        repeat {
            let next: ReplicaWalk? =
                switch walk {
                case .things(let kind, let name): try tellThings(kind, after: name, &payload)
                case .messages(let place): try tellMessages(after: place, &payload)
                case .removedMessages(let id): try tellRemovedMessages(after: id, &payload)
                }
            guard let place = next ?? walk.nextPart else { return nil }
            walk = place
        } while payload.count < Self.replicaBatchBytes && !slice.isOver
        return walk
    }

    /// - Returns: `nil` where there are none behind it.
    private func tellThings(
        _ kind: ThingKind, after name: [UInt8], _ payload: inout [UInt8]
    ) throws(StoreError) -> ReplicaWalk? {
        var last: [UInt8]?
        for thing in try ReplicaThingRows.next(kind, after: name, limit: Self.walkRowsMax, connection) {
            last = thing.name.bytes
            if let record = try record(of: thing.name, thing.state) {
                ReplicaRecord.thing(record).append(to: &payload)
            }
            guard payload.count < Self.replicaBatchBytes else { break }
        }
        return last.map { .things(kind, after: $0) }
    }

    /// A thing with all of its fields that are as they were last told.
    private func record(of name: ThingName, _ state: ThingState) throws(StoreError) -> ThingRecord? {
        let present = try present(name)
        var record = ThingRecord(name: name, removal: state.removal, touchedAt: state.touchedAt)
        for field in name.kind.fields {
            guard let mark = state.mark(of: field) else { continue }
            if field == .identity {
                record.fields.append(FieldRecord(field: field, stamp: mark.stamp, value: state.identity))
                continue
            }
            let value = present?.values[field]
            guard ValueDigest(of: value) == mark.digest else { continue }
            record.fields.append(FieldRecord(field: field, stamp: mark.stamp, value: value))
        }
        return record.fields.isEmpty && record.removal == .zero ? nil : record
    }

    private func tellMessages(
        after place: MessagePlace, _ payload: inout [UInt8]
    ) throws(StoreError) -> ReplicaWalk? {
        var places: [(place: MessagePlace, id: String)] = []
        let rows = try connection.rows(Self.walkedMessages, place, Self.walkRowsMax)
        while try rows.next() {
            let place = MessagePlace(
                conversation: rows.integer(0), timestamp: rows.timestamp(1), sequence: rows.integer(2))
            places.append((place, try rows.text(3)))
        }
        var last: MessagePlace?
        for (place, id) in places {
            last = place
            let mark = try ReplicaMessageRows.read(id, connection)
            guard !mark.isChanged, !mark.isRemoved, let row = try findMessage(EntityID(trusted: id)),
                let sessionID = try sessionID(of: row.conversation)
            else { continue }
            let content = try replicaContent(of: row, sessionID, mark)
            ReplicaRecord.message(MessageRecord(id: id, generation: mark.generation, content: content))
                .append(to: &payload)
            guard payload.count < Self.replicaBatchBytes else { break }
        }
        return last.map { .messages(after: $0) }
    }

    private func tellRemovedMessages(
        after id: String, _ payload: inout [UInt8]
    ) throws(StoreError) -> ReplicaWalk? {
        var last: String?
        for (id, mark) in try ReplicaMessageRows.next(after: id, limit: Self.walkRowsMax, connection) {
            last = id
            if mark.isRemoved {
                ReplicaRecord.message(MessageRecord(id: id, generation: mark.generation, content: nil))
                    .append(to: &payload)
            }
        }
        return last.map { .removedMessages(after: $0) }
    }

    private static var walkRowsMax: Int { 64 }

    private static let walkedMessages = StatementText(
        """
        SELECT conversation, timestamp, sequence, id FROM messages
        WHERE conversation > ?1 OR (conversation = ?1 AND (timestamp > ?2 OR (timestamp = ?2 AND sequence > ?3)))
        ORDER BY conversation, timestamp, sequence LIMIT ?4
        """)
}
