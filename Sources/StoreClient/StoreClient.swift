// Applications use `Timestamp` and `UUIDv7` as types of this library, so that they need not import a second module.
@_exported public import StoreBasics

/// A connection to ghoststored, with one Swift method for each request of the protocol.
///
/// Any number of tasks may use it at once. Calls that one task makes one after the other are sent in that order, and
/// the daemon applies the writes of a connection in the order in which they were sent. A copy of this value is cheap.
/// All copies share one connection, which is closed by `close()` or when the last copy is gone.
///
/// If the connection is lost, it is opened again, and every call that is safe to repeat is repeated until its deadline:
/// reads, and mutations, which carry an idempotency key. If the daemon sends invalid bytes, the waiting calls fail with
/// `.answerUnreadable` instead, because the daemon would send the same bytes again.
public struct StoreClient: Sendable {
    let connection: SharedConnection
    var deadline = CallDeadline.standard
    var history: HistoryID?
    private(set) var waitsWhileLocked = true
    /// True for the calls of a follower that has begun. They wait without limit, and `waitsWhileLocked` applies to
    /// them.
    private(set) var isFollowing = false

    /// Connects to the daemon and says hello.
    ///
    /// - Parameters:
    ///   - path: The path of the daemon's socket. If it is `nil`, the path is `GHOSTSTORE_SOCKET` if that is set, or
    ///     else the first of `$XDG_RUNTIME_DIR/ghoststore/socket` and `/run/ghoststore/socket` that exists.
    ///   - configuration: The deadlines and limits of the connection.
    /// - Throws: `StoreClientError` with reason `.socketAbsent`, `.socketForbidden` or `.daemonUnreachable`. The
    ///   message contains the searched paths and a hint. This method does not wait for a daemon that is not running.
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

    /// The identity of the connection that all copies of this client share. It is unique as long as one copy exists.
    package var identity: ObjectIdentifier {
        ObjectIdentifier(connection)
    }

    /// A client with the same connection and the initial settings: the configured deadline, and any history.
    package var asConnected: StoreClient {
        StoreClient(connection: connection)
    }

    /// The longest time of a read of this client; `nil` for no limit.
    package var readDeadline: Duration? {
        switch deadline {
        case .standard: connection.configuration.callDeadline
        case .given(let given): given
        }
    }

    /// Returns this client with another limit for the time of each call, including waits and retries; `nil` for no
    /// limit. Followers (`watch`, `newMessages`, `followLog`) continue after this limit.
    public func with(deadline: Duration?) -> StoreClient {
        var copy = self
        copy.deadline = .given(deadline)
        return copy
    }

    /// Returns this client for calls about one history of the store (`Status.historyID`, `ChangeStream.historyID`). Use
    /// it if you have stored revisions, sequence numbers or conditions on scene values of that history.
    ///
    /// If the store has another history, because a backup was restored or its last commits were lost, calls have no
    /// effect and throw `.historyChanged`. While no store is open there is no history to compare, so every call throws
    /// the reason, for example `.storeLocked`. That includes `status`, `ping` and `unlock`; make these calls with a
    /// client for any history (`with(history: nil)`).
    public func with(history: HistoryID?) -> StoreClient {
        var copy = self
        copy.history = history
        return copy
    }

    /// Returns this client with another rule for followers (`watch`, `newMessages`, `followLog`, and the streams of the
    /// libraries on top). While the store is locked, they either wait, which is the default, or end by throwing
    /// `.storeLocked`. All other calls throw `.storeLocked` at once, and so does a follower that begins while the store
    /// is locked.
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

    /// Ends every call with `.clientClosed` and closes the connection. Later calls fail in the same way.
    public func close() async {
        await withCheckedContinuation { continuation in
            connection.driver.close { continuation.resume() }
        }
    }
}

/// The rule for the longest time that a call of a client may take.
enum CallDeadline: Hashable {
    /// The configured deadline; long work has none.
    case standard
    case given(Duration?)
}

/// The state that the copies of a client share. The connection is closed when the last copy is gone.
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
