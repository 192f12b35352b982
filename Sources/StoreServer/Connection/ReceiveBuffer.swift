import NIOCore
import StoreBasics
import StoreEngine
import StoreProtocol

/// What one connection has received and not parsed.
///
/// During a turn this may be the transport's own buffer, which it uses again: nothing of that is kept after the turn,
/// and whatever held a secret is wiped where it was.
struct ReceiveBuffer: ~Copyable {
    /// A frame up to this size gets its memory at once, so that a secret in it is never left behind by growing.
    private static let wholeFrameBytesMax = 64 << 10

    private let payloadBytesMax: Int
    private var bytes: ByteBuffer?
    /// False during the turn in which `bytes` is the transport's buffer.
    private var isOwn = false

    /// - Parameter payloadBytesMax: of one frame.
    init(payloadBytesMax: Int) {
        self.payloadBytesMax = payloadBytesMax
    }

    var byteCount: Int {
        bytes?.readableBytes ?? 0
    }

    /// What the bytes begin with.
    var scan: FrameScan {
        guard let bytes, bytes.readableBytes > 0 else { return .needHeader }
        return scan(bytes)
    }

    /// What is left when no more frames are taken.
    var leftover: ConnectionMachine<PendingRequest>.Leftover {
        switch scan {
        case .needHeader: byteCount == 0 ? .nothing : .partialFrame
        case .needPayload: .partialFrame
        case .frame, .invalid: .unparsed
        }
    }

    /// Adds what the transport received. Without older bytes its own buffer is used as it is.
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

    /// Looks at the frame that `scan` has found, and takes it out when that gives something.
    ///
    /// - Parameter parse: gets the payload where it lies; what it writes there, to wipe a secret, is seen by the
    ///   transport too. `nil` leaves the frame where it is.
    mutating func takeFrame<Parsed>(
        payloadBytes: Int, _ parse: (UnsafeMutableRawBufferPointer) -> Parsed?
    ) -> Parsed? {
        guard let start = bytes?.readerIndex else { return nil }
        let range = (start + FrameLimits.headerBytes)..<(start + FrameLimits.headerBytes + payloadBytes)
        let parsed = bytes?.withVeryUnsafeBytes { storage in
            // The storage is written to where it is, also while the transport shares it.
            parse(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: storage[range])))
        }
        guard let parsed else { return nil }
        bytes?.moveReaderIndex(to: range.upperBound)
        return parsed
    }

    /// Takes out the payload of the frame that `scan` has found, in memory that is nobody else's.
    mutating func takePayload(payloadBytes: Int) -> ByteBuffer {
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

    /// Leaves a payload where it is, and moves and wipes what stands behind it, which is less.
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

    /// Nothing of this is wanted any more.
    mutating func drop() {
        bytes?.wipeInPlace()
        bytes = nil
    }

    /// At the end of a turn nothing of the transport's buffer is kept: the rest is copied out of it and wiped there.
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
