import StoreProtocol

/// Scenes: typed values under keys, per scene and shared. See `SceneChange` for how the two go together.
extension StoreClient {
    /// Makes all changes, in order, or none: when a condition does not hold it is `.sceneConditionFailed`. To compare
    /// and set again and again, take the next condition's revision from `Commit.valueRevisions`, and call a client made
    /// `with(history:)`: after a restore a revision may be another value's.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - changes: 1 to `StoreClient.entriesPerRequestMax`. Keys have 1 to 256 bytes, values at most
    ///     `SceneValue.bytesMax`; all together what one request holds (8 MiB).
    ///   - conditions: must hold before any change is made.
    ///   - idempotencyKey: names the mutation, so that repeating it does nothing twice.
    @discardableResult
    public func setSceneValues(
        _ scene: String, _ changes: [SceneChange], conditions: [SceneCondition] = [],
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireSetSceneValuesRequest(changes, conditions)
        call.scene = scene
        return try await commit(.setSceneValues(call), key: idempotencyKey)
    }

    /// Changes only what all scenes share.
    @discardableResult
    public func setGlobalSceneValues(
        _ changes: [SceneChange], conditions: [SceneCondition] = [],
        idempotencyKey: IdempotencyKey = IdempotencyKey()
    ) async throws(StoreClientError) -> Commit {
        var call = WireSetSceneValuesRequest(changes, conditions)
        call.global = true
        return try await commit(.setSceneValues(call), key: idempotencyKey)
    }

    /// Values of a scene, each the scene's own or else the global one, by the bytes of their keys.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - keys: at most 1,000, each once, those that are not there are left out; empty: every key. Every key may come
    ///     in several answers of the daemon, each consistent in itself.
    /// - Throws: `.responseTooLarge` for keys whose values together do not fit one answer: ask for fewer.
    ///   `.historyChanged` when a backup takes the store's place between two answers.
    public func sceneValues(_ scene: String, keys: [String] = []) async throws(StoreClientError) -> [SceneEntry] {
        guard keys.isEmpty else {
            var call = WireGetSceneValuesRequest()
            call.scene = scene
            call.keys = keys
            return try await sceneEntryPage(call).entries
        }
        return try await wholeList(of: sceneEntries(scene))
    }

    /// Values that all scenes share.
    public func globalSceneValues(keys: [String] = []) async throws(StoreClientError) -> [SceneEntry] {
        var call = WireGetSceneValuesRequest()
        call.global = true
        call.keys = keys
        guard keys.isEmpty else { return try await sceneEntryPage(call).entries }
        return try await wholeList(of: sceneEntries(call, from: nil))
    }

    /// - Throws: `.answerUnreadable` where a page does not go on behind the keys before it: what is kept in memory
    ///   would have no end.
    private func wholeList(of list: PagedList<SceneEntryPage>) async throws(StoreClientError) -> [SceneEntry] {
        var entries: [SceneEntry] = []
        var pages = list.pages.makeAsyncIterator()
        while let page = try await pages.next() {
            if let last = entries.last, let first = page.entries.first,
                !last.key.utf8.lexicographicallyPrecedes(first.key.utf8)
            {
                throw .answerUnreadable("the daemon sent the keys of a scene out of order")
            }
            entries += page.entries
        }
        return entries
    }

    /// The keys of a scene by their bytes, each with the scene's own value or else the global one. It ends by throwing
    /// `.historyChanged` when a backup takes the store's place meanwhile.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - keysOnly: leaves the values out.
    ///   - start: `nextCursor` of a page, to go on behind it; `nil` starts at the top.
    public func sceneEntries(
        _ scene: String, keysOnly: Bool = false, from start: String? = nil
    ) -> PagedList<SceneEntryPage> {
        var call = WireGetSceneValuesRequest()
        call.scene = scene
        call.keysOnly = keysOnly
        return sceneEntries(call, from: start)
    }

    /// Pages of one history: behind a restore a cursor may pass over keys that the scene has now.
    private func sceneEntries(_ call: WireGetSceneValuesRequest, from start: String?) -> PagedList<SceneEntryPage> {
        PagedList(from: start, first: PageSize.following) { (limit, cursor, previous) throws(StoreClientError) in
            var call = call
            call.limit = UInt32(clamping: limit)
            call.cursor = cursor ?? ""
            return try await with(history: previous?.historyID ?? history).sceneEntryPage(call)
        }
    }

    /// A page of a scene's keys by their bytes. It ends after `limit` keys or when its values take 4 MiB.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - keysOnly: leaves the values out.
    ///   - limit: 1 to 1,000.
    ///   - cursor: `nextCursor` of the page before; `nil` starts at the top.
    public func sceneEntryPage(
        _ scene: String, keysOnly: Bool = false, limit: Int = 1_000, cursor: String? = nil
    ) async throws(StoreClientError) -> SceneEntryPage {
        var call = WireGetSceneValuesRequest()
        call.scene = scene
        call.keysOnly = keysOnly
        call.limit = UInt32(clamping: limit)
        call.cursor = cursor ?? ""
        return try await sceneEntryPage(call)
    }

    private func sceneEntryPage(_ call: WireGetSceneValuesRequest) async throws(StoreClientError) -> SceneEntryPage {
        let answered = try await answer(to: .getSceneValues(call), .read) { result in
            if case .sceneValues(let page) = result { page } else { nil }
        }
        return try SceneEntryPage(answered)
    }
}
