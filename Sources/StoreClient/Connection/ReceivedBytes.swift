import NIOCore

/// Bytes received and not taken yet, in memory that is known: a secret among them can be wiped wherever it is.
///
/// Between two reads nothing is kept of the transport's buffer, which the transport fills again: what is left of it is
/// copied out. Memory of its own is only replaced, never grown, so that no copy is left behind.
struct ReceivedBytes {
    private var buffer = ByteBuffer()
    /// False while `buffer` is the transport's.
    private var isOwn = true

    var count: Int {
        buffer.readableBytes
    }

    /// Bytes of memory in use.
    var capacity: Int {
        buffer.capacity
    }

    /// Adds what the transport received. Without older bytes its own buffer is used as it is, until `settle`.
    mutating func append(_ incoming: ByteBuffer, wiping: Bool) {
        guard count > 0 else {
            buffer = incoming
            isOwn = false
            return
        }
        if buffer.writableBytes < incoming.readableBytes {
            // At least doubled, so that no byte is moved more than a few times.
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

    /// The bytes of a range where they were received. Writing to them changes them there, also while the transport
    /// shares the memory: a mutable view of the buffer would be a copy.
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

    /// Nothing more can be taken for now.
    /// - Parameter expected: bytes that will be here when something can be.
    mutating func settle(expecting expected: Int, wiping: Bool) {
        guard count > 0 else {
            discard(wiping: wiping)
            return
        }
        // Own memory is kept while it holds what is awaited, and more of it is awaited than was taken.
        if !isOwn || buffer.readerIndex > count || buffer.capacity - buffer.readerIndex < expected {
            move(capacity: max(count, expected), wiping: wiping)
        }
    }

    /// Nothing more is taken.
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
