import NIOCore
import Synchronization

/// Carries deliveries from any thread to one event loop. The loop is woken once for all deliveries that arrive before
/// it drains them. Between `cork` and `uncork` it is not woken at all, so that a burst wakes it once.
final class Outbox: Sendable {
    private struct State {
        var deliveries: [Delivery] = []
        var isDrainScheduled = false
        var corkCount = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let eventLoop: any EventLoop
    private let budget: MemoryBudget
    private let drain: @Sendable ([Delivery]) -> Void

    /// - Parameters:
    ///   - budget: Receives the memory of deliveries that are discarded.
    ///   - drain: Receives the deliveries, on the event loop.
    init(eventLoop: any EventLoop, budget: MemoryBudget, drain: @escaping @Sendable ([Delivery]) -> Void) {
        self.eventLoop = eventLoop
        self.budget = budget
        self.drain = drain
    }

    func post(_ delivery: Delivery) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            state.deliveries.append(delivery)
            scheduleDrain(&state)
            return true
        }
        if !isTaken {
            delivery.discard(budget)
        }
    }

    /// Begins a burst of deliveries.
    func cork() {
        state.withLock { $0.corkCount += 1 }
    }

    /// Ends a burst of deliveries.
    func uncork() {
        state.withLock { state in
            state.corkCount -= 1
            scheduleDrain(&state)
        }
    }

    /// Wakes the event loop if deliveries wait and the loop has not been woken for them yet. Called under the lock, so
    /// that a loop is never woken after `close`.
    private func scheduleDrain(_ state: inout State) {
        guard state.corkCount == 0, !state.deliveries.isEmpty, !state.isDrainScheduled, !state.isClosed else { return }
        state.isDrainScheduled = true
        eventLoop.execute { [self] in
            drain(removeAll())
        }
    }

    /// Discards all deliveries from now on, because the event loop is about to end.
    func close() {
        state.withLock { $0.isClosed = true }
        removeAll().forEach { $0.discard(budget) }
    }

    private func removeAll() -> [Delivery] {
        state.withLock { state in
            let taken = state.deliveries
            state.isDrainScheduled = false
            state.deliveries = []
            return taken
        }
    }
}
