import GhostTestSupport
import NIOCore
import NIOPosix
import StoreProtocol
import SwiftProtobuf
import TestBasics

@testable import StoreClient

/// A server that answers every connection with an error about the connection as a whole, and closes it.
struct RefusingListener: Sendable {
    let directory: TemporaryDirectory
    var path: String { directory.file("socket") }

    static func start() async throws -> RefusingListener {
        let listener = RefusingListener(directory: try TemporaryDirectory())
        var response = WireResponse()
        response.error.code = .resourceExhausted
        response.error.reason = "TOO_MANY_CONNECTIONS"
        response.error.message = "too many connections"
        let frame = frame(of: try response.serializedBytes())
        _ = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Refusal(frame: frame))
                }
            }
            .bind(unixDomainSocketPath: listener.path).get()
        return listener
    }

    private final class Refusal: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let frame: [UInt8]

        init(frame: [UInt8]) {
            self.frame = frame
        }

        func channelActive(context: ChannelHandlerContext) {
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(bytes: frame)).whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
