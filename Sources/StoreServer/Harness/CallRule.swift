import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The order of a call relative to the other calls of its connection.
enum CallOrder: Hashable, Sendable {
    /// Answered at once, whatever other calls are running.
    case free
    /// Sees every write sent before it.
    case read
    /// Applied in the order sent. Accepts an idempotency key.
    case write
    /// Changes the state of the whole store. It waits for all calls before it, and all calls after it wait for it.
    case barrier
}

/// The names that an access rule must include to permit a call, relative to the entry that the request names.
enum NamedReach: Hashable, Sendable {
    case nothing
    /// The named entry.
    case itself
    /// A directory and everything that may be below it.
    case itselfAndBelow
    /// The contents of a directory.
    case below

    /// The narrowest pattern that covers the names, where NAME stands for the entry.
    var pattern: String {
        switch self {
        case .nothing, .itself: "NAME"
        case .itselfAndBelow: "NAME*"
        case .below: "NAME/*"
        }
    }

    /// Returns an explanation of `pattern` for people.
    ///
    /// - Parameter entry: The kind of entry that has the name.
    func meaning(_ entry: String) -> String {
        switch self {
        case .nothing, .itself: "only the \(entry) NAME"
        case .itselfAndBelow: "all paths that begin with NAME"
        case .below: "everything below the path NAME"
        }
    }
}

/// The fixed properties of one call: the right it needs, its order, its size limits, and how its bytes become a
/// command. The rules are listed by area in `Calls`.
final class CallRule: Sendable {
    let requirement: AccessRequirement
    let order: CallOrder
    /// The largest number of bytes of the call's own message.
    let bytesMax: Int
    /// The largest number of entries of all lists in the call's own message.
    let entriesMax: Int
    /// The bytes of memory that each field of the call's own message takes beside its content, decoded and in progress.
    let fieldBytes: Int
    /// The decoded size above which a request is not decoded on an event loop.
    let loopDecodedBytesMax: Int
    /// True for calls about one entry of an area whose entries have names. The right may be limited to some names.
    var namesEntry: Bool { names != .nothing }
    /// The names that an access rule must include to permit the call.
    let names: NamedReach
    let acceptsIdempotencyKey: Bool
    let decode: @Sendable (CallBytes) throws(StoreError) -> Command

    /// True if a right to some entries is enough, provided that the call is about one of them.
    var limitedRightWillDo: Bool {
        namesEntry || [.continueExport, .continueImport, .continueFileWrite].contains(requirement)
    }

    /// The largest number of fields of the call's own message. It limits the size to which a payload of many small
    /// entries grows when parsed.
    var fieldsMax: Int { entriesMax + CallLimits.singleFieldsMax }

    /// Returns the bytes that a request takes from its decoding to its answer.
    func decodedBytes(payloadBytes: Int, fieldCount: Int) -> Int {
        CallLimits.requestBytes + payloadBytes + fieldCount * fieldBytes
    }

    /// Creates the rule of a call whose message is decoded by hand.
    init(
        _ requirement: AccessRequirement, _ order: CallOrder, bytesMax: Int = CallLimits.smallCallBytesMax,
        entriesMax: Int = CallLimits.smallCallEntriesMax, fieldBytes: Int = CallLimits.fieldBytes,
        loopDecodedBytesMax: Int = CallLimits.loopDecodedBytesMax, names: NamedReach = .nothing,
        acceptsIdempotencyKey: Bool? = nil, decode: @escaping @Sendable (CallBytes) throws(StoreError) -> Command
    ) {
        self.requirement = requirement
        self.order = order
        self.bytesMax = bytesMax
        self.entriesMax = entriesMax
        self.fieldBytes = fieldBytes
        self.loopDecodedBytesMax = loopDecodedBytesMax
        self.names = names
        self.acceptsIdempotencyKey = acceptsIdempotencyKey ?? (order == .write)
        self.decode = decode
    }

    /// Creates the rule of a call whose message swift-protobuf decodes.
    convenience init<Wire: SwiftProtobuf.Message>(
        _ requirement: AccessRequirement, _ order: CallOrder, bytesMax: Int = CallLimits.smallCallBytesMax,
        entriesMax: Int = CallLimits.smallCallEntriesMax, fieldBytes: Int = CallLimits.fieldBytes,
        names: NamedReach = .nothing, acceptsIdempotencyKey: Bool? = nil,
        _ command: @escaping @Sendable (Wire, RequestSecrets) throws(StoreError) -> Command
    ) {
        self.init(
            requirement, order, bytesMax: bytesMax, entriesMax: entriesMax, fieldBytes: fieldBytes,
            names: names, acceptsIdempotencyKey: acceptsIdempotencyKey
        ) {
            (call) throws(StoreError) in
            try command(try call.parse(), call.secrets)
        }
    }
}

/// The bytes of a call's own message, with the secrets that were extracted from them.
struct CallBytes {
    let bytes: UnsafeRawBufferPointer
    let secrets: RequestSecrets

    init(_ bytes: UnsafeRawBufferPointer, secrets: RequestSecrets = .none) {
        self.bytes = bytes
        self.secrets = secrets
    }

    /// Parses the message. Fields that this version does not know are dropped.
    func parse<Wire: SwiftProtobuf.Message>(_ type: Wire.Type = Wire.self) throws(StoreError) -> Wire {
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = FrameLimits.messageDepthMax
        options.discardUnknownFields = true
        do {
            return try Wire(serializedBytes: bytes.bytes, options: options)
        } catch {
            throw .malformedCall
        }
    }

    /// Returns the range of the bytes of field `number`, if it is the message's only field and holds bytes.
    func onlyBytes(field number: UInt32) -> Range<Int>? {
        var reader = ProtobufReader(bytes)
        guard let field = try? reader.next(), field.number == number, case .bytes(let range) = field.value,
            range.upperBound == bytes.count
        else { return nil }
        return range
    }
}

/// Limits of single calls. Each comment says what its constant limits.
enum CallLimits {
    /// Bytes of a call that contains only names and numbers. A secret has at most 4,096 bytes.
    static let smallCallBytesMax = 16 << 10
    /// Entries of the list of a small call. A watch may name each kind of entity.
    static let smallCallEntriesMax = 32
    /// Fields of a call that are not entries of its lists.
    static let singleFieldsMax = 32
    /// Bytes of a list of IDs, each with its tag and length.
    static let idListBytesMax = EngineLimits.requestEntitiesMax * (EntityID.bytesMax + 3) + smallCallBytesMax
    /// Bytes of a list of session ids, each with its tag and length.
    static let sessionIDListBytesMax = EngineLimits.requestEntitiesMax * (SessionID.bytesMax + 3) + smallCallBytesMax
    /// Bytes of a list of members, each with the tags and lengths of its texts.
    static let memberListBytesMax =
        EngineLimits.requestEntitiesMax
        * (SessionID.bytesMax + EngineLimits.displayNameBytesMax + EngineLimits.kindBytesMax + 12) + smallCallBytesMax
    /// Bytes of a list of keys, each with its tag and length.
    static let sceneKeyListBytesMax = EngineLimits.pageRowsMax * (SceneKey.bytesMax + 3) + smallCallBytesMax
    /// Bytes of a call with the text of one message.
    static let messageBytesMax = EngineLimits.messageTextBytesMax + smallCallBytesMax
    /// Bytes of the contents, thumbnails and metadata of attachments that are sent with one message.
    static let attachmentBytesMax = (1 << 20) + (128 << 10)
    /// Bytes of a list of messages or values that are saved in one commit. The limit is small because the commit delays
    /// all other writes, but it admits the largest message of an append log.
    static let batchBytesMax = EngineLimits.logMessageBytesMax + smallCallBytesMax
    /// Bytes of a list of messages of an append log with their metadata.
    static let appendBytesMax = batchBytesMax + EngineLimits.metadataBytesMax
    /// Bytes of a conversation or contact with an avatar, notes and metadata.
    static let entityBytesMax =
        EngineLimits.avatarBytesMax + EngineLimits.notesBytesMax + EngineLimits.metadataBytesMax + smallCallBytesMax
    /// Bytes of a part of a file or a backup.
    static let pieceBytesMax = FrameLimits.backupChunkBytesMax + smallCallBytesMax
    /// Bytes that a request takes beside its content and fields, including its place in the queue, its execution and
    /// the notification about its result.
    static let requestBytes = 1 << 10
    /// Bytes that a field takes beside its content: a separate text, a change, an ID in the answer.
    static let fieldBytes = 256
    /// Bytes that a field of a message to save takes beside its content: eight separate texts, in both the decoded and
    /// the saved form.
    static let messageFieldBytes = 832
    /// The largest number of bytes that a request takes beside its frame.
    static let decodingBytesMax = 1 << 20
    /// The decoded size above which a request is not decoded on an event loop: about half a millisecond of work.
    static let loopDecodedBytesMax = 64 << 10
    /// The decoded size above which a request whose bytes are only copied is not decoded on an event loop.
    static let loopCopiedBytesMax = 256 << 10
    /// The longest time that a read may wait for something to read.
    static let waitMillisecondsMax: UInt32 = 60_000
    /// Bytes of a message of a replica group's stream. A batch has at most 256 KiB plus one record.
    static let replicaMessageBytesMax = 1 << 20
    /// Bytes of messages of a replica group's stream in one answer.
    static let replicaMessagesBytesMax = 8 << 20
    static let replicaMessagesBytesDefault = 1 << 20
    /// The validity of an invitation if the request has none.
    static let replicaInvitationSecondsDefault: UInt64 = 3_600
    /// Bytes of `HelloRequest.client_name`.
    static let clientNameBytesMax = 64
    /// Bytes of the label of a key slot.
    static let labelBytesMax = 64
    static let backupNameBytesMax = 128
    /// The number of long reads of one connection that run at the same time.
    static let longReadsPerConnectionMax = 4
}
