import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol
import Testing

@testable import StoreServer

@Suite struct ContentPieceTests {
    private static let item: [UInt8] = [8, 1]

    @Test func `a piece has the same bytes in a buffer with other responses as in its own frame`() throws {
        for bytes in [[], [1, 2, 3]] as [[UInt8]] {
            let head = ResponseHead(id: 7)
            let alone = try ContentPiece(.fileData, PieceMemory(bytes), of: Self.item).frame(head)
            let piece = try ContentPiece(.fileData, PieceMemory(bytes), of: Self.item)
            var buffer = ByteBuffer(bytes: [9, 9])
            let encoder = ResponseEncoder(frameBytesMax: FrameLimits.payloadBytesMaxHighest)
            #expect(encoder.append(.piece(piece), head, to: &buffer) == nil)
            #expect(buffer.readBytes(length: 2) == [9, 9])
            #expect(buffer == alone)
        }
    }

    @Test func `a piece that does not fit a frame is rejected, and earlier bytes of the buffer stay`() throws {
        let encoder = ResponseEncoder(frameBytesMax: 100)
        var buffer = ByteBuffer(bytes: [9, 9])
        let piece = try ContentPiece(.fileData, PieceMemory([UInt8](repeating: 1, count: 100)), of: Self.item)
        #expect(encoder.append(.piece(piece), ResponseHead(id: 1), to: &buffer) == .responseTooLarge)
        #expect(buffer.readBytes(length: 2) == [9, 9])
        #expect(throws: StoreError.self) { try encoder.frame(.piece(piece), ResponseHead(id: 1)).get() }
    }

    @Test func `memory that is filled again contains only the bytes of the last read`() throws {
        var memory = try PieceMemory([1, 2, 3, 4])
        try memory.fill(2) { memory in
            memory[0] = 5
            return 1
        }
        let frame = ContentPiece(.fileData, memory, of: Self.item).frame(ResponseHead(id: 0))
        let expected = try ContentPiece(.fileData, PieceMemory([5]), of: Self.item).frame(ResponseHead(id: 0))
        #expect(frame == expected)
    }
}

extension PieceMemory {
    init(_ bytes: [UInt8]) throws {
        self.init()
        try fill(bytes.count) { memory in
            memory.copyBytes(from: bytes)
            return bytes.count
        }
    }
}
