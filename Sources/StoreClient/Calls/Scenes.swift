import StoreProtocol
import SwiftProtobuf

/// Calls that return many scene values at once.
extension StoreClient {
    /// Returns values of a scene, ordered by the bytes of their keys. Each is the scene's own value, or else the global
    /// one.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - keys: At most 1,000 different keys; keys that do not exist are omitted. An empty array returns all keys. The
    ///     daemon may need several answers for all keys; the values in one answer are from the same revision.
    /// - Throws: `.responseTooLarge` if the values of the given keys do not fit into one answer; `.historyChanged` if a
    ///   backup was restored between two answers.
    public func sceneValues(_ scene: String, keys: [String] = []) async throws(StoreClientError) -> [SceneEntry] {
        guard !keys.isEmpty else { return try await sceneEntries(scene).collect() }
        return try await values(.with { ($0.scene, $0.keys) = (scene, keys) })
    }

    /// Returns global values, ordered by the bytes of their keys.
    ///
    /// - Parameter keys: As in `sceneValues`.
    /// - Throws: The errors of `sceneValues`.
    public func globalSceneValues(keys: [String] = []) async throws(StoreClientError) -> [SceneEntry] {
        guard !keys.isEmpty else { return try await globalSceneEntries().collect() }
        return try await values(.with { ($0.global, $0.keys) = (true, keys) })
    }

    private func values(_ call: WireGetSceneValuesRequest) async throws(StoreClientError) -> [SceneEntry] {
        let answered = try await answer(to: .getSceneValues(call), .read) { result in
            if case .sceneValues(let page) = result { page } else { nil }
        }
        return try SceneEntryPage(answered).entries
    }
}

extension SceneEntryPage {
    /// Returns the page. Throws if its keys do not come after the keys of the previous page, because a list of such
    /// pages could be endless.
    func checked(after previous: SceneEntryPage?) throws(StoreClientError) -> SceneEntryPage {
        if let last = previous?.entries.last, let first = entries.first,
            !last.key.utf8.lexicographicallyPrecedes(first.key.utf8)
        {
            throw .answerUnreadable("the daemon sent the keys of a scene out of order")
        }
        return self
    }
}
