extension StoreEngine {
    /// Calls back after the open store was locked or replaced, when all its commits were announced. The end of the
    /// engine is not announced. Called on any thread; must return quickly.
    package func observeEndings(_ observer: @escaping @Sendable (StoreEnding) -> Void) -> Observation {
        status.endings.add { endings in endings.forEach(observer) }
    }
}
