import Dispatch
import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import StoreEngine
import StoreProtocol
import TestBasics
import Testing

@testable import StoreServer

/// A server with an open store, to which a test can connect as any user. `@unchecked Sendable` because nothing in it
/// changes, and NIO's group and the loop's outbox may be used from any thread.
final class UserServer: @unchecked Sendable {
    /// The rights to read and write every area, and administration.
    static let everyRight: [AccessRight] =
        Area.allCases.flatMap { [.read($0, nil), .write($0, nil)] } + [.administration]
    /// The user whose rights the tests set, unless they name another one.
    static let uid: UInt32 = 1_000

    private let folder: TemporaryDirectory
    let engine: StoreEngine
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: ConnectionLoop

    /// Starts a server, passes it to `body`, which does not run on Swift's own threads, and stops it.
    static func with(
        _ rights: [UInt32: [AccessRight]], configuration: ServerConfiguration = ServerConfiguration(),
        _ body: @escaping @Sendable (UserServer) throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer(rights, configuration: configuration)
            let result = Result { try body(server) }
            try server.stop()
            try result.get()
        }
    }

    convenience init(_ rights: [AccessRight], audit: AuditLog = AuditLog(.nobody)) throws {
        try self.init([Self.uid: rights], audit: audit)
    }

    init(
        _ rights: [UInt32: [AccessRight]], configuration: ServerConfiguration = ServerConfiguration(),
        audit: AuditLog = AuditLog(.nobody)
    ) throws {
        folder = try TemporaryDirectory()
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        engine = try StoreEngine(
            configuration: EngineConfiguration(
                stateDirectory: folder.path, allowLowCost: true,
                onLostDurability: { _ in fatalError("durability lost") }
            ), logger: logger)
        engine.openWithConfiguredKey(nil)
        _ = try engine.initialize(
            secret: try RunningServer.secret("passphrase"), label: "test", withRecoveryCode: false, lowCost: true)
        let server = ServerContext(engine: engine, configuration: configuration, audit: audit)
        loop = ConnectionLoop(
            server: server, eventLoop: group.next(), policy: Self.policy(rights), logger: logger)
        server.hub.start(engine)
    }

    /// Returns how many requests of one kind have succeeded.
    func answered(_ kind: CallKind) -> UInt64 {
        loop.server.metrics.snapshot.calls[kind]?.succeeded ?? 0
    }

    /// The number of bytes that requests and responses hold.
    var budgetedBytes: Int {
        loop.server.memoryBudget.usedBytes
    }

    var connectionCount: Int {
        loop.server.registry.total
    }

    func connect(uid: UInt32 = uid) throws -> RawConnection {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let loop = loop
        _ = try ClientBootstrap(group: group)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .writeBufferWaterMark, value: StoreServer.waterMark(loop.server.configuration)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try loop.serve(channel, Caller(uid: uid, gid: uid, pid: 1))
                }
            }
            .withConnectedSocket(ends[0]).wait()
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(ends[1], SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        return RawConnection(descriptor: ends[1])
    }

    /// Replaces the access rules. Returns after the new rules are in force.
    func reload(_ rights: [AccessRight]) throws {
        loop.outbox.post(.reload(Self.policy([Self.uid: rights]), .critical))
        try loop.eventLoop.submit {}.wait()
    }

    /// Holds the event loop until the returned function is called.
    func holdEventLoop() -> () -> Void {
        let (isHeld, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        loop.eventLoop.execute {
            isHeld.signal()
            gate.wait()
        }
        isHeld.wait()
        return { gate.signal() }
    }

    /// Ends all connections, as a stop does. Work in progress continues, but its responses are dropped.
    func endConnections() throws {
        try loop.end().wait()
    }

    func stop() throws {
        loop.server.hub.stop()
        try endConnections()
        try group.syncShutdownGracefully()
        engine.shutDown()
    }

    private static func policy(_ rights: [UInt32: [AccessRight]]) -> AccessPolicy {
        AccessPolicy(
            rules: rights.map { AccessRule(subject: .user($0), rights: $1) }, ownUser: 1, trustedGroup: nil)
    }
}
