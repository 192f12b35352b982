import NIOCore
import Synchronization

/// Room for a limited number of tasks. A task that finds no room waits, first come, first served.
final class WaitingLine: Sendable {
    private struct Waiter {
        let number: UInt64
        let share: Int
        let timer: Scheduled<Void>?
        let continuation: CheckedContinuation<Bool, Never>

        func end(_ hasEntered: Bool) {
            timer?.cancel()
            continuation.resume(returning: hasEntered)
        }
    }

    private struct State {
        var room: Int
        var nextNumber: UInt64 = 0
        var waiters: ArraySlice<Waiter> = []

        /// Removes and returns the waiters for which there is room now, in their order.
        mutating func admit() -> [Waiter] {
            var admitted: [Waiter] = []
            while let first = waiters.first, first.share <= room {
                room -= first.share
                admitted.append(waiters.removeFirst())
            }
            return admitted
        }
    }

    let capacity: Int
    private let eventLoop: any EventLoop
    private let state: Mutex<State>

    /// - Parameters:
    ///   - capacity: The total room, at least 1.
    ///   - room: The free room at the start; `nil` for all of it.
    init(capacity: Int, room: Int? = nil, on eventLoop: any EventLoop) {
        self.capacity = capacity
        self.eventLoop = eventLoop
        state = Mutex(State(room: room ?? capacity))
    }

    /// Waits until all earlier tasks have their room and there is enough for this one.
    ///
    /// - Parameters:
    ///   - share: The wanted room, at most `capacity`. Give it back with `leave`.
    ///   - deadline: The time in nanoseconds on the connection's clock; `nil` for none.
    /// - Returns: False if the deadline passed or the task was cancelled. There is nothing to give back in that case.
    func enter(_ share: Int = 1, until deadline: UInt64?) async -> Bool {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let hasEntered = state.withLock { state in
                    if state.waiters.isEmpty, share <= state.room {
                        state.room -= share
                        return true
                    }
                    let timer = deadline.map { deadline in
                        eventLoop.scheduleTask(deadline: .uptimeNanoseconds(deadline)) { [weak self] in
                            self?.giveUp(number) ?? ()
                        }
                    }
                    state.waiters.append(
                        Waiter(number: number, share: share, timer: timer, continuation: continuation))
                    return false
                }
                if hasEntered {
                    continuation.resume(returning: true)
                } else if Task.isCancelled {
                    // The cancellation handler below may have run before this waiter was added.
                    giveUp(number)
                }
            }
        } onCancel: {
            giveUp(number)
        }
    }

    /// Gives room back, and ends the waits of the tasks for which there is room now.
    func leave(_ share: Int = 1) {
        let admitted = state.withLock { state in
            state.room = min(state.room + share, capacity)
            return state.admit()
        }
        admitted.forEach { $0.end(true) }
    }

    var waitingCount: Int {
        state.withLock { $0.waiters.count }
    }

    /// Ends a wait. After a waiter with a large share has stopped waiting, later waiters may find room.
    private func giveUp(_ number: UInt64) {
        let (gone, admitted) = state.withLock { state -> (Waiter?, [Waiter]) in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else { return (nil, []) }
            let gone = state.waiters.remove(at: index)
            return (gone, state.admit())
        }
        gone?.end(false)
        admitted.forEach { $0.end(true) }
    }
}
