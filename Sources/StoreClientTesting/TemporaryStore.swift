import Glibc
import StoreBasics
public import StoreClient
import Synchronization

/// An empty, open store for one test, served by a real ghoststored process in a temporary folder. Nothing is simulated,
/// so a test sees the same behavior as the application.
///
/// Starting one takes about ten milliseconds, and any number of stores can run independently. The daemon ends and its
/// folder is removed by `stop()`, when the last reference ends, and when this process ends in any way. Use
/// `withTemporaryStore` if a test is one function.
public final class TemporaryStore: Sendable {
    /// A client of the store with its own connection. Closing it does not end the store.
    public let client: StoreClient
    private let daemon: TemporaryDaemon

    private init(client: StoreClient, daemon: TemporaryDaemon) {
        self.client = client
        self.daemon = daemon
    }

    /// Starts a daemon with a new store and connects to it.
    ///
    /// - Parameters:
    ///   - daemonPath: the program `ghoststored`. By default the environment variable `GHOSTSTORED` if it is set,
    ///     otherwise the program in the folder of the running test, otherwise the first one in `PATH`.
    ///   - settings: the daemon's settings as environment variables: `["GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "2"]`. From
    ///     this process's environment the daemon gets only `PATH`.
    ///   - configuration: the configuration of the client.
    /// - Throws: `.daemonAbsent` if `ghoststored` was not found, `.daemonUnreachable` with the daemon's log if it does
    ///   not answer, `.inputOutputFailed` if the system cannot create a folder or a process.
    public static func start(
        daemonPath: String? = nil, settings: [String: String] = [:],
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> TemporaryStore {
        let daemon = try TemporaryDaemon(program: DaemonProgram.find(daemonPath), settings: settings)
        let client = try await daemon.connect(configuration)
        return TemporaryStore(client: client, daemon: daemon)
    }

    /// The path of the daemon's socket, for code under test that connects by itself.
    public var socketPath: String {
        daemon.socketPath
    }

    /// The daemon's log so far.
    public var log: String {
        daemon.log
    }

    /// Opens another connection to the store, for a test with several clients.
    public func connect(
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> StoreClient {
        try await StoreClient.connect(to: socketPath, configuration: configuration)
    }

    /// Ends the daemon and removes its folder; blocks for a few milliseconds. Later calls of its clients fail. Calling
    /// it again does nothing.
    public func stop() {
        daemon.stop()
    }
}

/// Runs the body with a new store, and ends the store afterwards, even after an error.
///
/// ```swift
/// try await withTemporaryStore { store in
///     try await store.client.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
/// }
/// ```
///
/// - Parameters:
///   - daemonPath: the program `ghoststored`, as in `TemporaryStore.start`.
///   - settings: the daemon's settings as environment variables.
///   - configuration: the configuration of the client.
///   - body: gets the store, which ends when the body returns.
/// - Throws: errors of `TemporaryStore.start` and of the body.
public func withTemporaryStore<Result>(
    daemonPath: String? = nil, settings: [String: String] = [:],
    configuration: ClientConfiguration = ClientConfiguration(), _ body: (TemporaryStore) async throws -> Result
) async throws -> Result {
    let store = try await TemporaryStore.start(
        daemonPath: daemonPath, settings: settings, configuration: configuration)
    defer { store.stop() }
    return try await body(store)
}

extension StoreClientError.Reason {
    /// The program `ghoststored` was not found.
    public static let daemonAbsent = Self(rawValue: "DAEMON_ABSENT")
}
