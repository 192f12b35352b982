import NIOCore
import StoreBasics

/// The connections of an event loop whose callers have no right at all. Such a connection is closed when it has been
/// idle for too long. One timer serves all of them. Used on its event loop only.
final class Strangers {
    private let timeoutNanoseconds: UInt64
    private let eventLoop: any EventLoop
    private var connections: [ConnectionID: ConnectionHandler] = [:]
    private var isScheduled = false

    init(_ eventLoop: any EventLoop, timeoutSeconds: Int) {
        self.eventLoop = eventLoop
        timeoutNanoseconds = UInt64(clamping: timeoutSeconds) * 1_000_000_000
    }

    /// Records whether the caller of a connection has no right. Call it for each new connection and after each reload
    /// of the rules.
    func setStranger(_ connection: ConnectionHandler, isStranger: Bool) {
        connections[connection.id] = isStranger ? connection : nil
        schedule()
    }

    func forget(_ connection: ConnectionID) {
        connections[connection] = nil
    }

    private func schedule() {
        guard !isScheduled, let oldest = connections.values.map(\.lastReceivedAt).min() else { return }
        isScheduled = true
        let (now, due) = (MonotonicClock.nanoseconds, oldest + timeoutNanoseconds)
        // The minimum delay lets connections that were idle since about the same time be closed together.
        let delay = max(due > now ? due - now : 0, timeoutNanoseconds / 8)
        eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(Int64(clamping: delay))) { [self] in
            isScheduled = false
            closeIdle()
            schedule()
        }
    }

    private func closeIdle() {
        let now = MonotonicClock.nanoseconds
        for (id, connection) in connections where connection.lastReceivedAt + timeoutNanoseconds <= now {
            connections[id] = nil
            connection.closeNow()
        }
    }
}
