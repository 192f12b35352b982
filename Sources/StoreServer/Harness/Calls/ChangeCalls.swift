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
        return .read(
            Read(isLong: true) { (reader, _) throws(StoreError) in
                let page = try reader.changes(after: after, limit: limit)
                guard after <= page.revision else {
                    return .failure(
                        .revisionAhead,
                        "the store is at revision \(page.revision), before \(after); was it restored from a backup?")
                }
                return .changes(page)
            })
    }

    static let watch = CallRule(.read(.changes), .read) {
        (request: WireWatchRequest, _) throws(RequestFailure) in
        let kinds = try request.kinds.map { (kind) throws(RequestFailure) in try EntityKind(wire: kind) }
        let conversation = try EntityID.given(request.conversationID)
        let scene = request.scene.isEmpty ? nil : try SceneName(wire: request.scene)
        guard conversation == nil || scene == nil else {
            throw .invalidArgument("conversation_id and scene exclude each other; use two watches")
        }
        return .watch(
            WatchRequest(
                afterRevision: request.hasAfterRevision ? request.afterRevision : nil,
                filter: WatchFilter(kinds: Set(kinds), conversationID: conversation?.text, scene: scene?.text)))
    }

    static let compactChanges = CallRule(.administration, .write) {
        (request: WireCompactChangesRequest, _) throws(RequestFailure) in
        .mutation(.compactChanges(throughRevision: request.throughRevision))
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
        case .unspecified, .UNRECOGNIZED:
            throw .invalidArgument("the kind \(kind.rawValue) is not one this daemon knows")
        }
    }
}

/// Writes changes as protobuf without building protobuf types: a commit goes to many watchers.
enum ChangeEncoder {
    static func append(_ head: ResponseHead, _ page: ChangePage, to buffer: inout ByteBuffer) {
        append(head, .changes, page.changes[...], revision: page.revision, hasMore: page.hasMore, to: &buffer)
    }

    static func append(
        _ head: ResponseHead, watchEvent changes: ArraySlice<Change>, revision: UInt64, to buffer: inout ByteBuffer
    ) {
        append(head, .watchEvent, changes, revision: revision, hasMore: false, to: &buffer)
    }

    /// ListChangesResponse and WatchEvent have the same first fields.
    private static func append(
        _ head: ResponseHead, _ field: ResultField, _ changes: ArraySlice<Change>, revision: UInt64, hasMore: Bool,
        to buffer: inout ByteBuffer
    ) {
        var resultBytes = integerSize(2, Int64(bitPattern: revision)) + (hasMore ? ProtobufSize.varintField(3, 1) : 0)
        for change in changes {
            resultBytes += ProtobufSize.bytesField(1, count: size(of: change))
        }
        FrameWriter.append(head, field, resultBytes: resultBytes, to: &buffer) { writer in
            for change in changes {
                writer.startBytesField(1, count: size(of: change))
                write(change, to: &writer)
            }
            writeInteger(2, Int64(bitPattern: revision), to: &writer)
            if hasMore {
                writer.varintField(3, 1)
            }
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
