import NIOCore

/// Received bytes that are not processed yet. This type knows all memory that contains them, so that a secret among
/// them can be wiped everywhere.
///
/// Between two reads this type does not keep the transport's buffer, because the transport fills the buffer again. The
/// remaining bytes are copied into memory that belongs to this type. That memory is replaced when it is too small, and
/// never grown, because growing could leave a copy of a secret.
struct ReceivedBytes {
    private var buffer = ByteBuffer()
    /// False while `buffer` is the transport's buffer.
    private var isOwn = true

    var count: Int {
        buffer.readableBytes
    }

    /// The size of the memory in use, in bytes.
    var capacity: Int {
        buffer.capacity
    }

    /// Adds received bytes. If no older bytes are left, the transport's buffer is used without a copy, until
    /// `copyRemaining`.
    mutating func append(_ incoming: ByteBuffer, wiping: Bool) {
        guard count > 0 else {
            buffer = incoming
            isOwn = false
            return
        }
        if buffer.writableBytes < incoming.readableBytes {
            // The capacity at least doubles, so that no byte is moved more than a few times.
            move(capacity: max(count + incoming.readableBytes, 2 * buffer.capacity), wiping: wiping)
        }
        buffer.writeImmutableBuffer(incoming)
        if wiping {
            RequestFrame.wipe(incoming)
        }
    }

    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withUnsafeReadableBytes { (bytes) throws(Failure) in
            try body(bytes)
        }
    }

    /// Calls `body` with a range of the bytes in place. The bytes are changed even if the transport shares the memory.
    /// For that, this uses an immutable view of the buffer: a mutable view would copy shared memory and change only the
    /// copy.
    func withMutableBytes<Result, Failure: Error>(
        _ range: Range<Int>, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try withBytes { (bytes) throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: bytes[range])))
        }
    }

    mutating func dropFirst(_ count: Int) {
        buffer.moveReaderIndex(forwardBy: count)
    }

    /// Copies the remaining bytes into own memory, when no more can be processed for now.
    ///
    /// - Parameter expected: The number of bytes that the next frame needs.
    mutating func copyRemaining(expecting expected: Int, wiping: Bool) {
        guard count > 0 else {
            discard(wiping: wiping)
            return
        }
        // Keep the own memory if it has room for the expected bytes, and if no more bytes were consumed than remain.
        if !isOwn || buffer.readerIndex > count || buffer.capacity - buffer.readerIndex < expected {
            move(capacity: max(count, expected), wiping: wiping)
        }
    }

    /// Discards all bytes. If `wiping` is true, overwrites them with zeros first.
    mutating func discard(wiping: Bool) {
        if wiping {
            RequestFrame.wipe(buffer)
        }
        buffer = ByteBuffer()
        isOwn = true
    }

    private mutating func move(capacity: Int, wiping: Bool) {
        var moved = ByteBufferAllocator().buffer(capacity: capacity)
        moved.writeImmutableBuffer(buffer)
        if wiping {
            RequestFrame.wipe(buffer)
        }
        buffer = moved
        isOwn = true
    }
}
