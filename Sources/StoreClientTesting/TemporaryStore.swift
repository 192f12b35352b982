import Glibc
import StoreBasics
public import StoreClient
import Synchronization

/// A store of its own for one test, served by the real ghoststored: empty, open, in a folder that is gone afterwards.
/// Nothing is imitated, so what a test shows is what the application will see.
///
/// Made in some ten milliseconds; any number of them at once do not know of each other. The daemon ends and its folder
/// is removed with `stop()`, with the last reference, and when this process ends in any way. Use `withTemporaryStore`
/// where a test is one function.
public final class TemporaryStore: Sendable {
    /// A client of the store. Its own connection: closing it does not end the store.
    public let client: StoreClient
    private let daemon: TemporaryDaemon

    private init(client: StoreClient, daemon: TemporaryDaemon) {
        self.client = client
        self.daemon = daemon
    }

    /// Starts a daemon on a new store and connects to it.
    ///
    /// - Parameters:
    ///   - daemonPath: the program `ghoststored`. Without one: `GHOSTSTORED` of the environment when it is set, else
    ///     the one beside the running test, else the first one in `PATH`.
    ///   - settings: of the daemon, as environment variables: `["GHOSTSTORE_LIMITS_CONNECTIONS_MAX": "2"]`. Of this
    ///     process's environment only `PATH` reaches it.
    ///   - configuration: of the client.
    /// - Throws: `.daemonAbsent` when there is no `ghoststored`, `.daemonUnreachable` with the daemon's own words when
    ///   it does not answer, `.inputOutputFailed` when the system refuses a folder or a process.
    public static func start(
        daemonPath: String? = nil, settings: [String: String] = [:],
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> TemporaryStore {
        let daemon = try TemporaryDaemon(program: DaemonProgram.find(daemonPath), settings: settings)
        let client = try await daemon.connect(configuration)
        return TemporaryStore(client: client, daemon: daemon)
    }

    /// Where the daemon listens, for code under test that connects by itself.
    public var socketPath: String {
        daemon.socketPath
    }

    /// What the daemon has logged so far.
    public var log: String {
        daemon.log
    }

    /// A further connection.
    public func connect(
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> StoreClient {
        try await StoreClient.connect(to: socketPath, configuration: configuration)
    }

    /// Ends the daemon and removes its folder; blocks for a few milliseconds. Later calls of its clients fail. Does
    /// nothing the second time.
    public func stop() {
        daemon.stop()
    }
}

/// Runs the body with a store of its own, and ends the store whatever happened.
///
/// ```swift
/// try await withTemporaryStore { store in
///     try await store.client.saveMessage(NewMessage(conversation: .sessionID("05alice"), text: "hello"))
/// }
/// ```
///
/// - Parameters:
///   - daemonPath: the program `ghoststored`, as `TemporaryStore.start` looks for it.
///   - settings: of the daemon, as environment variables.
///   - configuration: of the client.
///   - body: gets the store, which ends with it.
/// - Throws: what `TemporaryStore.start` throws, and what the body throws.
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
    /// There is no program `ghoststored` to start.
    public static let daemonAbsent = Self(rawValue: "DAEMON_ABSENT")
}
