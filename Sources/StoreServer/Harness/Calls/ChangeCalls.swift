import StoreBasics
import StoreEngine
import StoreProtocol

enum ChangeCalls {
    /// The number of changes if the caller gives no limit.
    private static let limitDefault = 1_000

    static let listChanges = CallRule(.read(.changes), .read) {
        (request: WireListChangesRequest, _) throws(StoreError) in
        let after = request.afterRevision
        let limit = try request.limit.asLimit(default: limitDefault, max: EngineLimits.changePageRowsMax)
        let filter = try ChangeFilter(
            request.kinds, conversationID: request.conversationID, scene: request.scene, kindName: request.kindName)
        return .read(isLong: true) { (reader, _) throws(StoreError) in
            let page = try reader.changes(after: after, limit: limit, filter)
            guard after <= page.revision else {
                return .failure(
                    .revisionAhead,
                    "the request names revision \(after), but the newest revision of the store is "
                        + "\(page.revision); was the store restored from a backup?")
            }
            return .changes(page)
        }
    }

    static let watch = CallRule(.read(.changes), .read) {
        (request: WireWatchRequest, _) throws(StoreError) in
        .watch(
            WatchRequest(
                afterRevision: request.hasAfterRevision ? request.afterRevision : nil,
                filter: try ChangeFilter(
                    request.kinds, conversationID: request.conversationID, scene: request.scene,
                    kindName: request.kindName)))
    }

    static let compactChanges = CallRule(.administration, .write) {
        (request: WireCompactChangesRequest, _) throws(StoreError) in
        .mutation(.compactChanges(throughRevision: request.throughRevision))
    }
}

extension ChangeFilter {
    fileprivate init(
        _ wireKinds: [WireEntityKind], conversationID: String, scene: String, kindName: String
    ) throws(StoreError) {
        guard wireKinds.count <= Self.kindsMax else {
            throw StoreError.tooMany(wireKinds.count, "kinds", countMax: Self.kindsMax)
        }
        let kinds = try wireKinds.map { (kind) throws(StoreError) in try EntityKind(wire: kind) }
        let conversation = try EntityID.given(conversationID)
        let scene = scene.isEmpty ? nil : try SceneName(wire: scene)
        guard conversation == nil || scene == nil else {
            throw .invalidArgument("conversation_id and scene cannot be combined; send two requests")
        }
        self.init(
            kinds: Set(kinds), conversationID: conversation?.text, scene: scene?.text, kindName: kindName.ifGiven)
    }
}
