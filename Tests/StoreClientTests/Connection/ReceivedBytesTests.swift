import GhostTestSupport
import NIOCore
import StoreBasics
import TestBasics
import Testing

@testable import StoreClient

@Suite struct ReceivedBytesTests {
    private func bytes(_ received: ReceivedBytes) -> [UInt8] {
        received.withBytes { Array($0) }
    }

    @Test func `bytes that are never dropped completely use no more memory than their number`() {
        let piece = (0..<1_000).map { UInt8($0 % 251) }
        var received = ReceivedBytes()
        received.append(ByteBuffer(bytes: [9, 9, 9]), wiping: false)
        received.copyRemaining(expecting: 4, wiping: false)
        var last: UInt8 = 9
        for _ in 0..<TestTier.count(500, long: 10_000) {
            received.append(ByteBuffer(bytes: piece), wiping: false)
            // Three bytes of the previous piece are still there, because each round drops as many bytes as one piece
            // has.
            #expect(received.count == 1_003 && bytes(received)[0] == last)
            received.dropFirst(1_000)
            last = piece[997]
            received.copyRemaining(expecting: 4, wiping: false)
        }
        #expect(bytes(received) == Array(piece.dropFirst(997)))
        #expect(received.capacity <= 16_384)
    }

    @Test(arguments: TestSeeds.range(8, long: 40))
    func `bytes are returned as received, however they are split and dropped`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let all = random.bytes(5_000)
        var received = ReceivedBytes()
        var taken: [UInt8] = []
        var rest = all[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...300, using: &random))
            rest = rest.dropFirst(piece.count)
            received.append(ByteBuffer(bytes: piece), wiping: Bool.random(using: &random))
            let count = Int.random(in: 0...received.count, using: &random)
            taken += bytes(received).prefix(count)
            received.dropFirst(count)
            received.copyRemaining(
                expecting: Int.random(in: 0...2_000, using: &random), wiping: Bool.random(using: &random))
        }
        #expect(taken + bytes(received) == all)
    }

    @Test func `changes to received bytes are made in the receiver's buffer`() {
        let transports = ByteBuffer(bytes: Array("..secret..".utf8))
        var received = ReceivedBytes()
        received.append(transports, wiping: true)
        received.withMutableBytes(2..<8) { $0.wipe() }
        #expect(Array(transports.readableBytesView) == Array("..\0\0\0\0\0\0..".utf8))
    }

    /// The test keeps its own reference to every piece, as the transport does, and checks the bytes of the pieces at
    /// the end.
    @Test(arguments: [1, 3, 20, 64])
    func `no piece of a secret keeps any of its bytes`(pieceBytes: Int) {
        let secret = Array("0123456789012345678901234567890123456789".utf8)
        var received = ReceivedBytes()
        var pieces: [ByteBuffer] = []
        for start in stride(from: 0, to: secret.count, by: pieceBytes) {
            pieces.append(ByteBuffer(bytes: secret[start..<min(start + pieceBytes, secret.count)]))
            received.append(pieces[pieces.count - 1], wiping: true)
            received.copyRemaining(expecting: secret.count, wiping: true)
        }
        #expect(bytes(received) == secret)
        received.discard(wiping: true)
        for piece in pieces {
            #expect(piece.readableBytesView.allSatisfy { $0 == 0 })
        }
    }
}
