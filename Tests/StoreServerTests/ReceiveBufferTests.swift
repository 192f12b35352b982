import NIOCore
import StoreProtocol
import Testing

@testable import StoreServer

@Suite struct ReceiveBufferTests {
    private let budget = MemoryBudget(bytesMax: 1 << 20)

    private func buffer() -> ReceiveBuffer {
        ReceiveBuffer(payloadBytesMax: 1 << 20, budget: budget)
    }

    /// The length of a frame's payload, as it stands before it.
    private func header(_ payloadBytes: Int) -> ByteBuffer {
        ByteBuffer(integer: UInt32(payloadBytes))
    }

    @Test func `a large frame on its way is counted once and given back when it is taken`() {
        var buffer = buffer()
        let payloadBytes = 100_000
        buffer.append(header(payloadBytes))
        #expect(buffer.leftover == .partialFrame)
        for _ in 0..<2 {
            check(buffer.reserve(frameBytes: payloadBytes), true)
            #expect(budget.usedBytes == payloadBytes)
            buffer.keepRest()
        }
        buffer.append(ByteBuffer(repeating: 7, count: payloadBytes))
        #expect(buffer.leftover == .unparsed)
        check(buffer.takeFrame(payloadBytes: payloadBytes) { $0.count }, payloadBytes)
        #expect(budget.usedBytes == 0)
        #expect(buffer.leftover == .nothing)
    }

    @Test func `a large frame that is dropped gives its memory back`() {
        var buffer = buffer()
        buffer.append(header(100_000))
        check(buffer.reserve(frameBytes: 100_000), true)
        buffer.drop()
        #expect(budget.usedBytes == 0)
        #expect(buffer.leftover == .nothing)
    }

    @Test func `a frame beyond what large frames may hold together is refused`() {
        var buffer = buffer()
        #expect(budget.reserve(1_000_000))
        check(buffer.reserve(frameBytes: 100_000), false)
        check(buffer.reserve(frameBytes: 1_000), true)
        #expect(budget.usedBytes == 1_000_000)
    }

    @Test func `the rest of a turn is kept in memory of its own and wiped where it was`() {
        var buffer = buffer()
        var received = header(1)
        received.writeBytes([7])
        received.writeImmutableBuffer(header(4))
        received.writeBytes([8, 9])
        buffer.append(received)
        check(buffer.takeFrame(payloadBytes: 1) { $0[0] }, 7)
        buffer.keepRest()
        #expect(received.readableBytesView.suffix(6).allSatisfy { $0 == 0 })
        buffer.append(ByteBuffer(bytes: [10, 11]))
        check(buffer.takeFrame(payloadBytes: 4) { [UInt8]($0) }, [8, 9, 10, 11])
    }
}
