import Glibc
import StoreBasics
import Synchronization

@testable import StoreEngine

/// Clocks that a test moves on.
final class FakeClocks: Sendable {
    private struct State {
        var bootID = "boot-1"
        /// Long after what the machine of the test can show: nothing rings before the test asks.
        var sinceBoot: Int64 = 1_000_000_000_000_000
        var wall = Timestamp(microseconds: 1_700_000_000_000_000)
        /// True if a time service keeps the wall clock; false once a test sets the clock.
        var isSynchronized = true
        /// The time that each stalled look at the clock takes.
        var stallMicroseconds: UInt32 = 0
        /// The number of next looks that are stalled.
        var stalledLooks = 0
    }

    private let state = Mutex(State())

    /// Of a machine as it is now.
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

    /// Makes the next looks at the clock take long, as on a busy machine.
    func stall(milliseconds: UInt32, looks: Int) {
        state.withLock { state in
            state.stallMicroseconds = milliseconds * 1_000
            state.stalledLooks = looks
        }
    }

    var wall: Timestamp { state.withLock { $0.wall } }

    /// Time passes, while the machine runs or sleeps.
    func pass(seconds: Int64) {
        state.withLock { state in
            state.sinceBoot += seconds * 1_000_000
            state.wall = state.wall.advanced(byMicroseconds: seconds * 1_000_000)
        }
    }

    /// Somebody sets the wall clock.
    func setWall(bySeconds seconds: Int64) {
        state.withLock { state in
            state.wall = state.wall.advanced(byMicroseconds: seconds * 1_000_000)
            state.isSynchronized = false
        }
    }

    /// A time service sets the wall clock to this, and keeps it from now on; `nil`: none keeps it any more.
    func synchronize(to wall: Timestamp?) {
        state.withLock { state in
            state.wall = wall ?? state.wall
            state.isSynchronized = wall != nil
        }
    }

    /// The machine is off for a while.
    ///
    /// - Parameter isSynchronized: a time service keeps the wall clock afterwards.
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
