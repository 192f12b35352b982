import SQLCipher
import StoreBasics

extension SceneWrites {
    /// Removes the scene's own values. If one commit can remove them all, it records one change for all of them.
    /// Otherwise each step but the last removes some values and records a change for each; the last step removes the
    /// rest and records one change.
    func removeScene(_ scene: SceneName, after progress: (any WorkProgress)?) throws(StoreError) -> WorkStep<Commit> {
        var removed = 0
        if let begun = progress as? SceneRemoval {
            removed = begun.removedCount
        }
        let (keys, isAll) = try keysOfStep(scene)
        guard removed > 0 || !keys.isEmpty else {
            throw StoreError(.sceneNotFound, "the scene has no values of its own")
        }
        guard isAll else {
            for (index, key) in keys.enumerated() where index == 0 || !slice.isOver {
                _ = try delete(key, from: scene.text)
                removed += 1
            }
            return .unfinished(SceneRemoval(removedCount: removed))
        }
        try connection.run(Self.deleteScene, scene)
        removedContent = true
        record(.sceneValue, .cleared, id: "", parent: scene.text)
        var commit = Commit()
        commit.deletedCount = removed + keys.count
        return .done(commit)
    }

    /// Returns the first keys of a scene, as many as a step removes.
    private func keysOfStep(_ scene: SceneName) throws(StoreError) -> (keys: [SceneKey], isAll: Bool) {
        let rows = try connection.rows(Self.selectKeys, scene, EngineLimits.stepRowsMax + 1)
        var keys: [SceneKey] = []
        var bytes = 0
        while try rows.next() {
            bytes += rows.int(1)
            guard keys.isEmpty || (keys.count < EngineLimits.stepRowsMax && bytes <= EngineLimits.stepBytesMax) else {
                return (keys, false)
            }
            keys.append(try rows.name(0))
        }
        return (keys, true)
    }

    private static let selectKeys = StatementText(
        "SELECT key, length(value) FROM scene_values WHERE scene = ?1 ORDER BY key LIMIT ?2")
    private static let deleteScene = StatementText("DELETE FROM scene_values WHERE scene = ?1")
}

/// The number of values that earlier steps of a scene's removal have deleted.
private struct SceneRemoval: WorkProgress {
    var removedCount: Int
}
