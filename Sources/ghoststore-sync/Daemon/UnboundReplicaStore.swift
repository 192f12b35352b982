/// Stands where the daemon's calls of replication will be: this build has none, and says so.
struct UnboundReplicaStore: ReplicaStore {
    struct Unbound: Error, CustomStringConvertible {
        let description =
            "this ghoststore-sync has no calls of replication; hint: install one with the daemon's version"
    }

    /// Of the daemon.
    let socketPath: String

    func status() async throws -> ReplicaStoreStatus {
        throw Unbound()
    }

    func outgoing(
        channel: String, storedThrough: UInt64, limitBytes: Int, wait: Duration
    ) async throws -> [OutgoingMessage] {
        throw Unbound()
    }

    func handIn(channel: String, bytes: [UInt8]) async throws -> HandInOutcome {
        throw Unbound()
    }
}
