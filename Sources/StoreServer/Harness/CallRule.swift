import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf

/// The order of a call among the other calls of its connection.
enum CallOrder: Hashable, Sendable {
    /// Answered at once, whatever else is under way.
    case free
    /// Sees every write sent before it.
    case read
    /// Applied in the order sent; takes an idempotency key.
    case write
    /// Changes the state of the whole store: waits for all before it, and all after it wait.
    case barrier
}

/// What a call names, and so which names a right to it must cover.
enum NamedReach: Hashable, Sendable {
    case nothing
    /// One entry.
    case itself
    /// A directory, with all that may lie below it.
    case itselfAndBelow
    /// What a directory holds.
    case below

    /// The narrowest pattern that covers it, NAME being the entry.
    var pattern: String {
        switch self {
        case .nothing, .itself: "NAME"
        case .itselfAndBelow: "NAME*"
        case .below: "NAME/*"
        }
    }

    /// What that pattern grants a right to.
    ///
    /// - Parameter entry: what has such a name.
    func meaning(_ entry: String) -> String {
        switch self {
        case .nothing, .itself: "only the \(entry) NAME"
        case .itselfAndBelow: "all paths that begin with NAME"
        case .below: "everything below the path NAME"
        }
    }
}

/// Everything that is fixed for one call: who may use it, how it is ordered, how large it may be, and how its bytes
/// become a command that says what runs and how that is answered. The rows stand by area in `Calls`.
final class CallRule: Sendable {
    let requirement: AccessRequirement
    let order: CallOrder
    /// Most bytes of the call's own message.
    let bytesMax: Int
    /// Most entries of all lists in the call's own message.
    let entriesMax: Int
    /// Bytes that each field of the call's own message takes beside its content, decoded and at work.
    let fieldBytes: Int
    /// A request that takes more, decoded, is not decoded on an event loop.
    let loopDecodedBytesMax: Int
    /// True for calls about one entry of an area whose entries have names: the right may be limited to some.
    var namesEntry: Bool { names != .nothing }
    /// The names that its right must cover.
    let names: NamedReach
    /// True where an idempotency key means something.
    let takesKey: Bool
    let decode: @Sendable (CallBytes) throws(StoreError) -> Command

    /// True when a right to some entries is enough, if the call is about one of them.
    var limitedRightWillDo: Bool {
        namesEntry || [.continueExport, .continueImport, .continueFileWrite].contains(requirement)
    }

    /// Most fields of the call's own message: bounds what a payload of many tiny entries grows to when parsed.
    var fieldsMax: Int { entriesMax + CallLimits.singleFieldsMax }

    /// Returns the bytes that a request takes from its decoding to its answer.
    func decodedBytes(payloadBytes: Int, fieldCount: Int) -> Int {
        CallLimits.requestBytes + payloadBytes + fieldCount * fieldBytes
    }

    /// A row whose message is read by hand.
    init(
        _ requirement: AccessRequirement, _ order: CallOrder, bytesMax: Int = CallLimits.smallCallBytesMax,
        entriesMax: Int = CallLimits.smallCallEntriesMax, fieldBytes: Int = CallLimits.fieldBytes,
        loopDecodedBytesMax: Int = CallLimits.loopDecodedBytesMax, names: NamedReach = .nothing,
        takesKey: Bool? = nil, decode: @escaping @Sendable (CallBytes) throws(StoreError) -> Command
    ) {
        self.requirement = requirement
        self.order = order
        self.bytesMax = bytesMax
        self.entriesMax = entriesMax
        self.fieldBytes = fieldBytes
        self.loopDecodedBytesMax = loopDecodedBytesMax
        self.names = names
        self.takesKey = takesKey ?? (order == .write)
        self.decode = decode
    }

    /// A row whose message swift-protobuf reads.
    convenience init<Wire: SwiftProtobuf.Message>(
        _ requirement: AccessRequirement, _ order: CallOrder, bytesMax: Int = CallLimits.smallCallBytesMax,
        entriesMax: Int = CallLimits.smallCallEntriesMax, fieldBytes: Int = CallLimits.fieldBytes,
        names: NamedReach = .nothing, takesKey: Bool? = nil,
        _ command: @escaping @Sendable (Wire, RequestSecrets) throws(StoreError) -> Command
    ) {
        self.init(
            requirement, order, bytesMax: bytesMax, entriesMax: entriesMax, fieldBytes: fieldBytes,
            names: names, takesKey: takesKey
        ) {
            (call) throws(StoreError) in
            try command(try call.parse(), call.secrets)
        }
    }
}

/// The bytes of a call's own message, with the secrets that were lifted out of them.
struct CallBytes {
    let bytes: UnsafeRawBufferPointer
    let secrets: RequestSecrets

    init(_ bytes: UnsafeRawBufferPointer, secrets: RequestSecrets = .none) {
        self.bytes = bytes
        self.secrets = secrets
    }

    /// Parses the message; what v1 does not know is dropped.
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

    /// The range of the only field, if it is the only one and holds bytes.
    func onlyBytes(field number: UInt32) -> Range<Int>? {
        var reader = ProtobufReader(bytes)
        guard let field = try? reader.next(), field.number == number, case .bytes(let range) = field.value,
            range.upperBound == bytes.count
        else { return nil }
        return range
    }
}

/// Bounds of single calls.
enum CallLimits {
    /// Bytes of a call that holds names and numbers only; a secret has at most 4,096 bytes.
    static let smallCallBytesMax = 16 << 10
    /// Entries of the list of a small call: watch may name each kind.
    static let smallCallEntriesMax = 32
    /// Fields of a call that are no entries of its lists.
    static let singleFieldsMax = 32
    /// Bytes of a list of ids, each with its tag and length.
    static let idListBytesMax = EngineLimits.requestEntitiesMax * (EntityID.bytesMax + 3) + smallCallBytesMax
    /// Bytes of a list of keys, each with its tag and length.
    static let sceneKeyListBytesMax = EngineLimits.pageRowsMax * (SceneKey.bytesMax + 3) + smallCallBytesMax
    /// Bytes of one message.
    static let messageBytesMax = EngineLimits.messageTextBytesMax + smallCallBytesMax
    /// Bytes of contents and thumbnails of attachments that come with one message.
    static let attachmentBytesMax = (1 << 20) + (128 << 10)
    /// Bytes of a list of messages or values that are saved together, in one commit that nobody gets in between of: as
    /// few as the largest message of a log allows.
    static let batchBytesMax = EngineLimits.logMessageBytesMax + smallCallBytesMax
    /// Bytes of a conversation or contact.
    static let entityBytesMax = EngineLimits.avatarBytesMax + EngineLimits.notesBytesMax + smallCallBytesMax
    /// Bytes of a piece of a file.
    static let pieceBytesMax = FrameLimits.backupChunkBytesMax + smallCallBytesMax
    /// Bytes a request takes beside its content and its fields: queued, with what runs and what is told of it.
    static let requestBytes = 1 << 10
    /// Bytes a field takes beside its content: a text of its own, a change, an id in the answer.
    static let fieldBytes = 256
    /// The same of a message to save, with eight texts of its own, as it was decoded and as it is saved.
    static let messageFieldBytes = 832
    /// Most that a request takes beside its frame.
    static let decodingBytesMax = 1 << 20
    /// Requests that take more than this, decoded, are not decoded on an event loop: about half a
    /// millisecond's work.
    static let loopDecodedBytesMax = 64 << 10
    /// The same of requests whose bytes are only copied.
    static let loopCopiedBytesMax = 256 << 10
    /// Longest wait of a read for something to read.
    static let waitMillisecondsMax: UInt32 = 60_000
    /// Bytes of a message of a group's log: a batch has at most 256 KiB and one record more.
    static let replicaMessageBytesMax = 1 << 20
    /// Bytes of messages of a group's log in one answer.
    static let replicaTakeBytesMax = 8 << 20
    static let replicaTakeBytesDefault = 1 << 20
    /// The validity of an invitation if the request has none.
    static let replicaInvitationSecondsDefault: UInt64 = 3_600
    /// Bytes of `HelloRequest.client_name`.
    static let clientNameBytesMax = 64
    /// Bytes of a key slot's label.
    static let labelBytesMax = 64
    /// Bytes of a backup's name.
    static let backupNameBytesMax = 128
    /// Long reads of one connection that run at once.
    static let longReadsPerConnectionMax = 4
}
