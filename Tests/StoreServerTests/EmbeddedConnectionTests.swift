import FoundationEssentials
import Logging
import NIOCore
import NIOEmbedded
import StoreBasics
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import Synchronization
import TestBasics
import Testing

@testable import StoreServer

/// A connection without a socket, for any user, on an engine without a store.
private final class EmbeddedConnection {
    let channel = EmbeddedChannel()
    let loop: ConnectionLoop
    private let folder: TemporaryDirectory

    init(
        uid: UInt32, rules: [AccessRule] = [],
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws {
        folder = try TemporaryDirectory()
        let engine = try StoreEngine(
            configuration: EngineConfiguration(
                stateDirectory: folder.path, onLostDurability: { _ in fatalError("durability lost") }),
            logger: logger)
        engine.openWithConfiguredKey(nil)
        loop = ConnectionLoop(
            // The clock that limits log lines caused by callers stands still.
            server: ServerContext(
                engine: engine, configuration: ServerConfiguration(), causedLines: CausedLines { 1 }),
            eventLoop: channel.embeddedEventLoop, policy: Self.policy(rules), logger: logger)
        let handler = try loop.makeHandler(for: Caller(uid: uid, gid: uid, pid: 1))
        try channel.pipeline.syncOperations.addHandler(handler)
        channel.connect(to: try SocketAddress(unixDomainSocketPath: "/none"), promise: nil)
    }

    deinit {
        _ = try? channel.finish(acceptAlreadyClosed: true)
        loop.server.engine.shutDown()
    }

    static func policy(_ rules: [AccessRule]) -> AccessPolicy {
        AccessPolicy(rules: rules, ownUser: 1, trustedGroup: nil)
    }

    func send(_ requests: WireRequest...) throws {
        try channel.writeInbound(ByteBuffer(bytes: requests.flatMap { RawConnection.frame($0) }))
    }

    /// Returns every response written so far, and the number of writes that carried them.
    func responses() throws -> (responses: [WireResponse], writes: Int) {
        // Runs work that the loop has postponed to later turns.
        while loop.hasWork {
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        }
        var bytes = ByteBuffer()
        var writes = 0
        while var buffer = try channel.readOutbound(as: ByteBuffer.self) {
            writes += buffer.readableBytes > 0 ? 1 : 0
            bytes.writeBuffer(&buffer)
        }
        var responses: [WireResponse] = []
        while let length = bytes.readInteger(as: UInt32.self) {
            responses.append(try WireResponse(serializedBytes: try unwrap(bytes.readBytes(length: Int(length)))))
        }
        return (responses, writes)
    }
}

@Suite struct EmbeddedConnectionTests {
    @Test func `a burst of requests is answered in one write`() throws {
        let connection = try EmbeddedConnection(uid: 1)
        try connection.send(
            RawConnection.request(1, .ping(.init())), RawConnection.request(2, .getStatus(.init())),
            RawConnection.request(3, .ping(.init())))
        let (responses, writes) = try connection.responses()
        #expect(responses.map(\.id) == [1, 2, 3])
        #expect(writes == 1)
    }

    @Test(arguments: TestSeeds.range(3, long: 10))
    func `frames are answered even if they arrive in random pieces`(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let connection = try EmbeddedConnection(uid: 1)
        var stream: [UInt8] = []
        for id in 1...200 as ClosedRange<UInt64> {
            var request = RawConnection.request(id, .ping(.init()))
            if id.isMultiple(of: 7) {
                request.getMessage.id = String(repeating: "m", count: Int.random(in: 1...4_000, using: &generator))
            }
            stream += RawConnection.frame(request)
        }
        var rest = stream[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...3_000, using: &generator))
            try connection.channel.writeInbound(ByteBuffer(bytes: rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        #expect(try connection.responses().responses.map(\.id) == Array(1...200))
    }

    @Test func `a caller without rights may only call hello and get status`() throws {
        let connection = try EmbeddedConnection(uid: 1_000)
        try connection.send(
            RawConnection.request(1, .hello(.init())), RawConnection.request(2, .getStatus(.init())),
            RawConnection.request(3, .getMessage(.with { $0.id = "m" })), RawConnection.request(4, .lock(.init())))
        let responses = try connection.responses().responses
        #expect(responses.map(\.error.reason) == ["", "", "PERMISSION_DENIED", "PERMISSION_DENIED"])
        #expect(responses[0].hello.uid == 1_000)
    }

    @Test func `an internal error writes one log line with its call and connection`() throws {
        let lines = LogLines()
        let connection = try EmbeddedConnection(uid: 1_000, logger: lines.logger)
        let handler = try unwrap(connection.loop.connection(1))
        handler.refuse(7, .getMessage, StoreError(.messageNotFound, "there is no such message"))
        #expect(lines.all.filter { $0.level >= .warning }.isEmpty)
        handler.refuse(8, .getMessage, StoreError(.internal, "a row has no number"))
        let line = try unwrap(lines.all.last)
        #expect(
            line.level == .error
                && line.message == "a request failed because of a fault in the daemon; please report this")
        #expect(
            line.metadata == [
                "call": "get_message", "reason": "INTERNAL", "message": "a row has no number", "connection": "1",
                "uid": "1000", "pid": "1",
            ])
    }

    @Test func `log lines that one user causes are limited, and the omitted ones are counted`() throws {
        let lines = LogLines()
        let connection = try EmbeddedConnection(uid: 1_000, logger: lines.logger)
        let handler = try unwrap(connection.loop.connection(1))
        for id in 0..<1_000 as Range<UInt64> {
            handler.refuse(id, .getMessage, StoreError(.internal, "a row has no number"))
            handler.cut("the client does not read its answers")
        }
        func told() -> [LogLines.Line] { lines.all.filter { $0.level != .debug } }
        let count = Int(AuditPacer.Rate.lines.burst)
        #expect(told().count == count)
        connection.loop.server.causedLines.logSuppressed(to: lines.logger)
        let last = try unwrap(told().last)
        #expect(last.level == .warning && last.metadata == ["uid": "1000", "count": "\(2_000 - count)"])
        // The lines of another user are not counted among the omitted ones.
        connection.loop.server.causedLines.write(.error, "a fault", [:], uid: 7, to: lines.logger)
        #expect(told().last?.message == "a fault")
    }

    @Test func `changed access rules apply to open connections`() throws {
        let connection = try EmbeddedConnection(uid: 1_000)
        let get = RawConnection.request(1, .getMessage(.with { $0.id = "m" }))
        try connection.send(get)
        let rule = AccessRule(subject: .user(1_000), rights: [.read(.messages, nil)])
        connection.loop.outbox.post(.reload(EmbeddedConnection.policy([rule]), .info))
        connection.channel.embeddedEventLoop.run()
        try connection.send(get)
        #expect(
            try connection.responses().responses.map(\.error.reason) == ["PERMISSION_DENIED", "STORE_ABSENT"])
    }

    @Test func `a secret is wiped in the buffer of the transport`() throws {
        let connection = try EmbeddedConnection(uid: 1_000)
        let unlock = RawConnection.request(
            1,
            .unlock(
                .with {
                    $0.secret.kind = .passphrase
                    $0.secret.value = Data("open sesame".utf8)
                }))
        let buffer = ByteBuffer(bytes: RawConnection.frame(unlock))
        try connection.channel.writeInbound(buffer)
        #expect(!String(buffer: buffer).contains("sesame"))
        #expect(try connection.responses().responses.map(\.error.reason) == ["PERMISSION_DENIED"])
    }

    @Test func `a secret that arrives in two buffers is wiped in both`() throws {
        let connection = try EmbeddedConnection(uid: 1_000)
        let frame = RawConnection.frame(
            RawConnection.request(
                1,
                .unlock(
                    .with {
                        $0.secret.kind = .passphrase
                        $0.secret.value = Data("open sesame".utf8)
                    })))
        let pieces = [ByteBuffer(bytes: frame.prefix(22)), ByteBuffer(bytes: frame.dropFirst(22))]
        for piece in pieces {
            try connection.channel.writeInbound(piece)
            #expect(piece.readableBytesView.allSatisfy { $0 == 0 })
        }
        #expect(try connection.responses().responses.map(\.error.reason) == ["PERMISSION_DENIED"])
    }

    @Test func `a closed connection is removed from the registry`() throws {
        let connection = try EmbeddedConnection(uid: 1)
        #expect(connection.loop.server.registry.total == 1)
        try connection.channel.close().wait()
        #expect(connection.loop.server.registry.total == 0)
    }
}
