import NIOCore
import StoreProtocol

/// What one connection has received and not parsed.
///
/// During a turn this may be the transport's own buffer, which it uses again: nothing of that is kept after the turn,
/// and whatever held a secret is wiped where it was.
struct ReceiveBuffer {
    /// A frame up to this size gets its memory at once, so that a secret in it is never left behind by growing.
    private static let wholeFrameBytesMax = 64 << 10

    private let payloadBytesMax: Int
    private let budget: MemoryBudget
    private var bytes: ByteBuffer?
    /// False during the turn in which `bytes` is the transport's buffer.
    private var isOwn = false
    /// Bytes the memory budget has set aside for a large frame that is on its way.
    private var reservedFrameBytes = 0

    /// - Parameters:
    ///   - payloadBytesMax: of one frame.
    ///   - budget: what large frames are counted against while they arrive.
    init(payloadBytesMax: Int, budget: MemoryBudget) {
        self.payloadBytesMax = payloadBytesMax
        self.budget = budget
    }

    var isEmpty: Bool {
        (bytes?.readableBytes ?? 0) == 0
    }

    /// What the bytes begin with.
    var scan: FrameScan {
        guard let bytes, bytes.readableBytes > 0 else { return .needHeader }
        return scan(bytes)
    }

    /// What is left when no more frames are taken.
    var leftover: ConnectionMachine<PendingRequest>.Leftover {
        switch scan {
        case .needHeader: isEmpty ? .nothing : .partialFrame
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

    /// Takes the frame that `scan` has found.
    ///
    /// - Parameter parse: gets the payload where it lies; what it writes there, to wipe a secret, is seen by the
    ///   transport too.
    mutating func takeFrame<Parsed>(
        payloadBytes: Int, _ parse: (UnsafeMutableRawBufferPointer) -> Parsed
    ) -> Parsed? {
        guard let start = bytes?.readerIndex else { return nil }
        let range = (start + FrameLimits.headerBytes)..<(start + FrameLimits.headerBytes + payloadBytes)
        let parsed = bytes?.withVeryUnsafeBytes { storage in
            // The storage is written to where it is, also while the transport shares it.
            parse(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(rebasing: storage[range])))
        }
        bytes?.moveReaderIndex(to: range.upperBound)
        releaseFrame()
        return parsed
    }

    /// Sets memory aside for a frame that is on its way, once. False when large frames hold too much already.
    mutating func reserve(frameBytes: Int) -> Bool {
        guard frameBytes > MemoryBudget.countedBytesMin, reservedFrameBytes == 0 else { return true }
        guard budget.reserve(frameBytes) else { return false }
        reservedFrameBytes = frameBytes
        return true
    }

    /// Nothing of this is wanted any more.
    mutating func drop() {
        bytes?.wipeInPlace()
        bytes = nil
        releaseFrame()
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

    private mutating func releaseFrame() {
        if reservedFrameBytes > 0 {
            budget.release(reservedFrameBytes)
            reservedFrameBytes = 0
        }
    }
}

extension RequestFailure {
    init(_ fault: FrameFault) {
        switch fault {
        case .empty:
            self.init(.frameEmpty, "a frame's length is 0")
        case .tooLarge(let payloadBytes, let payloadBytesMax):
            self.init(.frameTooLarge, "a frame's length is \(payloadBytes) bytes; the most is \(payloadBytesMax)")
        }
    }
}
