import CLinuxShims
import Glibc
import StoreBasics
import Synchronization

/// A timer that fires when the next retention work is due, such as the deletion of a message. Time in which the machine
/// sleeps counts, so overdue work starts right after the machine wakes (timerfd_create(2), CLOCK_BOOTTIME).
final class RetentionTimer: Sendable {
    private struct State {
        /// When the timer fires, in microseconds since the machine was started; `nil` while nothing is due.
        var due: Int64?
        var isStopping = false
    }

    private let descriptor: OwnedDescriptor
    private let state = Mutex(State())
    private let thread = ConditionLock<StoreThread?>(nil)

    init() throws(StoreError) {
        let number = ghost_boot_timer_open()
        guard number >= 0 else { throw SystemFailure.error("the timer for retention cannot be created", errno) }
        descriptor = OwnedDescriptor(owning: number)
    }

    /// Starts the thread of the timer.
    ///
    /// - Parameter ring: Called on the timer's thread each time the timer fires. It must return quickly.
    func start(_ ring: @escaping @Sendable () -> Void) throws(StoreError) {
        let started = try StoreThread(name: "store-retention") { [self] in
            while waitForRing() {
                ring()
            }
        }
        thread.withLock { $0 = started }
    }

    /// Sets the timer to a time, unless it is already set to an earlier time.
    ///
    /// - Parameter due: In microseconds since the machine was started. A time in the past fires at once.
    func armNoLater(than due: Int64) {
        state.withLock { state in
            guard !state.isStopping, state.due.map({ due < $0 }) ?? true else { return }
            state.due = due
            ghost_boot_timer_set(descriptor.number, max(1, due))
        }
    }

    /// Turns the timer off until it is armed again.
    func disarm() {
        state.withLock { state in
            guard !state.isStopping else { return }
            state.due = nil
            ghost_boot_timer_set(descriptor.number, 0)
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            ghost_boot_timer_set(descriptor.number, 1)
        }
        thread.withLock { $0?.join() }
    }

    /// Waits until the timer fires.
    ///
    /// - Returns: False to stop.
    private func waitForRing() -> Bool {
        var count: UInt64 = 0
        while true {
            let read = Glibc.read(descriptor.number, &count, MemoryLayout<UInt64>.size)
            let (isStopping, rings) = state.withLock { state in
                // The timer may have been turned off or armed again since it fired.
                let rings = read > 0 && state.due != nil
                if rings {
                    state.due = nil
                }
                return (state.isStopping, rings)
            }
            guard !isStopping else { return false }
            if rings {
                return true
            }
        }
    }
}
