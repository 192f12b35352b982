/// Why the store that was open is gone for those who follow it.
package enum StoreEnding: Sendable, Hashable {
    /// By command, by the owner's signal or after idle time.
    case locked
    /// A backup took its place and is open.
    case replaced
}

extension StoreEngine {
    /// Tells that the open store is gone, after the last of its commits was told. Not of the engine's own end.
    /// Called on any thread: return quickly.
    package func observeEndings(_ observer: @escaping @Sendable (StoreEnding) -> Void) -> Observation {
        status.endings.add { endings in endings.forEach(observer) }
    }
}
