import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// The bytes that one connection has received and not parsed.
///
/// During a turn this may be the transport's own buffer, which the transport reuses. So nothing of it is kept after the
/// turn, and a secret is wiped in place.
struct ReceiveBuffer: ~Copyable {
    /// The largest frame whose memory is allocated at once, so that growing the buffer never leaves a copy of a secret.
    private static let wholeFrameBytesMax = 64 << 10

    private let payloadBytesMax: Int
    private var bytes: ByteBuffer?
    /// False during the turn in which `bytes` is the transport's buffer.
    private var isOwn = false

    /// - Parameter payloadBytesMax: The largest payload of one frame.
    init(payloadBytesMax: Int) {
        self.payloadBytesMax = payloadBytesMax
    }

    var byteCount: Int {
        bytes?.readableBytes ?? 0
    }

    /// The result of scanning the bytes for a frame at their beginning.
    var scan: FrameScan {
        guard let bytes, bytes.readableBytes > 0 else { return .needHeader }
        return scan(bytes)
    }

    /// The kind of the bytes that are left when parsing stops.
    var leftover: ConnectionMachine<PendingRequest>.Leftover {
        switch scan {
        case .needHeader: byteCount == 0 ? .nothing : .partialFrame
        case .needPayload: .partialFrame
        case .frame, .invalid: .unparsed
        }
    }

    /// Adds received bytes. If no older bytes are left, the transport's buffer is used without a copy.
    mutating func append(_ received: ByteBuffer) {
        guard var kept = bytes.take() else {
            bytes = received
            isOwn = false
            return
        }
        kept.writeImmutableBuffer(received)
        bytes = kept
        received.wipeInPlace()
    }

    /// Parses the payload of the frame that `scan` has found, and removes the frame if `parse` returns a value.
    ///
    /// - Parameter parse: Receives the payload in place. It may overwrite a secret there, which the transport sees too.
    ///   If it returns `nil`, the frame stays.
    mutating func consumeFrame<Parsed>(
        payloadBytes: Int, _ parse: (UnsafeMutableRawBufferPointer) -> Parsed?
    ) -> Parsed? {
        guard let start = bytes?.readerIndex else { return nil }
        let range = (start + FrameLimits.headerBytes)..<(start + FrameLimits.headerBytes + payloadBytes)
        let parsed = bytes?.withVeryUnsafeBytes { storage in
            // The storage is overwritten in place, even while the transport shares it.
            parse(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: storage[range])))
        }
        guard let parsed else { return nil }
        bytes?.moveReaderIndex(to: range.upperBound)
        return parsed
    }

    /// Removes the payload of the frame that `scan` has found and returns it in memory that is not shared.
    mutating func consumePayload(payloadBytes: Int) -> ByteBuffer {
        guard var all = bytes.take() else { return ByteBuffer() }
        all.moveReaderIndex(forwardBy: FrameLimits.headerBytes)
        if isOwn, all.readableBytes == payloadBytes {
            return all
        }
        if isOwn, all.readableBytes - payloadBytes < payloadBytes {
            return splitOff(payloadBytes, of: all)
        }
        let payload = ByteBuffer(bytes: all.readBytes(length: payloadBytes) ?? [])
        bytes = all
        return payload
    }

    /// Returns a payload without copying it. Moves the bytes after it, which are fewer, to new memory and wipes them in
    /// the old memory.
    private mutating func splitOff(_ payloadBytes: Int, of all: consuming ByteBuffer) -> ByteBuffer {
        let behind = (all.readerIndex + payloadBytes)..<all.writerIndex
        var rest = ByteBufferAllocator().buffer(capacity: behind.count)
        all.withVeryUnsafeBytes { storage in
            let moved = UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: storage[behind]))
            rest.writeBytes(moved)
            moved.wipe()
        }
        bytes = rest
        all.moveWriterIndex(to: behind.lowerBound)
        return all
    }

    /// Wipes and removes all received bytes.
    mutating func drop() {
        bytes?.wipeInPlace()
        bytes = nil
    }

    /// Copies the remaining bytes out of the transport's buffer at the end of a turn, and wipes them there.
    mutating func keepRest() {
        guard var rest = bytes.take(), rest.readableBytes > 0 else { return }
        var expected = rest.readableBytes
        if case .needPayload(let frameBytes) = scan(rest) {
            expected = max(expected, min(frameBytes, Self.wholeFrameBytesMax))
        }
        if isOwn {
            rest.discardReadBytes()
            if rest.capacity >= expected {
                bytes = rest
                return
            }
        }
        var kept = ByteBufferAllocator().buffer(capacity: expected)
        kept.writeImmutableBuffer(rest)
        rest.wipeInPlace()
        bytes = kept
        isOwn = true
    }

    private func scan(_ bytes: ByteBuffer) -> FrameScan {
        bytes.withUnsafeReadableBytes {
            FrameScanner.scan($0, payloadBytesMax: payloadBytesMax)
        }
    }
}

extension StoreError {
    init(_ fault: FrameFault) {
        switch fault {
        case .empty:
            self.init(.frameEmpty, "a frame's length is 0")
        case .tooLarge(let payloadBytes, let payloadBytesMax):
            self.init(.frameTooLarge, "a frame's length is \(payloadBytes) bytes; the limit is \(payloadBytesMax)")
        }
    }
}
