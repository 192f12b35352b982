import FoundationEssentials
import Glibc
import Logging
import NIOCore
import NIOPosix
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import Testing

@testable import StoreServer

/// The server's end of a socket whose peer is taken for any user, on an open store with logs.
private final class UserServer {
    private static let uid: UInt32 = 1_000

    private let folder: URL
    private let engine: StoreEngine
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let loop: ConnectionLoop

    init(_ rights: [AccessRight]) throws {
        folder = URL(filePath: "/tmp").appending(path: "ghoststore-\(UUID().uuidString.prefix(13))")
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        engine = try StoreEngine(
            configuration: EngineConfiguration(
                stateDirectory: folder.path, allowLowCost: true,
                onLostDurability: { _ in fatalError("durability lost") }
            ), logger: logger)
        engine.openWithConfiguredKey(nil)
        _ = try engine.initialize(
            secret: try RunningServer.secret("passphrase"), label: "test", withRecoveryCode: false, lowCost: true)
        let server = ServerContext(engine: engine, configuration: ServerConfiguration())
        loop = ConnectionLoop(
            server: server, eventLoop: group.next(), policy: Self.policy(rights), logger: logger)
        server.hub.start(engine)
    }

    func connect() throws -> WireConnection {
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
        return WireConnection(descriptor: ends[1])
    }

    func reload(_ rights: [AccessRight]) {
        loop.outbox.post(.reload(Self.policy(rights), .critical))
    }

    func stop() throws {
        loop.outbox.post(.closeAll)
        try group.syncShutdownGracefully()
        loop.outbox.close()
        loop.server.hub.stop()
        engine.shutDown()
        try FileManager.default.removeItem(at: folder)
    }

    private static func policy(_ rights: [AccessRight]) -> AccessPolicy {
        AccessPolicy(rules: [AccessRule(subject: .user(uid), rights: rights)], ownUser: 1, trustedGroup: nil)
    }
}

@Suite(.serialized, .timeLimit(.minutes(1))) struct ReloadTests {
    @Test func rightNarrowedToOtherNamesEndsTheWaitsItNoLongerCovers() async throws {
        try await withTaskExecutorPreference(BlockingExecutor.shared) {
            let server = try UserServer([.read(.logs, nil), .write(.logs, nil)])
            let connection = try server.connect()
            for name in ["app.events", "system.events"] {
                let log = try connection.call(
                    .openLog(
                        .with {
                            $0.name = name
                            $0.maximumBytes = 1_000
                        }))
                #expect(log.log.name == name, "\(log.error)")
            }
            for (id, name) in [(UInt64(7), "app.events"), (8, "system.events")] {
                try connection.send(
                    WireConnection.request(
                        id,
                        .readLog(
                            .with {
                                $0.name = name
                                $0.waitMilliseconds = 60_000
                            })))
            }
            #expect(try connection.call(.ping(.init()), id: 9).id == 9)
            let pattern = try #require(NamePattern("app.*"))
            server.reload([.read(.logs, pattern), .write(.logs, pattern)])
            let refused = try connection.receive()
            #expect(refused.id == 8 && refused.error.reason == "PERMISSION_DENIED")
            let append = WireRequest.OneOf_Call.appendLog(
                .with {
                    $0.name = "app.events"
                    $0.messages = [Data("one".utf8)]
                })
            try connection.send(WireConnection.request(10, append))
            let answers = [try connection.receive(), try connection.receive()]
            #expect(Set(answers.map(\.id)) == [7, 10])
            #expect(answers.allSatisfy { $0.error.reason == "" })
            try server.stop()
        }
    }
}
