import NIOCore
import StoreBasics
import StoreProtocol

/// The answers of one connection: gathers those of a turn and hands them to the transport in one write. A write takes
/// memory of its own until it is done, however little it holds: where the peer does not take them, the answers of many
/// turns are gathered.
final class AnswerWriter {
    /// Answers of one turn are handed to the transport when they reach this size, so that a peer which does not take
    /// them is noticed before more are made.
    private static let bytesPerWrite = 32 << 10
    /// An encoded answer up to this size is copied behind others; a larger one is handed on as it is.
    private static let copiedFrameBytesMax = 16 << 10
    /// Writes, and bytes in them, after which it is looked whether the transport has any left.
    private static let unseenMax = (writes: 16, bytes: 16 << 10)
    /// Answers in a buffer larger than this, most of it empty, go on in one of their own size.
    private static let emptyBytesMax = 2 << 10

    private let loop: ConnectionLoop
    private let memory: ConnectionMemory
    private var channel: ChannelHandlerContext?
    /// Answers of the current turn; `nil` while there are none.
    private var answers: ByteBuffer?
    /// Handed to the transport since that was seen to have none left.
    private var unseen = (writes: 0, bytes: 0)
    /// The transport has writes left.
    private var isGathering = false

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
        flushAll()
        loop.server.metrics.recordSent(bytes: frame.readableBytes)
        channel.writeAndFlush(NIOAny(frame), promise: nil)
        handedOn(frame.readableBytes)
    }

    /// Adds an encoded answer that holds a secret: wiped after the write.
    func append(secret frame: ByteBuffer) {
        guard let channel else {
            frame.wipeInPlace()
            return
        }
        flushAll()
        loop.server.metrics.recordSent(bytes: frame.readableBytes)
        channel.writeAndFlush(NIOAny(frame)).whenComplete { _ in
            frame.wipeInPlace()
        }
        handedOn(frame.readableBytes)
    }

    func flushWhenLarge() {
        if let answers, answers.readableBytes >= Self.bytesPerWrite {
            flush()
        }
    }

    /// Hands the answers of this turn to the transport, unless those before them are still there and these are few.
    func flush() {
        guard isGathering, let answers, answers.readableBytes < Self.bytesPerWrite else { return flushAll() }
        countUntaken()
    }

    /// Hands all answers to the transport.
    func flushAll() {
        guard let answers, answers.readableBytes > 0, let channel else { return }
        self.answers = nil
        loop.server.metrics.recordSent(bytes: answers.readableBytes)
        let isMostlyEmpty = answers.capacity > max(Self.emptyBytesMax, 4 * answers.readableBytes)
        channel.writeAndFlush(NIOAny(isMostlyEmpty ? answers.inBufferOfItsSize : answers), promise: nil)
        loop.recycle(answers)
        handedOn(answers.readableBytes)
    }

    /// Counts what the peer has not taken, as far as that is known.
    func countUntaken() {
        guard let channel = channel?.channel, isGathering || !channel.isWritable else { return memory.setUntaken(0) }
        memory.setUntaken(bytesLeft + (answers?.readableBytes ?? 0))
    }

    /// Bytes that the transport has not given to the kernel.
    private var bytesLeft: Int {
        (try? channel?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func handedOn(_ byteCount: Int) {
        unseen.writes += 1
        unseen.bytes += byteCount
        if !isGathering, unseen.writes >= Self.unseenMax.writes || unseen.bytes >= Self.unseenMax.bytes {
            unseen = (0, 0)
            if bytesLeft > 0 {
                isGathering = true
                gatherUntilWritten()
            }
        }
        countUntaken()
    }

    /// A write of nothing is done when all writes before it are.
    private func gatherUntilWritten() {
        channel?.writeAndFlush(NIOAny(ByteBuffer())).assumeIsolated().whenComplete { [weak self] _ in
            self?.written()
        }
    }

    private func written() {
        guard channel != nil else { return }
        guard bytesLeft == 0 else { return gatherUntilWritten() }
        isGathering = false
        flushAll()
        countUntaken()
    }
}

extension ByteBuffer {
    fileprivate var inBufferOfItsSize: ByteBuffer {
        var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
        copy.writeImmutableBuffer(self)
        return copy
    }
}
