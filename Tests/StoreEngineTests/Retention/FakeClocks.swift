import Glibc
import StoreBasics
import Synchronization

@testable import StoreEngine

/// The clocks of a simulated machine. Time passes only when a test lets it pass.
final class FakeClocks: Sendable {
    private struct State {
        var bootID = "boot-1"
        /// The microseconds since the machine started. They are far beyond the uptime of any machine, so no timer of
        /// the store fires before the test asks for it.
        var sinceBoot: Int64 = 1_000_000_000_000_000
        var wall = Timestamp(microseconds: 1_700_000_000_000_000)
        /// True if a time service keeps the wall clock correct; false once a test sets the clock.
        var isSynchronized = true
        /// The time that each stalled read of the clock takes.
        var stallMicroseconds: UInt32 = 0
        /// The number of following reads of the clock that are stalled.
        var stalledLooks = 0
    }

    private let state = Mutex(State())

    /// The clocks of the machine since its last start.
    var clocks: SystemClocks {
        SystemClocks(
            bootID: state.withLock { $0.bootID }, sinceBoot: { self.sinceBoot() },
            wall: { self.state.withLock { $0.wall } },
            synchronized: { self.state.withLock { $0.isSynchronized ? $0.wall : nil } })
    }

    private func sinceBoot() -> Int64 {
        let (sinceBoot, stall) = state.withLock { state in
            guard state.stalledLooks > 0 else { return (state.sinceBoot, UInt32(0)) }
            state.stalledLooks -= 1
            return (state.sinceBoot, state.stallMicroseconds)
        }
        if stall > 0 {
            usleep(stall)
        }
        return sinceBoot
    }

    /// Makes the next reads of the clock slow, as on a busy machine.
    func stall(milliseconds: UInt32, looks: Int) {
        state.withLock { state in
            state.stallMicroseconds = milliseconds * 1_000
            state.stalledLooks = looks
        }
    }

    var wall: Timestamp { state.withLock { $0.wall } }

    /// Lets time pass while the machine runs or sleeps.
    func pass(seconds: Int64) {
        state.withLock { state in
            state.sinceBoot += seconds * 1_000_000
            state.wall = state.wall.advanced(byMicroseconds: seconds * 1_000_000)
        }
    }

    /// Sets the wall clock forward or back, as a user would.
    func setWall(bySeconds seconds: Int64) {
        state.withLock { state in
            state.wall = state.wall.advanced(byMicroseconds: seconds * 1_000_000)
            state.isSynchronized = false
        }
    }

    /// Lets a time service set the wall clock, and from now on keep it correct. With `nil` no time service does this
    /// any more.
    func synchronize(to wall: Timestamp?) {
        state.withLock { state in
            state.wall = wall ?? state.wall
            state.isSynchronized = wall != nil
        }
    }

    /// Switches the machine off for a while and starts it again.
    ///
    /// - Parameter isSynchronized: true if a time service keeps the wall clock correct after the start.
    func restartMachine(offSeconds: Int64, isSynchronized: Bool = true) {
        state.withLock { state in
            state.isSynchronized = isSynchronized
            state.bootID += "x"
            state.sinceBoot = 1_000_000_000_000_001
            state.wall = state.wall.advanced(byMicroseconds: offSeconds * 1_000_000)
        }
    }
}

let yearSeconds: Int64 = 366 * 86_400
