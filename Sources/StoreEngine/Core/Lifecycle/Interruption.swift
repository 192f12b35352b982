import SQLCipher
import StoreBasics
import Synchronization

/// Interrupts long work when the engine is shut down or the store is locked. A check or a backup of a large store takes
/// minutes, and neither the service manager nor a client that locks the store waits that long.
final class Interruption: Sendable {
    private struct State {
        var isShuttingDown = false
        var locksUnderWay = 0
        var running: [Int: StatementCutoff] = [:]
        var lastNumber = 0

        var isRaised: Bool { isShuttingDown || locksUnderWay > 0 }
    }

    private let state = Mutex(State())

    /// Interrupts all work from now on. Work that calls `check` ends at its next step; running statements are
    /// interrupted at once.
    func shutDown() {
        raise { $0.isShuttingDown = true }
    }

    /// Interrupts work until `body` has returned. `body` locks the store.
    func interruptingWork(_ body: () -> Void) {
        raise { $0.locksUnderWay += 1 }
        body()
        state.withLock { $0.locksUnderWay -= 1 }
    }

    private func raise(_ change: (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            state.running.values.forEach { $0.cutOff() }
        }
    }

    /// - Throws: `.shuttingDown` or `.storeLocked` while work is interrupted.
    func check() throws(StoreError) {
        let (isShuttingDown, isRaised) = state.withLock { ($0.isShuttingDown, $0.isRaised) }
        guard !isShuttingDown else {
            throw StoreError(.shuttingDown, "the daemon is stopping; connect again after it has started")
        }
        guard !isRaised else { throw Self.storeWasLocked }
    }

    static var storeWasLocked: StoreError {
        StoreError(
            .storeLocked, "the store was locked during the request; unlock the store, then send the request again")
    }

    /// Runs statements that an interruption may end at any moment.
    ///
    /// - Parameter cutoff: the cutoff of the connection that they run on.
    /// - Throws: errors of `body`; while work is interrupted, the error of `check` instead, because `body` may mistake
    ///   the interruption for another failure.
    func interrupting<Result>(
        _ cutoff: StatementCutoff, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let number = state.withLock { state in
            state.lastNumber += 1
            state.running[state.lastNumber] = cutoff
            return state.lastNumber
        }
        defer { state.withLock { $0.running[number] = nil } }
        try check()
        do throws(StoreError) {
            let result = try body()
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }
}
