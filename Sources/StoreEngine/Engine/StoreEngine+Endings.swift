extension StoreEngine {
    /// Tells that the open store is gone, after the last of its commits was told. Not of the engine's own end.
    /// Called on any thread: return quickly.
    package func observeEndings(_ observer: @escaping @Sendable (StoreEnding) -> Void) -> Observation {
        status.endings.add { endings in endings.forEach(observer) }
    }
}
