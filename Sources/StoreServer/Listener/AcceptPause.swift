import NIOCore

/// Leaves a listening socket alone for a while after a connection could not be accepted.
///
/// Without descriptors (EMFILE, ENFILE) or memory the connection stays in the kernel's queue, and a loop that asks
/// again at once spends a whole core on it. NIO's own `AcceptBackoffHandler` holds back reads that a channel asks
/// for, but after a failed accept the channel is still registered for one and asks for none.
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
                // Fails for a channel that is closed: nothing is left to accept.
                try? options.setOption(.autoRead, value: true)
            }
        }
        context.fireErrorCaught(error)
    }
}
