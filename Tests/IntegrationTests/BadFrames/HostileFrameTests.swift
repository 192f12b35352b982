import GhostTestSupport
import StoreClient
import StoreProtocol
import SwiftProtobuf
import Synchronization
import TestBasics
import Testing

/// Bytes that no client of this project sends. After each of them the daemon still runs and serves other clients.
@Suite(.oneAtATime) struct HostileFrameTests {
    @Test(arguments: [(UInt32(0), "FRAME_EMPTY"), (.max, "FRAME_TOO_LARGE"), (16 << 20 | 1, "FRAME_TOO_LARGE")])
    func `a frame with an impossible length gets an error, and the connection is closed at once`(
        length: UInt32, reason: String
    ) async throws {
        try await undisturbed { path in
            let connection = try RawConnection(path)
            try connection.send(Frames.ping + Frames.header(length))
            #expect(try connection.receive()?.isPing == true)
            #expect(try connection.receive()?.reason == reason)
            #expect(try connection.receive() == nil)
        }
    }

    @Test func `an incomplete frame gets an error after a half-close, and no answer after a close`() async throws {
        try await undisturbed { path in
            for count in 1..<Frames.ping.count {
                let connection = try RawConnection(path)
                try connection.send(Array(Frames.ping.prefix(count)))
                connection.closeSendingSide()
                #expect(try connection.receive()?.reason == "FRAME_TRUNCATED")
                #expect(try connection.receive() == nil)
                try RawConnection(path).send(Array(Frames.ping.prefix(count)))
            }
        }
    }

    @Test func `a frame of garbage is an invalid argument, and the connection stays open`() async throws {
        try await undisturbed { path in
            let connection = try RawConnection(path)
            for garbage in [[0xff], [UInt8](repeating: 0xff, count: 64), [0x08], Array("GET / HTTP/1.1".utf8)] {
                try connection.send(Frames.frame(garbage))
                let answer = try #require(try connection.receive())
                #expect(answer.error.code == .invalidArgument)
                #expect(answer.reason == "REQUEST_MALFORMED")
                #expect(try connection.call(.ping(WirePingRequest())).isPing)
            }
        }
    }

    @Test func `an unknown call gets CALL_UNKNOWN, and the connection stays open`() async throws {
        try await undisturbed { path in
            let connection = try RawConnection(path)
            // Request.id = 7, then the unknown field 1000 with an empty message.
            try connection.send(Frames.frame([0x08, 7, 0xc2, 0x3e, 0]))
            let answer = try #require(try connection.receive())
            #expect(answer.id == 7)
            #expect(answer.error.code == .unimplemented)
            #expect(answer.reason == "CALL_UNKNOWN")
            #expect(try connection.call(.ping(WirePingRequest())).isPing)
        }
    }

    @Test(arguments: [20, 1_000, 20_000])
    func `messages nested too deeply are refused, and the connection stays open`(depth: Int) async throws {
        try await undisturbed { path in
            var nested: [UInt8] = []
            for _ in 0..<depth {
                nested = nested.asField(number: 1)
            }
            let connection = try RawConnection(path)
            try connection.send(Frames.frame([0x08, 9] + nested.asField(number: 120)))
            let answer = try #require(try connection.receive())
            #expect(answer.id == 9)
            #expect(answer.error.code == .invalidArgument)
            #expect(try connection.call(.ping(WirePingRequest())).isPing)
        }
    }

    @Test func `a peer that closes its sending side still gets every response`() async throws {
        try await undisturbed { path in
            let connection = try RawConnection(path)
            for id in 1...500 as ClosedRange<UInt64> {
                let message = WireNewMessage.with {
                    $0.conversation.sessionID = "05halfclose"
                    $0.text = "message \(id)"
                }
                try connection.send(id, .saveMessage(.with { $0.message = message }))
            }
            connection.closeSendingSide()
            var answered: Set<UInt64> = []
            while let answer = try connection.receive() {
                #expect(answer.commit.createdCount >= 1)
                answered.insert(answer.id)
            }
            #expect(answered == Set(1...500))
        }
    }

    @Test func `hundreds of peers that stop within a frame do not disturb other clients`() async throws {
        try await undisturbed { path in
            let idle = try (0..<300).map { number in
                let connection = try RawConnection(path)
                try connection.send(Array(Frames.header(16 << 20).prefix(number % 4 + 1)))
                return connection
            }
            let other = try RawConnection(path)
            for _ in 0..<50 {
                #expect(try other.call(.ping(WirePingRequest())).isPing)
            }
            withExtendedLifetime(idle) {}
        }
    }
}

/// Runs hostile work against a daemon while a well-behaved client continues. At the end the daemon must still run, and
/// every call of the client must have been answered.
func undisturbed(_ hostile: @escaping @Sendable (_ socketPath: String) throws -> Void) async throws {
    try await withDaemonAndClient { daemon, client in
        _ = try await client.saveMessage(NewMessage(id: "before", conversation: .sessionID("05calm"), text: "calm"))
        let path = daemon.socketPath
        let isOver = Atomic(false)
        async let calm: Void = {
            while !isOver.load(ordering: .relaxed) {
                let text = try await client.message("before").text
                #expect(text == "calm")
                try await Task.sleep(for: .milliseconds(5))
            }
        }()
        do {
            try await onThread { try hostile(path) }
        } catch {
            Issue.record(error)
        }
        isOver.store(true, ordering: .relaxed)
        try await calm
        #expect(daemon.child?.isRunning == true, "\(daemon.log.suffix(2_000))")
        #expect(try await client.status().storeState == .open)
    }
}

extension [UInt8] {
    /// Encodes these bytes as a length-delimited field.
    fileprivate func asField(number: UInt64) -> [UInt8] {
        (number << 3 | 2).varint + UInt64(count).varint + self
    }
}

extension UInt64 {
    fileprivate var varint: [UInt8] {
        var rest = self
        var bytes: [UInt8] = []
        while rest > 0x7f {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
