extension StoreEngine {
    /// Calls `observer` after the open store was locked or replaced, when all its commits were announced. Does not call
    /// it when the engine ends. The call can come on any thread, and must return quickly.
    package func observeEndings(_ observer: @escaping @Sendable (StoreEnding) -> Void) -> Observation {
        status.endings.add { endings in endings.forEach(observer) }
    }
}
