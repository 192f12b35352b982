import ReplicaModel
import StoreBasics
import StoreCrypto

/// The values of a thing's fields, as batches carry them. A field without a value has its default.
typealias ThingValues = [FieldNumber: [UInt8]]

/// The numbers of fields of `ArchivedContact` and `ArchivedConversation` in archives.proto.
extension FieldNumber {
    // Fields of contacts and conversations.
    static let displayName = FieldNumber(rawValue: 3)
    static let avatar = FieldNumber(rawValue: 4)
    // Fields of contacts.
    static let notes = FieldNumber(rawValue: 5)
    static let isBlocked = FieldNumber(rawValue: 6)
    static let isTrusted = FieldNumber(rawValue: 7)
    static let contactMetadata = FieldNumber(rawValue: 10)
    // Fields of conversations.
    static let isPinned = FieldNumber(rawValue: 5)
    static let isMuted = FieldNumber(rawValue: 6)
    static let retention = FieldNumber(rawValue: 7)
    static let kind = FieldNumber(rawValue: 10)
    static let conversationMetadata = FieldNumber(rawValue: 11)
    /// The field of things with one value.
    static let value = FieldNumber(rawValue: 10)
}

extension ThingKind {
    /// The fields that this version knows, in ascending order.
    var fields: [FieldNumber] {
        switch self {
        case .contact: [.identity, .displayName, .avatar, .notes, .isBlocked, .isTrusted, .contactMetadata]
        case .conversation:
            [.identity, .displayName, .avatar, .isPinned, .isMuted, .retention, .kind, .conversationMetadata]
        case .draft, .sceneValue, .reaction, .file, .log, .member: [.value]
        }
    }
}

extension ValueDigest {
    /// - Parameter bytes: The value; `nil` without one.
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

/// The id of a contact or a conversation, and when it was created.
struct ThingIdentity: Hashable, FieldMessage {
    var id = EntityID(trusted: "")
    var createdAt = Timestamp(microseconds: 0)

    fileprivate static let createdAtNumber: UInt32 = 8

    mutating func describe(_ form: inout MessageForm) throws {
        try form.field(UInt32(FieldNumber.identity.rawValue), &id)
        try form.field(Self.createdAtNumber, &createdAt)
        try form.expect(form.hasRead(UInt32(FieldNumber.identity.rawValue)))
    }
}

extension ThingIdentity {
    var bytes: [UInt8] { encoded() }

    /// - Throws: `.invalidArgument` for bytes that no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        guard try read(body: bytes).isEmpty else { throw [UInt8].unreadable }
    }
}

extension ThingValues {
    /// Creates the values from the fields of a contact or a conversation.
    init(of entity: some ReplicatedState) {
        self.init()
        entity.body.withUnsafeBytes { body in
            var fields = TaggedFields(body)
            while let field = try? fields.next() {
                let number =
                    field.number == ThingIdentity.createdAtNumber
                    ? FieldNumber.identity : FieldNumber(rawValue: UInt8(field.number))
                self[number, default: []] += field.whole
            }
        }
    }

    /// Returns the contact or the conversation that has these values. Values of unknown fields are left out.
    ///
    /// - Throws: `.invalidArgument` for values that no store can have written.
    func entity<Entity: ReplicatedState>(_: Entity.Type, _ kind: ThingKind) throws(StoreError) -> Entity {
        try Entity(body: kind.fields.flatMap { self[$0] ?? [] })
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
