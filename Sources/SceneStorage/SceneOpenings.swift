import StoreClient

/// The scenes that must be read for the first time, each with a waiting task.
struct SceneOpenings {
    private struct Opening {
        let scene: ExactName
        let waiter: SceneMemory.Waiter
        /// True if a read of the scene began after this opening. An earlier read does not count.
        var isBeingRead = false
    }

    private var openings: [Opening] = []

    var isEmpty: Bool { openings.isEmpty }

    mutating func append(_ scene: ExactName, _ waiter: SceneMemory.Waiter) {
        openings.append(Opening(scene: scene, waiter: waiter))
    }

    /// Begins the read of the scene that has waited longest.
    mutating func beginReading() -> ExactName? {
        guard !openings.isEmpty else { return nil }
        openings[0].isBeingRead = true
        return openings[0].scene
    }

    mutating func endReading(
        _ scene: ExactName, _ result: Result<Void, StoreClientError>
    ) -> [SceneMemory.Resumption] {
        removeOpenings(result) { $0.scene == scene && $0.isBeingRead }
    }

    /// Ends the openings of a scene that is no longer needed.
    mutating func cancel(_ scene: ExactName) -> [SceneMemory.Resumption] {
        removeOpenings(.failure(.openingCancelled)) { $0.scene == scene }
    }

    private mutating func removeOpenings(
        _ result: Result<Void, StoreClientError>, where isRemoved: (Opening) -> Bool
    ) -> [SceneMemory.Resumption] {
        let removed = openings.filter(isRemoved)
        openings.removeAll(where: isRemoved)
        return removed.map { SceneMemory.Resumption(waiter: $0.waiter, result: result) }
    }
}
