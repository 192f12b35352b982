import FoundationEssentials
import Glibc
import StoreEngine
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreServer

/// Slow peers on real sockets.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ConnectionTimeTests {
    private static let textBytes = 1 << 20

    private static func saveLargeMessage(_ server: RunningServer) throws {
        let response = try server.connect().call(
            .saveMessage(
                .with {
                    $0.message.id = "large"
                    $0.message.conversation.sessionID = "alice"
                    $0.message.text = String(repeating: "x", count: textBytes)
                }))
        #expect(response.commit.createdCount > 0, "\(response.error)")
    }

    private static func get(_ id: UInt64) -> WireRequest {
        RawConnection.request(id, .getMessage(.with { $0.id = "large" }))
    }

    @Test func `half-closed peers that never read are cut off`() async throws {
        var configuration = ServerConfiguration()
        configuration.answerTimeoutSeconds = 1
        try await RunningServer.with(configuration: configuration) { server in
            try Self.saveLargeMessage(server)
            let rude = try (0..<3).map { _ in try server.connect() }
            for connection in rude {
                try connection.send(Self.get(1))
                connection.closeSendingSide()
            }
            let other = try server.connect()
            #expect(try eventually { try other.call(.getStatus(.init())).status.connectionCount == 1 })
            withExtendedLifetime(rude) {}
        }
    }

    @Test func `a half-closed peer that reads late still gets its response`() async throws {
        try await RunningServer.with { server in
            try Self.saveLargeMessage(server)
            let late = try server.connect()
            try late.send(Self.get(1))
            late.closeSendingSide()
            usleep(200_000)
            #expect(try late.receive().message.text.utf8.count == Self.textBytes)
            #expect(try late.receiveFrame() == nil)
        }
    }

    @Test func `reads behind a write are not executed for a peer that does not read`() async throws {
        try await RunningServer.with { server in
            try Self.saveLargeMessage(server)
            let rude = try server.connect()
            let count: UInt64 = 100
            let write = RawConnection.request(0, .setContactBlocked(.with { $0.sessionID = "bob" }))
            let before = ProcessMemory.residentBytes
            try rude.send(RawConnection.frame(write) + (1...count).flatMap { RawConnection.frame(Self.get($0)) })
            let other = try server.connect()
            var largest = before
            for _ in 0..<TestTier.count(40, long: 100) {
                usleep(10_000)
                _ = try other.call(.ping(.init()))
                largest = max(largest, ProcessMemory.residentBytes)
            }
            #expect(largest < before + 48 << 20)
            // When the peer starts to read, the daemon continues with the requests that it had not started.
            var answered: Set<UInt64> = []
            let answerCount = TestTier.count(6, long: 20)
            for _ in 0..<answerCount {
                answered.insert(try rude.receive().id)
            }
            #expect(answered.count == answerCount && answered.contains(0))
        }
    }

    @Test func `a frame times out in time even if a longer timer was set before`() async throws {
        var configuration = ServerConfiguration()
        configuration.partialFrameTimeoutSeconds = 1
        configuration.answerTimeoutSeconds = 300
        try await RunningServer.with(configuration: configuration) { server in
            try Self.saveLargeMessage(server)
            let connection = try server.connect()
            // The peer does not read these responses at once, so the longer timer starts.
            try connection.send(Self.get(1), Self.get(2), Self.get(3))
            usleep(200_000)
            for id in 1...3 as ClosedRange<UInt64> {
                #expect(try connection.receive().id == id)
            }
            try connection.send([0, 0, 0, 9, 8])
            let start = ContinuousClock.now
            #expect(try connection.receive().error.reason == "FRAME_TIMEOUT")
            #expect(start.duration(to: .now) < .seconds(10))
        }
    }
}
