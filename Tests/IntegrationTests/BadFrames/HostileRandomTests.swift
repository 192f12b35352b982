import GhostTestSupport
import StoreBasics
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

/// Sends FUZZ_ROUNDS rounds of random bytes and of damaged frames, seeded by FUZZ_SEED.
@Suite(.oneAtATime) struct HostileRandomTests {
    private let rounds = Settings.number("FUZZ_ROUNDS", default: TestTier.count(60, long: 4_000))

    @Test func `random bytes get error responses or a closed connection`() async throws {
        let (rounds, seed) = (rounds, Settings.seed("FUZZ_SEED"))
        try await undisturbed { path in
            var generator = SplitMix(seed: seed)
            for _ in 0..<rounds {
                let connection = try RawConnection(path)
                try? connection.send(generator.bytes(Int.random(in: 1...600, using: &generator)))
                connection.closeSendingSide()
                while let answer = try connection.receive() {
                    #expect(answer.reason != nil)
                }
            }
        }
    }

    @Test func `each frame with a damaged payload gets a response, and the connection stays open`() async throws {
        let (rounds, seed) = (rounds, Settings.seed("FUZZ_SEED"))
        try await undisturbed { path in
            var generator = SplitMix(seed: seed)
            let connection = try RawConnection(path)
            for round in 0..<rounds {
                try connection.send(Frames.frame(Self.damagedPayload(&generator)))
                try connection.send(UInt64(1_000_000 + round), .ping(WirePingRequest()))
                // A damaged request may still be valid. Its response may arrive before or after the ping's.
                var answers: [WireResponse] = []
                while answers.count(where: { !$0.more }) < 2 {
                    answers.append(try #require(try connection.receive(), "closed in round \(round)"))
                }
                #expect(answers.contains { $0.id == UInt64(1_000_000 + round) && $0.isPing })
            }
        }
    }

    /// Returns a save with some bytes changed, inserted or cut off. It never becomes a watch, which would have no final
    /// response.
    private static func damagedPayload(_ generator: inout SplitMix) -> [UInt8] {
        let message = WireNewMessage.with {
            $0.id = "damaged-\(UInt8.random(in: 0...9, using: &generator))"
            $0.conversation.sessionID = "05damaged"
            $0.text = "a text to be damaged"
            $0.attachmentURL = "https://example.org"
        }
        var payload = Array(Frames.request(5, .saveMessage(.with { $0.message = message })).dropFirst(4))
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            // The first five bytes are the id and the number of the call.
            let index = Int.random(in: 5..<payload.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: payload.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
            case 1 where payload.count > 8: payload.remove(at: index)
            case 2 where index > 6: payload.removeLast(payload.count - index)
            default: payload[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        return payload
    }
}
