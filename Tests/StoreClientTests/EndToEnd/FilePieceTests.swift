import FoundationEssentials
import GhostTestSupport
import StoreProtocol
import SwiftProtobuf
import TestBasics
import Testing

@testable import StoreClient

/// Transfers of files in pieces: with several pieces in flight, and with pieces that the test itself reads and writes.
@Suite(.timeLimit(.minutes(1))) struct FilePieceTests {
    private static let mebibyte = 1 << 20

    @Test(arguments: [0, 1, 70_000]) func `a request with a piece has the bytes that swift-protobuf writes`(count: Int)
        throws
    {
        let piece = [UInt8](repeating: 7, count: count)[...]
        for (write, offset) in [(0, 0), (5, 0), (0, 9), (UInt64.max, 1 << 40)] as [(UInt64, UInt64)] {
            var call = WireWriteFileRequest()
            call.write = write
            call.offset = offset
            call.data = Data(piece)
            #expect(RequestBody(piece: piece, of: write, at: offset).bytes == (try RequestBody(.writeFile(call)).bytes))
        }
    }

    @Test func `a response with a piece is decoded as by swift-protobuf`() throws {
        for bytes in [[], [1, 2, 3]] as [[UInt8]] {
            var data = WireReadFileResponse()
            data.data = Data(bytes)
            data.file.name = "f"
            data.file.byteCount = 3
            data.file.revision = 8
            let payload: [UInt8] = try WireResponse.with { $0.fileData = data }.serializedBytes()
            let expected = FilePiece(bytes: bytes, file: VaultItem(data.file))
            #expect(try FilePiece(Answer(payload: payload, isFinal: true, recoveryCode: nil)) == expected)
            let byHand = try payload.withUnsafeBytes { FilePiece(in: $0, try ResponseOutline($0)) }
            #expect(byHand == expected)
        }
        let other: [UInt8] = try WireResponse.with { $0.fileWrite = WireBeginFileWriteResponse() }.serializedBytes()
        let error = #expect(throws: StoreClientError.self) {
            try FilePiece(Answer(payload: other, isFinal: true, recoveryCode: nil))
        }
        #expect(error?.reason == .answerUnreadable)
    }

    @Test func `pieces in flight at the same time are applied in order, and read back in chunks of any size`()
        async throws
    {
        try await withDaemonAndClient { _, client in
            let path = VaultPath(.document, "f")
            let mebibytes = TestTier.count(3, long: 7)
            let content = (0..<(mebibytes * Self.mebibyte + 12_345)).map { UInt8(truncatingIfNeeded: $0 &* 31 / 9) }
            var writer = try await client.beginFileWrite(at: path)
            var start = 0
            for count in [1, 65_535, 65_536, 65_537, mebibytes / 2 * Self.mebibyte, 100_000, content.count] {
                let end = min(start + count, content.count)
                try await writer.write(Array(content[start..<end]))
                start = end
            }
            #expect(writer.offset == UInt64(content.count))
            try await writer.finish()
            for chunkBytes in [300_000, Self.mebibyte, Self.mebibyte + 5_000, .max] {
                var read: [UInt8] = []
                var counts: Set<Int> = []
                for try await chunk in client.fileChunks(at: path, from: 3, ofBytes: chunkBytes) {
                    read += chunk
                    counts.insert(chunk.count)
                }
                #expect(read == Array(content.dropFirst(3)) && counts.count <= 2, "\(chunkBytes)")
            }
            let partBytes = (mebibytes - 1) * Self.mebibyte
            let part = try await client.readFile(at: path, from: 5, byteCount: partBytes)
            #expect(part == Array(content[5..<(5 + partBytes)]))
        }
    }

    @Test func `the error of a piece is thrown at the end of the write`() async throws {
        try await withDaemonAndClient { _, client in
            var writer = try await client.beginFileWrite(at: VaultPath(.document, "f"))
            try await writer.write([1])
            try await writer.end()
            try await writer.write([2])
            let error = await #expect(throws: StoreClientError.self) { try await writer.finish() }
            #expect(error?.reason == .fileWriteNotFound)
            let again = await #expect(throws: StoreClientError.self) {
                while writer.offset < 20 {
                    try await writer.write([3])
                }
            }
            #expect(again?.reason == .fileWriteNotFound)
        }
    }
}
