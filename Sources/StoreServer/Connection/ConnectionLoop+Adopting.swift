internal import Logging
internal import NIOCore
internal import StoreProtocol

/// From an accepted socket to a connection.
extension ConnectionLoop {
    /// Learns who the peer is and gives the channel its handler: one that serves, or one that says why not.
    ///
    /// - Throws: `ServerError` when the peer's identity cannot be read; the channel is then closed.
    func adopt(_ channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let caller = try pipeline.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
            PeerCredentials.refusePassedDescriptors(descriptor)
            return try PeerCredentials.read(descriptor)
        }
        guard let caller else {
            throw ServerError(.system, "the connection is no socket")
        }
        do throws(RequestFailure) {
            let handler = try makeHandler(for: caller)
            try? pipeline.addHandler(handler)
        } catch {
            server.metrics.recordConnection(accepted: false)
            server.metrics.recordError(error.reason)
            refusalLog.log(logger, error.reason, kind: nil, caller: caller)
            try? pipeline.addHandler(RefusingHandler(error, encoder: server.encoder))
        }
    }
}

/// Tells a peer why it is not served, and closes.
private final class RefusingHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let failure: RequestFailure
    private let encoder: ResponseEncoder

    init(_ failure: RequestFailure, encoder: ResponseEncoder) {
        self.failure = failure
        self.encoder = encoder
    }

    func channelActive(context: ChannelHandlerContext) {
        var buffer = ByteBuffer()
        encoder.append(.failure(failure), ResponseHead(id: 0), to: &buffer)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
