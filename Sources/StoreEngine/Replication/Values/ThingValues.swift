import ReplicaModel
import StoreBasics
import StoreCrypto

/// The values of a thing's fields, as batches carry them. A field without a value is as in a thing that nobody has
/// changed.
typealias ThingValues = [FieldNumber: [UInt8]]

/// The numbers of `ArchivedContact` and `ArchivedConversation` in archives.proto.
extension FieldNumber {
    // Of contacts and conversations.
    static let displayName = FieldNumber(rawValue: 3)
    static let avatar = FieldNumber(rawValue: 4)
    // Of contacts.
    static let notes = FieldNumber(rawValue: 5)
    static let isBlocked = FieldNumber(rawValue: 6)
    static let isTrusted = FieldNumber(rawValue: 7)
    // Of conversations.
    static let isPinned = FieldNumber(rawValue: 5)
    static let isMuted = FieldNumber(rawValue: 6)
    static let retention = FieldNumber(rawValue: 7)
    /// Of all that is one value.
    static let value = FieldNumber(rawValue: 10)
}

extension ThingKind {
    /// The fields that this version knows, in ascending order.
    var fields: [FieldNumber] {
        switch self {
        case .contact: [.identity, .displayName, .avatar, .notes, .isBlocked, .isTrusted]
        case .conversation: [.identity, .displayName, .avatar, .isPinned, .isMuted, .retention]
        case .draft, .sceneValue, .reaction, .file, .log: [.value]
        }
    }
}

extension ValueDigest {
    /// - Parameter bytes: `nil`: there is no value.
    init(of bytes: [UInt8]?) {
        guard let bytes else {
            self = .none
            return
        }
        var digest = ContentDigest()
        digest.update(bytes)
        let words = digest.finish().withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }
}

/// The id that a contact or conversation was given, and when it was made.
struct ThingIdentity: Hashable {
    var id: EntityID
    var createdAt: Timestamp

    private static let createdAtNumber: UInt32 = 8

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: UInt32(FieldNumber.identity.rawValue), present: id.text)
        bytes.append(field: Self.createdAtNumber, signed: createdAt.microseconds)
        return bytes
    }

    init(id: EntityID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsedFields { fields in
            var id = ""
            var createdAt = Timestamp(microseconds: 0)
            while let field = try fields.next() {
                switch field.number {
                case UInt32(FieldNumber.identity.rawValue): id = try field.text()
                case Self.createdAtNumber: createdAt = try field.timestamp()
                default: throw ProtobufFault()
                }
            }
            return ThingIdentity(id: try EntityID(id), createdAt: createdAt)
        }
    }
}

extension ConversationRetention {
    /// The numbers of `ConversationRetention` in conversations.proto.
    private enum Number {
        static let messageTimer: UInt32 = 1
        static let keepFor: UInt32 = 2
        static let keepCount: UInt32 = 3
    }

    var messageBytes: [UInt8] {
        var bytes: [UInt8] = []
        if let messageTimer {
            bytes.append(field: Number.messageTimer, present: messageTimer.messageBytes)
        }
        bytes.append(field: Number.keepFor, keepFor?.milliseconds ?? 0)
        bytes.append(field: Number.keepCount, UInt64(keepCount ?? 0))
        return bytes
    }

    /// - Parameter unknown: Receives the fields of a later version.
    /// - Throws: `.invalidArgument` for what no store can have written.
    init(messageBytes: [UInt8], unknown: inout [UInt8]) throws(StoreError) {
        (self, unknown) = try messageBytes.parsedFields { fields in
            var retention = ConversationRetention()
            while let field = try fields.next() {
                switch field.number {
                case Number.messageTimer: retention.messageTimer = try MessageTimer(messageBytes: field.bytes())
                case Number.keepFor: retention.keepFor = try RetentionPeriod(milliseconds: field.unsigned())
                case Number.keepCount:
                    guard let count = UInt32(exactly: try field.unsigned()), count > 0 else { throw ProtobufFault() }
                    retention.keepCount = count
                default: fields.keep(field)
                }
            }
            return (retention, fields.unknown)
        }
    }
}

extension [UInt8] {
    mutating func append(time: Timestamp) {
        append(bigEndian: UInt64(bitPattern: time.microseconds))
    }

    static var unreadable: StoreError {
        .invalidArgument("a batch has an impossible value")
    }
}

extension ByteReader {
    mutating func bigEndianTime() -> Timestamp? {
        bigEndian(UInt64.self).map { Timestamp(microseconds: Int64(bitPattern: $0)) }
    }
}
