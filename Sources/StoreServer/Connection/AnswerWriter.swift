import NIOCore
import StoreBasics
import StoreProtocol

/// Collects the answers of one connection during a turn and hands them to the transport in one write. A pending write
/// takes memory of its own, however few bytes it has. So if the peer does not read its answers, the writer collects the
/// answers of many turns.
final class AnswerWriter {
    /// The size in bytes at which the answers of a turn are handed to the transport. So a peer that does not read is
    /// noticed before more answers are produced.
    private static let bytesPerWrite = 32 << 10
    /// The largest encoded answer that is copied into the shared buffer. A larger answer is handed to the transport as
    /// it is.
    private static let copiedFrameBytesMax = 16 << 10
    /// The number of writes, and of bytes in them, after which the writer checks whether the transport still holds
    /// bytes.
    private static let unseenMax = (writes: 16, bytes: 16 << 10)
    /// The capacity in bytes above which a buffer is replaced by a smaller one if it is less than a quarter full.
    private static let emptyBytesMax = 2 << 10

    private let loop: ConnectionLoop
    private let memory: ConnectionMemory
    private var channel: ChannelHandlerContext?
    /// The answers of the current turn; `nil` before the first.
    private var answers: ByteBuffer?
    /// The writes handed to the transport since the transport was last known to be empty.
    private var unseen = (writes: 0, bytes: 0)
    /// True if the transport still holds writes.
    private var isGathering = false

    init(_ loop: ConnectionLoop, memory: ConnectionMemory) {
        self.loop = loop
        self.memory = memory
    }

    /// True if the transport accepts more answers for the peer.
    var isWritable: Bool {
        channel?.channel.isWritable ?? false
    }

    func opened(_ channel: ChannelHandlerContext) {
        self.channel = channel
    }

    func closed() {
        channel = nil
    }

    /// Encodes an answer and adds it.
    ///
    /// - Returns: The reason for the failure that the caller receives; `nil` for a result.
    @discardableResult
    func append(_ answer: Answer, _ head: ResponseHead) -> ErrorReason? {
        var failure: ErrorReason?
        append { buffer in
            failure = loop.server.encoder.append(answer, head, to: &buffer)
        }
        return failure
    }

    func append(_ write: (inout ByteBuffer) -> Void) {
        var buffer = answers.take() ?? loop.acquireBuffer()
        write(&buffer)
        answers = buffer
    }

    /// Adds an encoded answer: copies a small one into the shared buffer, and hands a large one to the transport.
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

    /// Adds an encoded answer that contains a secret. Its buffer is wiped after the write.
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

    /// Hands the answers of this turn to the transport. A few answers are kept back if the transport still holds
    /// earlier ones.
    func flush() {
        guard isGathering, let answers, answers.readableBytes < Self.bytesPerWrite else { return flushAll() }
        reportUnread()
    }

    /// Hands all answers to the transport, even if it still holds earlier ones.
    func flushAll() {
        guard let answers, answers.readableBytes > 0, let channel else { return }
        self.answers = nil
        loop.server.metrics.recordSent(bytes: answers.readableBytes)
        let isMostlyEmpty = answers.capacity > max(Self.emptyBytesMax, 4 * answers.readableBytes)
        channel.writeAndFlush(NIOAny(isMostlyEmpty ? answers.inBufferOfItsSize : answers), promise: nil)
        loop.recycle(answers)
        handedOn(answers.readableBytes)
    }

    /// Reports to the memory budget how many bytes the peer has not read, as far as that is known.
    func reportUnread() {
        guard let channel = channel?.channel, isGathering || !channel.isWritable else { return memory.setUnread(0) }
        memory.setUnread(bytesLeft + (answers?.readableBytes ?? 0))
    }

    /// The bytes that the transport has not given to the kernel.
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
        reportUnread()
    }

    /// Calls `written` when the transport has written everything. For this it makes an empty write, which completes
    /// after all writes before it.
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
        reportUnread()
    }
}

extension ByteBuffer {
    fileprivate var inBufferOfItsSize: ByteBuffer {
        var copy = ByteBufferAllocator().buffer(capacity: readableBytes)
        copy.writeImmutableBuffer(self)
        return copy
    }
}
