import NIOCore
import StoreProtocol

/// The answers of one connection: gathers those of a turn and hands them to the transport in one write.
final class AnswerWriter {
    /// Answers of one turn are handed to the transport when they reach this size, so that a peer which does not take
    /// them is noticed before more are made.
    private static let bytesPerWrite = 32 << 10
    /// An encoded answer up to this size is copied behind others; a larger one is handed on as it is.
    private static let copiedFrameBytesMax = 16 << 10

    private let loop: ConnectionLoop
    private let memory: ConnectionMemory
    private var channel: ChannelHandlerContext?
    /// Answers of the current turn; `nil` while there are none.
    private var answers: ByteBuffer?

    init(_ loop: ConnectionLoop, memory: ConnectionMemory) {
        self.loop = loop
        self.memory = memory
    }

    /// Whether the peer takes answers.
    var isWritable: Bool {
        channel?.channel.isWritable ?? false
    }

    func opened(_ channel: ChannelHandlerContext) {
        self.channel = channel
    }

    func closed() {
        channel = nil
    }

    /// - Returns: why the request has failed, as its caller is told; `nil` for a result.
    @discardableResult
    func append(_ answer: Answer, _ head: ResponseHead) -> ErrorReason? {
        var failure: ErrorReason?
        append { buffer in
            failure = loop.server.encoder.append(answer, head, to: &buffer)
        }
        return failure
    }

    func append(_ write: (inout ByteBuffer) -> Void) {
        var buffer = answers.take() ?? loop.takeBuffer()
        write(&buffer)
        answers = buffer
    }

    /// Adds an encoded answer.
    func append(_ frame: ByteBuffer) {
        guard frame.readableBytes > Self.copiedFrameBytesMax, let channel else {
            append { $0.writeImmutableBuffer(frame) }
            return
        }
        flush()
        loop.server.metrics.recordTraffic(sentBytes: frame.readableBytes)
        channel.writeAndFlush(NIOAny(frame), promise: nil)
        countUntaken()
    }

    /// Adds an encoded answer that holds a secret: wiped after the write.
    func append(secret frame: ByteBuffer) {
        guard let channel else {
            frame.wipeInPlace()
            return
        }
        flush()
        loop.server.metrics.recordTraffic(sentBytes: frame.readableBytes)
        channel.writeAndFlush(NIOAny(frame)).whenComplete { _ in
            frame.wipeInPlace()
        }
    }

    func flushWhenLarge() {
        if let answers, answers.readableBytes >= Self.bytesPerWrite {
            flush()
        }
    }

    /// Hands the answers of this turn to the transport.
    func flush() {
        guard let answers, answers.readableBytes > 0, let channel else { return }
        self.answers = nil
        loop.server.metrics.recordTraffic(sentBytes: answers.readableBytes)
        channel.writeAndFlush(NIOAny(answers), promise: nil)
        loop.recycle(answers)
        countUntaken()
    }

    /// Counts what was handed to the transport and not taken by the peer, while that is so much that the connection is
    /// not read.
    func countUntaken() {
        guard let channel = channel?.channel, !channel.isWritable else { return memory.setUntaken(0) }
        let untaken = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
        memory.setUntaken(untaken ?? 0)
    }
}
