import SQLCipher
import Synchronization

extension StoreEngine {
    /// Runs an administrative method that changes the store's files: one at a time.
    ///
    /// A failed sync in it is as final as one of a commit: the caller would be told of a failure while the change may
    /// be on disk, and trying again proves nothing.
    func administer<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try administration.withLock { _ throws(StoreError) in
            do throws(StoreError) {
                return try body()
            } catch {
                endIfDurabilityIsLost(error)
                throw error
            }
        }
    }

    /// Puts other files in the store's place: on the writer thread, so that writes wait for it, and behind the closed
    /// gate, so that reads do and no connection holds a file that is gone.
    ///
    /// - Throws: what `body` throws, unless that loses durability: then the process ends before anybody sees what is
    ///   left.
    func exchangeFiles<Value: Sendable>(
        _ body: @escaping @Sendable (WriterContext) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try gate.close { () throws(StoreError) in
            readers.closeAll()
            defer { status.invalidateConnections() }
            return try writer.perform { [self] context throws(StoreError) in
                do throws(StoreError) {
                    return try body(context)
                } catch {
                    endIfDurabilityIsLost(error)
                    throw error
                }
            }
        }
    }

    /// Does not return when it is not known any more what is on disk.
    func endIfDurabilityIsLost(_ error: StoreError) {
        if error.losesDurability {
            configuration.onLostDurability(error)
        }
    }
}

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
