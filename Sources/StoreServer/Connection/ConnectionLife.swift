import StoreBasics
import StoreEngine
import StoreProtocol
import Synchronization

/// The state of a connection that other threads may read: whether it is still open, and the facts that get_status
/// lists.
final class ConnectionLife: Sendable {
    private let uid: UInt32
    private let processID: Int32
    private let connectedAt = Timestamp.now
    private let isOverFlag = Atomic(false)
    private let requestCount = Atomic<UInt64>(0)
    private let watchCount = Atomic<Int>(0)
    private let name = Mutex("")

    init(_ caller: Caller) {
        uid = caller.uid
        processID = caller.pid
    }

    var isOver: Bool {
        isOverFlag.load(ordering: .relaxed)
    }

    func end() {
        isOverFlag.store(true, ordering: .relaxed)
    }

    func countRequest() {
        requestCount.add(1, ordering: .relaxed)
    }

    func countWatches(_ change: Int) {
        watchCount.add(change, ordering: .relaxed)
    }

    /// Stores the name that the client gave in hello.
    func callItself(_ clientName: String) {
        name.withLock { $0 = clientName }
    }

    var client: ConnectedClient {
        ConnectedClient(
            uid: uid, processID: processID, name: name.withLock { $0 }, connectedAt: connectedAt,
            requestCount: requestCount.load(ordering: .relaxed), watchCount: watchCount.load(ordering: .relaxed))
    }
}

/// An open connection, as get_status lists it.
struct ConnectedClient: Hashable, Sendable {
    let uid: UInt32
    let processID: Int32
    /// The name that the client gave itself; empty if it gave none.
    let name: String
    let connectedAt: Timestamp
    let requestCount: UInt64
    let watchCount: Int
}

/// The open connections of all event loops.
final class ConnectedClients: Sendable {
    private let lives = Mutex<[ObjectIdentifier: ConnectionLife]>([:])

    func add(_ life: ConnectionLife) {
        lives.withLock { $0[ObjectIdentifier(life)] = life }
    }

    func remove(_ life: ConnectionLife) {
        lives.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(life)) }
    }

    /// Returns the connections that the caller may see, oldest first. With the right to administration, the caller sees
    /// all connections; otherwise only the connections of its own user.
    func list(for asker: Asker) -> [ConnectedClient] {
        let seesAll = asker.scope.contains(.administration)
        return lives.withLock { Array($0.values) }.map(\.client)
            .filter { seesAll || $0.uid == asker.uid }
            .sorted { ($0.connectedAt, $0.uid, $0.processID) < ($1.connectedAt, $1.uid, $1.processID) }
    }
}

extension StoreError {
    /// The error of work that is skipped because its connection was closed. No caller receives it.
    static var connectionClosed: StoreError {
        StoreError(.shuttingDown, "the connection was closed before its request began")
    }
}
