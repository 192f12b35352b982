import ReplicaModel
import StoreBasics
import StoreCrypto

/// What fields of things are as bytes: in batches, and for their digests. Without a field's value it is as in a thing
/// that nobody has changed.
typealias ThingValues = [FieldNumber: [UInt8]]

extension FieldNumber {
    // Of contacts and conversations.
    static let displayName = FieldNumber(rawValue: 2)
    static let avatar = FieldNumber(rawValue: 3)
    // Of contacts.
    static let notes = FieldNumber(rawValue: 4)
    static let isBlocked = FieldNumber(rawValue: 5)
    static let isTrusted = FieldNumber(rawValue: 6)
    // Of conversations.
    static let isPinned = FieldNumber(rawValue: 7)
    static let isMuted = FieldNumber(rawValue: 8)
    static let retention = FieldNumber(rawValue: 9)
    /// Of all that is one value.
    static let value = FieldNumber(rawValue: 10)
}

extension ThingKind {
    /// In ascending order.
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

    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(text: id.text)
        bytes.append(time: createdAt)
        return bytes
    }

    init(id: EntityID, createdAt: Timestamp) {
        self.id = id
        self.createdAt = createdAt
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]) throws(StoreError) {
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let id = reader.text(), let createdAt = reader.bigEndianTime() else { return nil }
            return ThingIdentity(id: try EntityID(id), createdAt: createdAt)
        }
    }
}

extension ConversationRetention {
    /// `nil`: it keeps everything.
    var bytes: [UInt8]? {
        guard self != ConversationRetention() else { return nil }
        var bytes: [UInt8] = []
        bytes.append(optional: messageTimer?.number)
        bytes.append(optional: keepFor?.microseconds)
        bytes.append(optional: keepCount.map { Int64($0) })
        return bytes
    }

    /// - Throws: `.invalidArgument` for what no store can have written.
    init(_ bytes: [UInt8]?) throws(StoreError) {
        self.init()
        guard let bytes else { return }
        self = try bytes.parsed { (reader) throws(StoreError) in
            guard let timer = reader.optionalInteger(), let keepFor = reader.optionalInteger(),
                let keepCount = reader.optionalInteger()
            else { return nil }
            var retention = ConversationRetention()
            retention.messageTimer = try timer.map { (number) throws(StoreError) in try MessageTimer(number: number) }
            retention.keepFor = try keepFor.map { (time) throws(StoreError) in try RetentionPeriod(microseconds: time) }
            if let keepCount {
                guard let count = UInt32(exactly: keepCount), count > 0 else { return nil }
                retention.keepCount = count
            }
            return retention
        }
    }
}

extension [UInt8] {
    mutating func append(time: Timestamp) {
        append(bigEndian: UInt64(bitPattern: time.microseconds))
    }

    /// All of the bytes as something.
    ///
    /// - Throws: `.invalidArgument` where they are not, and for bytes behind it.
    func parsed<Value>(
        _ body: (inout ByteReader) throws(StoreError) -> Value?
    ) throws(StoreError) -> Value {
        try withUnsafeBufferPointer { (buffer) throws(StoreError) in
            var reader = ByteReader(UnsafeRawBufferPointer(buffer))
            let value: Value?
            do throws(StoreError) {
                value = try body(&reader)
            } catch {
                throw Self.unreadable
            }
            guard let value, reader.isAtEnd else { throw Self.unreadable }
            return value
        }
    }

    private static var unreadable: StoreError {
        .invalidArgument("a batch has an impossible value")
    }
}

extension ByteReader {
    mutating func bigEndianTime() -> Timestamp? {
        bigEndian(UInt64.self).map { Timestamp(microseconds: Int64(bitPattern: $0)) }
    }
}
