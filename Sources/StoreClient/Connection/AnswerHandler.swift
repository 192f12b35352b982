import NIOCore
import StoreProtocol

/// Cuts what the socket delivers into frames and gives each payload to the driver.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let driver: ConnectionDriver
    private let channelNumber: Int
    private var received = ByteBuffer()
    private var fault: StoreClientError?

    init(driver: ConnectionDriver, channelNumber: Int) {
        self.driver = driver
        self.channelNumber = channelNumber
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard fault == nil else {
            return
        }
        var incoming = unwrapInboundIn(data)
        if received.readableBytes == 0 {
            received = incoming
        } else {
            received.writeBuffer(&incoming)
            wipeIfSecret(incoming)
        }
        do throws(StoreClientError) {
            try takeFrames()
        } catch {
            fault = error
            context.close(promise: nil)
        }
    }

    private func takeFrames() throws(StoreClientError) {
        while let payloadBytes = try nextPayloadBytes() {
            received.moveReaderIndex(forwardBy: FrameLimits.headerBytes)
            let driver = driver
            try received.withUnsafeMutableReadableBytes { (bytes) throws(StoreClientError) in
                try driver.received(UnsafeMutableRawBufferPointer(rebasing: bytes[..<payloadBytes]))
            }
            received.moveReaderIndex(forwardBy: payloadBytes)
        }
        if received.readableBytes == 0 {
            wipeIfSecret(received)
            received = ByteBuffer()
        }
    }

    /// Bytes of the payload of the whole frame that is next; `nil` while it is not whole.
    private func nextPayloadBytes() throws(StoreClientError) -> Int? {
        let scan = received.withUnsafeReadableBytes { bytes in
            FrameScanner.scan(bytes, payloadBytesMax: driver.largestPayloadBytes)
        }
        switch scan {
        case .frame(let payloadBytes):
            return payloadBytes
        case .needHeader:
            dropReadBytesIfMost()
            return nil
        case .needPayload(let frameBytes):
            dropReadBytesIfMost()
            received.reserveCapacity(frameBytes)
            return nil
        case .invalid(.empty):
            throw .answerUnreadable("the daemon sent a frame of length 0")
        case .invalid(.tooLarge(let bytes, let bytesMax)):
            throw .answerUnreadable("the daemon sent a frame of \(bytes) bytes; the most is \(bytesMax)")
        }
    }

    private func dropReadBytesIfMost() {
        if let unread = received.unreadIfLess {
            wipeIfSecret(received)
            received = unread
        }
    }

    private func wipeIfSecret(_ buffer: ByteBuffer) {
        if driver.mayReadSecrets {
            RequestFrame.wipe(buffer)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = fault ?? .connectionBroken("\(error)")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        driver.lost(channelNumber: channelNumber, error: fault)
        context.fireChannelInactive()
    }
}

extension ByteBuffer {
    /// The unread bytes in memory of their own, once they are less than what was read: a buffer whose pieces never end
    /// with a frame would grow without end, and no byte is to be moved more often than it was received.
    var unreadIfLess: ByteBuffer? {
        readerIndex > readableBytes ? ByteBuffer(buffer: self) : nil
    }
}
