internal import StoreEngine
internal import StoreProtocol

extension RequestDecoder {
    /// What a caller must say to clear everything.
    private static let clearConfirmation = "clear all data"

    /// Changes when the caller names no number.
    private static let changesLimitDefault = 1_000

    static func decodeChanges(
        _ kind: CallKind, _ call: UnsafeRawBufferPointer
    ) throws(RequestFailure) -> Command {
        switch kind {
        case .listChanges:
            let request = try parse(WireListChangesRequest.self, call)
            let limit = try limit(
                request.limit, default: changesLimitDefault, max: EngineLimits.changePageRowsMax)
            return .listRead(.changes(after: request.afterRevision, limit: limit))
        case .watch:
            return .watch(try watchRequest(try parse(WireWatchRequest.self, call)))
        case .compactChanges:
            let request = try parse(WireCompactChangesRequest.self, call)
            return .mutation(.compactChanges(throughRevision: request.throughRevision))
        case .clearAllData:
            let request = try parse(WireClearAllDataRequest.self, call)
            guard request.confirmation == clearConfirmation else {
                throw .invalidArgument("the confirmation is not the words \"\(clearConfirmation)\"")
            }
            return .mutation(.clearAllData)
        default:
            preconditionFailure("\(kind) is not a call on changes")
        }
    }

    private static func watchRequest(_ wire: WireWatchRequest) throws(RequestFailure) -> WatchRequest {
        var kinds: Set<EntityKind> = []
        for wireKind in wire.kinds {
            guard let kind = EntityKind(wire: wireKind) else {
                throw .invalidArgument("the kind \(wireKind.rawValue) is not one this daemon knows")
            }
            kinds.insert(kind)
        }
        let conversation = try optionalID(wire.conversationID)
        let scene = wire.scene.isEmpty ? nil : try sceneName(wire.scene)
        guard conversation == nil || scene == nil else {
            throw .invalidArgument("conversation_id and scene exclude each other; use two watches")
        }
        return WatchRequest(
            afterRevision: wire.hasAfterRevision ? wire.afterRevision : nil,
            filter: WatchFilter(kinds: kinds, conversationID: conversation?.text, scene: scene?.text))
    }
}

extension EntityKind {
    init?(wire kind: WireEntityKind) {
        switch kind {
        case .conversation: self = .conversation
        case .message: self = .message
        case .contact: self = .contact
        case .store: self = .store
        case .sceneValue: self = .sceneValue
        case .log: self = .log
        case .unspecified, .UNRECOGNIZED: return nil
        }
    }
}
