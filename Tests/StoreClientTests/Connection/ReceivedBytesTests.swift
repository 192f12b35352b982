import NIOCore
import Testing

@testable import StoreClient

@Suite struct ReceivedBytesTests {
    @Test func `a buffer that is never read to its end does not grow with what passes through it`() {
        let piece = (0..<1_000).map { UInt8($0 % 251) }
        var buffer = ByteBuffer(bytes: [9, 9, 9])
        var last: UInt8 = 9
        for _ in 0..<10_000 {
            buffer.writeBytes(piece)
            // Three bytes of the piece are always left.
            let read = buffer.readBytes(length: 1_000) ?? []
            #expect(read.count == 1_000 && read[0] == last)
            last = piece[997]
            buffer = buffer.unreadIfLess ?? buffer
        }
        #expect(buffer.readBytes(length: 3) == Array(piece[997...]))
        #expect(buffer.capacity <= 16_384)
    }

    @Test func `what is mostly unread stays where it is`() {
        var buffer = ByteBuffer(bytes: [1, 2, 3, 4])
        buffer.moveReaderIndex(forwardBy: 2)
        #expect(buffer.unreadIfLess == nil)
        buffer.moveReaderIndex(forwardBy: 1)
        #expect(buffer.unreadIfLess == ByteBuffer(bytes: [4]))
    }
}
