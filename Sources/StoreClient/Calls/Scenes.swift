import StoreProtocol
import SwiftProtobuf

/// Values of scenes, all at once.
extension StoreClient {
    /// Returns values of a scene by the bytes of their keys, each the scene's own value or else the global one.
    ///
    /// - Parameters:
    ///   - scene: 1 to 256 bytes.
    ///   - keys: At most 1,000, each once; keys that do not exist are left out. Empty: every key. These may come in
    ///     several answers of the daemon, each of one moment.
    /// - Throws: `.responseTooLarge` if the values of the given keys do not fit into one answer; `.historyChanged` if a
    ///   backup was restored between two answers.
    public func sceneValues(_ scene: String, keys: [String] = []) async throws(StoreClientError) -> [SceneEntry] {
        guard !keys.isEmpty else { return try await sceneEntries(scene).collect() }
        return try await values(.with { ($0.scene, $0.keys) = (scene, keys) })
    }

    /// Returns global values by the bytes of their keys.
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
    /// Returns the page if it continues after the one before it. A list whose pages do not would have no end.
    func checked(after previous: SceneEntryPage?) throws(StoreClientError) -> SceneEntryPage {
        if let last = previous?.entries.last, let first = entries.first,
            !last.key.utf8.lexicographicallyPrecedes(first.key.utf8)
        {
            throw .answerUnreadable("the daemon sent the keys of a scene out of order")
        }
        return self
    }
}
