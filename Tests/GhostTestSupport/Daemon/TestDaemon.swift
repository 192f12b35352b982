import Glibc
package import StoreClient
import Synchronization
package import TestBasics

/// The built ghoststored with a state directory, key file and socket for one test.
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

    /// Starts a daemon in a new folder and waits until it answers.
    package static func start(_ options: TestDaemonOptions = TestDaemonOptions()) async throws -> TestDaemon {
        let daemon = try prepare(options)
        try await daemon.startAgain()
        return daemon
    }

    /// Creates a folder with a key file. The daemon is not started.
    package static func prepare(_ options: TestDaemonOptions = TestDaemonOptions()) throws -> TestDaemon {
        let directory = try TemporaryDirectory()
        var randomness = SystemRandomNumberGenerator()
        let key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &randomness) }
        try directory.write(key, to: "key")
        return TestDaemon(directory: directory, options: options)
    }

    /// Everything the daemon has written to standard output and standard error, including earlier starts.
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

    /// Connects a new client to this daemon. The caller closes the client.
    package func connect(
        configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(StoreClientError) -> StoreClient {
        try await StoreClient.connect(to: socketPath, configuration: configuration)
    }

    /// Kills the daemon with SIGKILL, as a crash or the out-of-memory killer would.
    package func kill9() async throws {
        try await take()?.kill9()
    }

    /// Sends SIGTERM and waits for the process to end.
    @discardableResult
    package func terminate() async throws -> ExitStatus {
        guard let child = take() else { throw TestSupportError("the daemon does not run") }
        child.signal(SIGTERM)
        return try await child.wait()
    }

    /// Starts the daemon with the existing state and waits until it answers. The daemon must be stopped.
    /// - Parameter options: used for this start only, instead of the options of the initializer.
    package func startAgain(_ options: TestDaemonOptions? = nil) async throws {
        try await waitUntilAnswering(launch(options))
    }

    /// Starts the daemon and does not wait for anything. The daemon must be stopped.
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

    /// Kills the daemon and starts it again.
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

/// The settings with which a `TestDaemon` starts.
package struct TestDaemonOptions: Sendable {
    /// With a key file the store opens by itself; without one the daemon waits until a client initializes or unlocks
    /// the store.
    package var usesKeyFile = true
    package var createsStore = true
    package var logLevel = "info"
    package var moreArguments: [String] = []
    /// Settings as environment variables, such as `GHOSTSTORE_LIMITS_CONNECTIONS_MAX`.
    package var environment: [String: String] = [:]

    package init() {}

    /// The frame limit of `smallFrames`: the smallest allowed value of `limits.frame_bytes_max`. In the long tier it is
    /// the default of that setting.
    package static let smallFrameBytes = TestTier.count(6 << 20, long: 16 << 20)

    /// Options that limit frames to 6 MiB, so that a few texts of the largest size do not fit into one answer. In the
    /// long tier frames have the default limit.
    package static var smallFrames: TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_LIMITS_FRAME_BYTES_MAX": "\(smallFrameBytes)"]
        return options
    }

    /// Options that permit cheap key derivation, which makes tests faster.
    package static var allowingLowCost: TestDaemonOptions {
        var options = TestDaemonOptions()
        options.environment = ["GHOSTSTORE_ALLOW_LOW_COST_KEYS": "true"]
        return options
    }

    /// Options without a store and without a key file. Cheap key derivation is permitted.
    package static var uninitialized: TestDaemonOptions {
        var options = allowingLowCost
        options.usesKeyFile = false
        options.createsStore = false
        return options
    }
}

/// Starts a daemon, runs the body, and ends the daemon even if the body throws.
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

/// Starts a daemon, connects a client, and runs the body. Closes the client and ends the daemon even if the body
/// throws.
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
