import Dispatch
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import StoreCrypto
import StoreEngine
import StoreServer
import Synchronization
import TestBasics

/// A server with a real engine in a temporary folder, on a real socket.
final class RunningServer: Sendable {
    enum Store {
        case absent
        case locked
        case open
    }

    static let passphrase = "vector passphrase"

    let engine: StoreEngine
    let server: StoreServer
    let path: String
    private let folder: TemporaryDirectory
    private let task: Task<Void, any Error>
    private let group: ServiceGroup

    /// Starts a server, passes it to `body`, and stops it.
    ///
    /// `body` may block, because it does not run on Swift's own threads, which the server needs.
    static func with<Result: Sendable>(
        _ store: Store = .open, configuration: ServerConfiguration = ServerConfiguration(),
        policy: AccessPolicy? = nil, logger: Logger? = nil, _ body: @escaping @Sendable (RunningServer) throws -> Result
    ) async throws -> Result {
        let running = try RunningServer(store, configuration, policy, logger ?? silent)
        do {
            let result = try await withTaskExecutorPreference(BlockingExecutor.shared) { try body(running) }
            try await running.stop()
            return result
        } catch {
            try await running.stop()
            throw error
        }
    }

    private static var silent: Logger {
        var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        return logger
    }

    private init(
        _ store: Store, _ configuration: ServerConfiguration, _ policy: AccessPolicy?, _ logger: Logger
    ) throws {
        folder = try TemporaryDirectory()
        let state = folder.file("state")
        path = folder.file("socket")
        engine = try StoreEngine(
            configuration: EngineConfiguration(
                stateDirectory: state, allowLowCost: true, onLostDurability: { _ in fatalError("durability lost") }),
            logger: logger)
        engine.openWithConfiguredKey(nil)
        if store != .absent {
            _ = try engine.initialize(
                secret: try Self.secret(Self.passphrase), label: "test", withRecoveryCode: false, lowCost: true)
        }
        if store == .locked {
            try engine.lock()
        }
        let listener = try ListeningSocket.create(path: path, admitting: .own, logger: logger)
        try listener.listen()
        server = StoreServer(
            engine: engine, configuration: configuration,
            policy: policy ?? AccessPolicy(rules: [], ownUser: geteuid(), trustedGroup: nil), listeners: [listener],
            logger: logger, audit: AuditLog(.nobody))
        group = ServiceGroup(services: [server], logger: logger)
        task = Task { [group] in
            try await group.run()
        }
    }

    static func secret(_ text: String) throws -> SlotSecret {
        let text = Array(text.utf8)
        var bytes = try SecretBytes(count: text.count)
        bytes.withUnsafeMutableBytes { $0.copyBytes(from: text) }
        return try SlotSecret(kind: .passphrase, bytes: bytes)
    }

    func connect() throws -> RawConnection {
        try RawConnection(path)
    }

    /// Begins a graceful stop. Requests in flight are still answered.
    func beginStopping() {
        Task { [group] in
            await group.triggerGracefulShutdown()
        }
    }

    private func stop() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
        engine.shutDown()
    }
}

/// An executor with its own threads, for tasks that block.
final class BlockingExecutor: TaskExecutor {
    static let shared = BlockingExecutor()

    private let queue = DispatchQueue(label: "blocking tests", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Work that runs at the same time as the test that started it.
final class SideWork: Sendable {
    private let group = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        DispatchQueue(label: "side").async(group: group) { [self] in
            do {
                try body()
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Waits until the work has ended, and throws the error that it threw.
    func finish() throws {
        group.wait()
        if let error = failure.withLock({ $0 }) {
            throw error
        }
    }
}
