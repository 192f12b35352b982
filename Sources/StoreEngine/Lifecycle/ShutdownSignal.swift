import SQLCipher
import Synchronization

/// Ends long work on the store when the engine is shut down: a check or a backup of a large store takes minutes, and
/// the service manager does not wait that long.
final class ShutdownSignal: Sendable {
    private struct State {
        var isRaised = false
        var running: [Int: Interrupter] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())

    /// Work that looks at `check` ends at its next step, statements under way are interrupted.
    func raise() {
        state.withLock { state in
            state.isRaised = true
            // Under the lock: a connection is not closed before it has been taken out of `running`.
            for interrupter in state.running.values {
                interrupter.interrupt()
            }
        }
    }

    /// - Throws: `.shuttingDown` once raised.
    func check() throws(StoreError) {
        guard state.withLock({ $0.isRaised }) else { return }
        throw StoreError(.shuttingDown, "the daemon is stopping; connect again when it is back")
    }

    /// Runs statements that may be interrupted.
    ///
    /// - Throws: what `body` throws, but `.shuttingDown` once raised.
    func interrupting<Result>(
        _ connection: Connection, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try check()
        let interrupter = connection.interrupter
        let number = state.withLock { state in
            state.lastNumber += 1
            state.running[state.lastNumber] = interrupter
            return state.lastNumber
        }
        defer { state.withLock { $0.running[number] = nil } }
        do throws(StoreError) {
            return try body()
        } catch {
            try check()
            throw error
        }
    }
}
