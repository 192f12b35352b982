import NIOCore

/// Stops accepting on a listening socket for a while after a connection could not be accepted.
///
/// Without descriptors (EMFILE, ENFILE) or memory, the connection stays in the kernel's queue, and a loop that tries
/// again at once uses a whole core. NIO's own `AcceptBackoffHandler` does not prevent that: it delays only reads that a
/// channel requests, but after a failed accept the channel is still registered for reading and requests none.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = Channel

    static let duration = TimeAmount.milliseconds(100)

    private var isPaused = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isPaused, let options = context.channel.syncOptions,
            (try? options.setOption(.autoRead, value: false)) != nil
        {
            isPaused = true
            let bound = NIOLoopBound((self, options), eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: Self.duration) {
                let (pause, options) = bound.value
                pause.isPaused = false
                // This fails for a closed channel, which has nothing left to accept.
                try? options.setOption(.autoRead, value: true)
            }
        }
        context.fireErrorCaught(error)
    }
}
