internal import StoreProtocol
internal import Synchronization

/// Counts the connections of all event loops against their limits.
final class ConnectionRegistry: Sendable {
    private struct Counts {
        var total = 0
        var byUser: [UInt32: Int] = [:]
    }

    private let connectionsMax: Int
    private let connectionsPerUserMax: Int
    private let counts = Mutex(Counts())

    init(connectionsMax: Int, connectionsPerUserMax: Int) {
        self.connectionsMax = connectionsMax
        self.connectionsPerUserMax = connectionsPerUserMax
    }

    var total: Int {
        counts.withLock { $0.total }
    }

    /// Takes a place, to be given back with `remove`.
    ///
    /// - Throws: `RequestFailure` with reason `.tooManyConnections`.
    func add(uid: UInt32) throws(RequestFailure) {
        let refusal: RequestFailure? = counts.withLock { counts in
            guard counts.total < connectionsMax else {
                return RequestFailure(
                    .tooManyConnections, "the daemon has \(connectionsMax) connections, the most it allows")
            }
            let ofUser = counts.byUser[uid, default: 0]
            guard ofUser < connectionsPerUserMax else {
                return RequestFailure(
                    .tooManyConnections, "user \(uid) has \(connectionsPerUserMax) connections, the most allowed")
            }
            counts.total += 1
            counts.byUser[uid] = ofUser + 1
            return nil
        }
        if let refusal {
            throw refusal
        }
    }

    func remove(uid: UInt32) {
        counts.withLock { counts in
            counts.total -= 1
            let ofUser = counts.byUser[uid, default: 0] - 1
            precondition(counts.total >= 0 && ofUser >= 0, "a connection is counted once")
            counts.byUser[uid] = ofUser == 0 ? nil : ofUser
        }
    }
}
