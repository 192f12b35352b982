import FoundationEssentials
import Glibc
import Logging
import NIOCore
import ServiceLifecycle
import StoreCrypto
import StoreEngine
import StoreServer

/// A server with a real engine in a folder of its own, on a real socket.
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
    private let folder: URL
    private let task: Task<Void, any Error>
    private let group: ServiceGroup

    /// Starts one, lets `body` use it, and stops it.
    static func with<Result>(
        _ store: Store = .open, configuration: ServerConfiguration = ServerConfiguration(),
        policy: AccessPolicy? = nil, _ body: (RunningServer) async throws -> Result
    ) async throws -> Result {
        let running = try RunningServer(store, configuration, policy)
        do {
            let result = try await body(running)
            try await running.stop()
            return result
        } catch {
            try await running.stop()
            throw error
        }
    }

    private init(_ store: Store, _ configuration: ServerConfiguration, _ policy: AccessPolicy?) throws {
        var logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .critical
        folder = URL(filePath: "/tmp").appending(path: "ghoststore-\(UUID().uuidString.prefix(13))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let state = folder.appending(path: "state").path
        path = folder.appending(path: "socket").path
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
        let listener = try ListeningSocket.create(path: path, group: nil, logger: logger)
        try listener.listen()
        server = StoreServer(
            engine: engine, configuration: configuration,
            policy: policy ?? AccessPolicy(rules: [], ownUser: geteuid(), trustedGroup: nil), listeners: [listener],
            logger: logger)
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

    func connect() throws -> WireConnection {
        try WireConnection(path: path)
    }

    /// Begins a graceful stop; what is in flight is still answered.
    func beginStopping() async {
        await group.triggerGracefulShutdown()
    }

    private func stop() async throws {
        await group.triggerGracefulShutdown()
        try await task.value
        engine.shutDown()
        try? FileManager.default.removeItem(at: folder)
    }
}
