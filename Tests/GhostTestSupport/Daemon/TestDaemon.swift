import Glibc
package import StoreClient
import Synchronization
package import TestBasics

/// The built ghoststored on a state directory, key file and socket of its own.
package final class TestDaemon: Sendable {
    package let directory: TemporaryDirectory
    private let options: TestDaemonOptions
    private let process: Mutex<ChildProcess?>

    package var socketPath: String { directory.file("socket") }
    package var stateDirectory: String { directory.file("state") }
    package var keyFilePath: String { directory.file("key") }

    private init(directory: TemporaryDirectory, options: TestDaemonOptions) {
        self.directory = directory
        self.options = options
        process = Mutex(nil)
    }

    /// Starts a daemon on a new, empty place and waits until it answers.
    package static func start(_ options: TestDaemonOptions = TestDaemonOptions()) async throws -> TestDaemon {
        let daemon = try prepare(options)
        try await daemon.startAgain()
        return daemon
    }

    /// A place with a key file and nothing else; no daemon runs yet.
    package static func prepare(_ options: TestDaemonOptions = TestDaemonOptions()) throws -> TestDaemon {
        let directory = try TemporaryDirectory()
        var randomness = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }
        try directory.write(key, to: "key")
        return TestDaemon(directory: directory, options: options)
    }

    /// Everything the daemon has written to standard output and standard error, over all its lives.
    package var log: String {
        directory.read("log")
    }

    /// The running process; `nil` while the daemon is stopped.
    package var child: ChildProcess? {
        process.withLock { child in
            child
        }
    }

    package var processID: Int32? {
        child?.id
    }

    /// A client of this daemon.
    package func connect(
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> StoreClient {
        try await StoreClient.connect(to: socketPath, configuration: configuration)
    }

    /// SIGKILL, as a crash or the kernel would.
    package func kill9() async throws {
        try await take()?.kill9()
    }

    /// SIGTERM, and waits for the end.
    @discardableResult
    package func terminate() async throws -> ExitStatus {
        guard let child = take() else { throw TestSupportError("the daemon does not run") }
        child.signal(SIGTERM)
        return try await child.wait()
    }

    /// Starts it on what an earlier life left, and waits until it answers. It must be stopped.
    /// - Parameter options: for this life only, instead of those it was made with.
    package func startAgain(_ options: TestDaemonOptions? = nil) async throws {
        try await waitUntilAnswering(launch(options))
    }

    /// Starts it and does not wait for anything. It must be stopped.
    @discardableResult
    package func launch(_ options: TestDaemonOptions? = nil) throws -> ChildProcess {
        guard child == nil else { throw TestSupportError("the daemon runs already") }
        let options = options ?? self.options
        let streams = ChildProcess.Streams(outputPath: directory.file("log"), errorPath: directory.file("log"))
        let child = try ChildProcess(
            path: BuiltPrograms.path("ghoststored"), arguments: arguments(options),
            environment: ChildEnvironment.minimal(adding: options.environment), streams: streams)
        process.withLock { $0 = child }
        return child
    }

    /// Kills it and starts it again.
    package func restart() async throws {
        try await kill9()
        try await startAgain()
    }

    private func take() -> ChildProcess? {
        process.withLock { $0.take() }
    }

    private func arguments(_ options: TestDaemonOptions) -> [String] {
        var arguments = ["--state-directory", stateDirectory, "--socket", socketPath]
        if options.usesKeyFile {
            arguments += ["--key-file", keyFilePath]
        }
        if options.createsStore {
            arguments.append("--create")
        }
        return arguments + ["--log-level", options.logLevel] + options.moreArguments
    }

    private func waitUntilAnswering(_ child: ChildProcess) async throws {
        try await eventually("the daemon answers on \(socketPath)", within: .seconds(60)) {
            guard child.isRunning else {
                throw TestSupportError("the daemon ended at start (\(String(describing: child.exitStatus))): \(log)")
            }
            guard let client = try? await connect() else { return false }
            await client.close()
            return true
        }
    }
}

/// How a `TestDaemon` is started.
package struct TestDaemonOptions: Sendable {
    /// With a key file the store opens by itself; without one it waits to be initialized or unlocked.
    package var usesKeyFile = true
    package var createsStore = true
    package var logLevel = "info"
    package var moreArguments: [String] = []
    /// Settings as environment variables, such as `GHOSTSTORE_LIMITS_CONNECTIONS_MAX`.
    package var environment: [String: String] = [:]

    package init() {}

    /// The largest frame with `smallFrames`: the least that `limits.frame_bytes_max` may be, or its default.
    package static let smallFrameBytes = TestTier.count(6 << 20, long: 16 << 20)

    /// Frames of 6 MiB at most, so that few texts of the largest size fit no single answer. In the long tier frames
    /// have the default size.
    package static var smallFrames: TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_LIMITS_FRAME_BYTES_MAX": "\(smallFrameBytes)"]
        return options
    }

    /// Cheap key derivation allowed.
    package static var allowingLowCost: TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_ALLOW_LOW_COST_KEYS": "true"]
        return options
    }

    /// No store yet, no key file, cheap key derivation allowed.
    package static var uninitialized: TestDaemonOptions {
        var options = allowingLowCost
        options.usesKeyFile = false
        options.createsStore = false
        return options
    }
}

/// Starts a daemon, runs the body, and ends the daemon whatever happened.
package func withDaemon<Result>(
    _ options: TestDaemonOptions = TestDaemonOptions(), _ body: (TestDaemon) async throws -> Result
) async throws -> Result {
    let daemon = try await TestDaemon.start(options)
    do {
        let result = try await body(daemon)
        try await daemon.kill9()
        return result
    } catch {
        try? await daemon.kill9()
        throw error
    }
}

/// The same with one connected client, which is closed at the end.
package func withDaemonAndClient<Result>(
    _ options: TestDaemonOptions = TestDaemonOptions(),
    configuration: ClientConfiguration = ClientConfiguration(),
    _ body: (TestDaemon, StoreClient) async throws -> Result
) async throws -> Result {
    try await withDaemon(options) { daemon in
        let client = try await daemon.connect(configuration: configuration)
        let result = try await body(daemon, client)
        await client.close()
        return result
    }
}
