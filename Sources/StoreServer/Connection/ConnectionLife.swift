import StoreProtocol
import Synchronization

/// Whether a connection is still there, for the threads that work for it.
final class ConnectionLife: Sendable {
    private let isOverFlag = Atomic(false)

    var isOver: Bool {
        isOverFlag.load(ordering: .relaxed)
    }

    func end() {
        isOverFlag.store(true, ordering: .relaxed)
    }
}

extension RequestFailure {
    /// Nobody hears it: the work is not done.
    static var connectionClosed: RequestFailure {
        RequestFailure(.shuttingDown, "the connection was closed before its request was begun")
    }
}
