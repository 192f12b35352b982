import NIOCore
import StoreBasics
import StoreProtocol

/// Splits the received bytes into frames and passes each payload to the driver.
final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let driver: ConnectionDriver
    private let channelNumber: Int
    private var received = ReceivedBytes()
    private var fault: StoreClientError?

    init(driver: ConnectionDriver, channelNumber: Int) {
        self.driver = driver
        self.channelNumber = channelNumber
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(unwrapInboundIn(data), wiping: driver.mayReadSecrets)
        guard fault == nil else {
            received.discard(wiping: driver.mayReadSecrets)
            return
        }
        do throws(StoreClientError) {
            let expected = try processFrames()
            received.copyRemaining(expecting: expected, wiping: driver.mayReadSecrets)
        } catch {
            fault = error
            received.discard(wiping: driver.mayReadSecrets)
            context.close(promise: nil)
        }
    }

    /// Processes every complete frame.
    ///
    /// - Returns: The size of the next frame, as far as it is known.
    private func processFrames() throws(StoreClientError) -> Int {
        while true {
            let scan = received.withBytes { bytes in
                FrameScanner.scan(bytes, payloadBytesMax: driver.largestPayloadBytes)
            }
            switch scan {
            case .frame(let payloadBytes):
                received.dropFirst(FrameLimits.headerBytes)
                let driver = driver
                try received.withMutableBytes(0..<payloadBytes) { (payload) throws(StoreClientError) in
                    try driver.received(payload)
                }
                received.dropFirst(payloadBytes)
            case .needHeader:
                return FrameLimits.headerBytes
            case .needPayload(let frameBytes):
                return frameBytes
            case .invalid(let fault):
                throw .frameUnreadable(fault)
            }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fault = fault ?? .connectionBroken((error as? IOError).map { "\(SystemError($0.errnoCode))" } ?? "\(error)")
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        received.discard(wiping: driver.mayReadSecrets)
        driver.lost(channelNumber: channelNumber, error: fault)
        context.fireChannelInactive()
    }
}
