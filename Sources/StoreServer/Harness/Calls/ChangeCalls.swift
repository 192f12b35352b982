import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

enum ChangeCalls {
    /// Changes when the caller names no number.
    private static let limitDefault = 1_000

    static let listChanges = CallRule(.read(.changes), .read) {
        (request: WireListChangesRequest, _) throws(RequestFailure) in
        let after = request.afterRevision
        let limit = try request.limit.asLimit(default: limitDefault, max: EngineLimits.changePageRowsMax)
        let filter = try ChangeFilter(request.kinds, conversationID: request.conversationID, scene: request.scene)
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.changes(after: after, limit: limit, filter)
                guard after <= page.revision else {
                    return .failure(
                        .revisionAhead,
                        "the request names revision \(after), but the newest revision of the store is "
                            + "\(page.revision); was the store restored from a backup?")
                }
                return .changes(page)
            })
    }

    static let watch = CallRule(.read(.changes), .read) {
        (request: WireWatchRequest, _) throws(RequestFailure) in
        .watch(
            WatchRequest(
                afterRevision: request.hasAfterRevision ? request.afterRevision : nil,
                filter: try ChangeFilter(
                    request.kinds, conversationID: request.conversationID, scene: request.scene)))
    }

    static let compactChanges = CallRule(.administration, .write) {
        (request: WireCompactChangesRequest, _) throws(RequestFailure) in
        .mutation(.compactChanges(throughRevision: request.throughRevision))
    }
}

extension ChangeFilter {
    fileprivate init(
        _ wireKinds: [WireEntityKind], conversationID: String, scene: String
    ) throws(RequestFailure) {
        guard wireKinds.count <= Self.kindsMax else {
            throw RequestFailure(StoreError.tooMany(wireKinds.count, "kinds", countMax: Self.kindsMax))
        }
        let kinds = try wireKinds.map { (kind) throws(RequestFailure) in try EntityKind(wire: kind) }
        let conversation = try EntityID.given(conversationID)
        let scene = scene.isEmpty ? nil : try SceneName(wire: scene)
        guard conversation == nil || scene == nil else {
            throw .invalidArgument("conversation_id and scene cannot be combined; send two requests")
        }
        self.init(kinds: Set(kinds), conversationID: conversation?.text, scene: scene?.text)
    }
}

extension EntityKind {
    init(wire kind: WireEntityKind) throws(RequestFailure) {
        switch kind {
        case .conversation: self = .conversation
        case .message: self = .message
        case .contact: self = .contact
        case .store: self = .store
        case .sceneValue: self = .sceneValue
        case .log: self = .log
        case .draft: self = .draft
        case .reaction: self = .reaction
        case .file: self = .file
        case .unspecified, .UNRECOGNIZED:
            throw .invalidArgument("the kind \(kind.rawValue) is unknown to this daemon")
        }
    }
}

/// Writes changes as protobuf without building protobuf types: a commit goes to many watchers.
enum ChangeEncoder {
    static func append(_ head: ResponseHead, _ page: ChangePage, to buffer: inout ByteBuffer) {
        let through = Int64(bitPattern: page.throughRevision)
        let tailBytes =
            integerSize(3, page.hasMore ? 1 : 0) + integerSize(4, through) + historySize(5, page.history)
        append(head, .changes, page.changes, revision: page.revision, tailBytes: tailBytes, to: &buffer) { writer in
            writeInteger(3, page.hasMore ? 1 : 0, to: &writer)
            writeInteger(4, through, to: &writer)
            writeHistory(5, page.history, to: &writer)
        }
    }

    static func append(
        _ head: ResponseHead, watchEvent changes: [Change], revision: UInt64, of history: HistoryID,
        to buffer: inout ByteBuffer
    ) {
        append(
            head, .watchEvent, changes, revision: revision, tailBytes: historySize(3, history), to: &buffer
        ) { writer in
            writeHistory(3, history, to: &writer)
        }
    }

    /// ListChangesResponse and WatchEvent have the same first fields.
    private static func append(
        _ head: ResponseHead, _ field: ResultField, _ changes: [Change], revision: UInt64, tailBytes: Int,
        to buffer: inout ByteBuffer, tail: (inout ProtobufWriter) -> Void
    ) {
        var resultBytes = integerSize(2, Int64(bitPattern: revision)) + tailBytes
        for change in changes {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: change))
        }
        FrameWriter.append(head, field, resultBytes: resultBytes, to: &buffer) { writer in
            for change in changes {
                writer.startBytesField(1, count: size(of: change))
                write(change, to: &writer)
            }
            writeInteger(2, Int64(bitPattern: revision), to: &writer)
            tail(&writer)
        }
    }

    /// Bytes of the change without tag and length.
    static func size(of change: Change) -> Int {
        integerSize(1, Int64(bitPattern: change.revision))
            + integerSize(2, Int64(change.kind.rawValue))
            + integerSize(3, Int64(change.operation.rawValue))
            + textSize(4, change.id) + textSize(5, change.parent)
            + integerSize(6, change.committedAt.microseconds)
    }

    private static func write(_ change: Change, to writer: inout ProtobufWriter) {
        writeInteger(1, Int64(bitPattern: change.revision), to: &writer)
        writeInteger(2, Int64(change.kind.rawValue), to: &writer)
        writeInteger(3, Int64(change.operation.rawValue), to: &writer)
        writeText(4, change.id, to: &writer)
        writeText(5, change.parent, to: &writer)
        writeInteger(6, change.committedAt.microseconds, to: &writer)
    }
}
