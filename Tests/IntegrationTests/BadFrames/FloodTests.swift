import GhostTestSupport
import StoreClient
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// Peers that send FLOOD_REQUESTS tiny requests without reading the responses.
@Suite(.oneAtATime) struct FloodTests {
    private static let mebibyte = 1 << 20

    @Test func `tiny requests whose responses are not read use limited memory and do not delay other clients`()
        async throws
    {
        let count = Settings.number("FLOOD_REQUESTS", default: TestTier.count(60_000, long: 1_000_000))
        try await withDaemonAndClient { daemon, client in
            let requests = [[UInt8]](repeating: Frames.ping, count: count).flatMap { $0 }
            let connection = try RawConnection(daemon.socketPath, timeoutSeconds: 1)
            let flood = try await daemon.largestGrowth {
                async let slowest = slowestPing(client, count: 100)
                let sent = try await onThread { try connection.sendSome(requests) }
                return (sent: sent, slowest: try await slowest)
            }
            print(
                "flood: \(flood.result.sent / Frames.ping.count) taken, \(flood.bytes >> 10) KiB, "
                    + "slowest other answer \(flood.result.slowest)")
            #expect(flood.bytes < 64 * Self.mebibyte)
            #expect(flood.result.slowest < .seconds(2))
            // A peer that starts to read at last receives every response.
            let rest = Array(requests.dropFirst(flood.result.sent))
            async let sent: Void = onThread { try connection.send(rest) }
            let answered = try await onThread {
                for _ in 0..<count {
                    guard try connection.receive()?.isPing == true else { return false }
                }
                return true
            }
            try await sent
            #expect(answered)
        }
    }

    @Test func `small requests whose large responses are not read use limited memory`() async throws {
        let count = 2_000
        try await withDaemonAndClient { daemon, client in
            let text = String(repeating: "x", count: 500_000)
            _ = try await client.saveMessage(NewMessage(id: "large", conversation: .sessionID("05l"), text: text))
            _ = try await client.saveMessage(NewMessage(id: "small", conversation: .sessionID("05s"), text: "small"))
            let connection = try RawConnection(daemon.socketPath, timeoutSeconds: 2)
            let requests = (1...UInt64(count)).flatMap {
                Frames.request($0, .getMessage(.with { $0.id = "large" }))
            }
            let flood = try await daemon.largestGrowth {
                _ = try await onThread { try connection.sendSome(requests) }
                try await daemon.waitUntilIdle()
                #expect(try await client.message("small").text == "small")
                return try await slowestPing(client, count: 20)
            }
            print("large answers: \(flood.bytes >> 20) MiB, slowest other answer \(flood.result)")
            // The limit for large requests and responses in PROTOCOL.md, plus an allowance for the memory around them.
            #expect(flood.bytes < (256 + 64) * Self.mebibyte)
            #expect(flood.result < .seconds(2))
        }
    }

    private func slowestPing(_ client: StoreClient, count: Int) async throws -> Duration {
        var slowest = Duration.zero
        for _ in 0..<count {
            let start = ContinuousClock.now
            try await client.ping()
            slowest = max(slowest, start.duration(to: .now))
            try await Task.sleep(for: .milliseconds(2))
        }
        return slowest
    }
}
