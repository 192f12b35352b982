// `Timestamp` and `UUIDv7` are this library's own words: an application imports StoreClient and no second module.
@_exported public import StoreBasics

/// A connection to ghoststored: one Swift call per request of the protocol.
///
/// Usable from any number of tasks at once. Calls made one after the other by one task are sent in that order, and
/// the daemon applies the writes of a connection in the order they were sent. When the connection is lost it is
/// opened again, and every call that is safe to repeat is repeated until its deadline: reads, and mutations, which
/// carry an idempotency key. Bytes that are no answer (`.answerUnreadable`) end the calls that wait for theirs
/// instead: asked again, the daemon would send them again. A value of this type is cheap to copy; all copies share one
/// connection, which is closed by `close()` or when the last copy is gone.
public struct StoreClient: Sendable {
    let connection: SharedConnection
    var deadline = CallDeadline.standard
    var history: HistoryID?
    private(set) var waitsWhileLocked = true
    /// True if the calls are of a follower that has begun. It waits as long as it takes, and `waitsWhileLocked` applies
    /// to its calls.
    private(set) var isFollowing = false

    /// Connects to the daemon and says hello.
    ///
    /// - Parameters:
    ///   - path: the daemon's socket. Without one: `GHOSTSTORE_SOCKET` when it is set, else the first of
    ///     `$XDG_RUNTIME_DIR/ghoststore/socket` and `/run/ghoststore/socket` that exists.
    ///   - configuration: deadlines and bounds of the connection.
    /// - Throws: `StoreClientError` with reason `.socketAbsent`, `.socketForbidden` or `.daemonUnreachable`, saying
    ///   where it looked and what to do. Here the client does not wait for a daemon that is not there.
    public static func connect(
        to path: String? = nil, configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> StoreClient {
        let path = try SocketPath.resolve(path)
        let driver = ConnectionDriver(
            path: path, configuration: configuration, greeting: try .hello(configuration.clientName))
        let client = StoreClient(connection: SharedConnection(driver: driver, configuration: configuration))
        let server = try await client.hello(failsWhenUnreachable: true)
        driver.adopt(payloadBytesMax: server.frameBytesMax)
        return client
    }

    /// What copies of this client have in common, as long as one of them is there: their connection.
    package var identity: ObjectIdentifier {
        ObjectIdentifier(connection)
    }

    /// The same client as it was connected: with the configured deadline, for any history.
    package var asConnected: StoreClient {
        StoreClient(connection: connection)
    }

    /// How long a read of this client may take; `nil`: without limit.
    package var readDeadline: Duration? {
        switch deadline {
        case .standard: connection.configuration.callDeadline
        case .given(let given): given
        }
    }

    /// The same client whose calls take another time at most, waiting and retries included; `nil` for no limit.
    /// Followers (`watch`, `newMessages`, `followLog`) go on beyond it.
    public func with(deadline: Duration?) -> StoreClient {
        var copy = self
        copy.deadline = .given(deadline)
        return copy
    }

    /// The same client for what was read or kept of one history of the store (`Status.historyID`,
    /// `ChangeStream.historyID`): revisions, sequence numbers, conditions on values of scenes. Where the store's is
    /// another by now, because a backup took its place or commits at its end were lost, its calls have no effect and
    /// throw `.historyChanged`. While no store is open there is none to compare with, and every call throws why, also
    /// `status`, `ping` and `unlock` (`.storeLocked`): make those without one. `nil`: any history.
    public func with(history: HistoryID?) -> StoreClient {
        var copy = self
        copy.history = history
        return copy
    }

    /// Returns this client with another rule for followers (`watch`, `newMessages`, `followLog`, the streams of the
    /// libraries on top): while the store is locked they wait, which is the default, or end by throwing `.storeLocked`.
    /// All other calls throw `.storeLocked` at once, and so does a follower that begins while the store is locked.
    public func with(waitsWhileLocked: Bool) -> StoreClient {
        var copy = self
        copy.waitsWhileLocked = waitsWhileLocked
        return copy
    }

    /// Returns this client for the calls of a follower that has begun.
    func following() -> StoreClient {
        var copy = with(deadline: nil)
        copy.isFollowing = true
        return copy
    }

    var followsThroughLocks: Bool {
        isFollowing && waitsWhileLocked
    }

    /// Ends every call with `.clientClosed` and closes the connection. Later calls fail the same way.
    public func close() async {
        await withCheckedContinuation { continuation in
            connection.driver.close { continuation.resume() }
        }
    }
}

/// How long the calls of a client may take.
enum CallDeadline: Hashable {
    /// The configured one; none for long work.
    case standard
    case given(Duration?)
}

/// What the copies of a client share. The connection is closed when the last of them is gone.
final class SharedConnection: Sendable {
    let driver: ConnectionDriver
    let configuration: ClientConfiguration
    let lines: WaitingLines

    init(driver: ConnectionDriver, configuration: ClientConfiguration) {
        self.driver = driver
        lines = WaitingLines(on: driver.eventLoop)
        self.configuration = configuration
    }

    deinit {
        driver.close()
    }
}
