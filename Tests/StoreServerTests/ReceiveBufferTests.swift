import NIOCore
import StoreProtocol
import Testing

@testable import StoreServer

@Suite struct ReceiveBufferTests {
    private func buffer() -> ReceiveBuffer {
        ReceiveBuffer(payloadBytesMax: 1 << 20)
    }

    /// Returns the header of a frame, which contains the length of its payload.
    private func header(_ payloadBytes: Int) -> ByteBuffer {
        ByteBuffer(integer: UInt32(payloadBytes))
    }

    @Test func `a frame stays in the buffer until it is consumed`() {
        var buffer = buffer()
        buffer.append(header(2))
        #expect(buffer.leftover == .partialFrame)
        buffer.keepRest()
        buffer.append(ByteBuffer(bytes: [7, 8]))
        #expect(buffer.leftover == .unparsed)
        check(buffer.consumeFrame(payloadBytes: 2) { _ in Int?.none }, nil)
        check(buffer.consumeFrame(payloadBytes: 2) { [UInt8]($0) }, [7, 8])
        #expect(buffer.leftover == .nothing)
    }

    @Test(arguments: [0, 1, 3]) func `consuming a payload leaves the bytes after it`(restBytes: Int) {
        var buffer = buffer()
        buffer.append(header(2))
        buffer.keepRest()
        buffer.append(ByteBuffer(bytes: [7, 8] + [UInt8](repeating: 9, count: restBytes)))
        let payload = buffer.consumePayload(payloadBytes: 2)
        #expect(payload.readableBytesView.elementsEqual([7, 8]))
        #expect(buffer.byteCount == restBytes)
    }

    @Test func `unconsumed bytes are copied to new memory and wiped in the old`() {
        var buffer = buffer()
        var received = header(1)
        received.writeBytes([7])
        received.writeImmutableBuffer(header(4))
        received.writeBytes([8, 9])
        buffer.append(received)
        check(buffer.consumeFrame(payloadBytes: 1) { $0[0] }, 7)
        buffer.keepRest()
        #expect(received.readableBytesView.suffix(6).allSatisfy { $0 == 0 })
        buffer.append(ByteBuffer(bytes: [10, 11]))
        check(buffer.consumeFrame(payloadBytes: 4) { [UInt8]($0) }, [8, 9, 10, 11])
    }
}
