import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import StoreEngine
import TestBasics
import Testing

@testable import StoreServer

/// The server's end of a socket whose peer is taken for any user, on an open store.
final class UserServer {
    /// Every area, read and write, and administration.
    static let everyRight: [AccessRight] =
        Area.allCases.flatMap { [.read($0, nil), .write($0, nil)] } + [.administration]
    private static let uid: UInt32 = 1_000

    private let folder: TemporaryDirectory
    let engine: StoreEngine
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: ConnectionLoop

    init(_ rights: [AccessRight], audit: AuditLog = AuditLog(.nobody)) throws {
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
        let server = ServerContext(engine: engine, configuration: ServerConfiguration(), audit: audit)
        loop = ConnectionLoop(
            server: server, eventLoop: group.next(), policy: Self.policy(rights), logger: logger)
        server.hub.start(engine)
    }

    func connect() throws -> RawConnection {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let loop = loop
        _ = try ClientBootstrap(group: group)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = try loop.makeHandler(for: Caller(uid: Self.uid, gid: Self.uid, pid: 1))
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .withConnectedSocket(ends[0]).wait()
        return RawConnection(descriptor: ends[1])
    }

    /// Returns when the rights hold.
    func reload(_ rights: [AccessRight]) throws {
        loop.outbox.post(.reload(Self.policy(rights), .critical))
        try loop.eventLoop.submit {}.wait()
    }

    func stop() throws {
        loop.outbox.post(.closeAll)
        try group.syncShutdownGracefully()
        loop.outbox.close()
        loop.server.hub.stop()
        engine.shutDown()
    }

    private static func policy(_ rights: [AccessRight]) -> AccessPolicy {
        AccessPolicy(rules: [AccessRule(subject: .user(uid), rights: rights)], ownUser: 1, trustedGroup: nil)
    }
}
