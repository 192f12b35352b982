internal import NIOCore
internal import StoreProtocol

/// From received bytes to requests.
extension ConnectionHandler {
    /// A frame up to this size gets its memory at once, so that a secret in it is never left behind by growing.
    private static let wholeFrameBytesMax = 64 << 10

    /// Adds what the transport received. Without older bytes its own buffer is used as it is.
    func append(_ bytes: ByteBuffer) {
        server.metrics.recordTraffic(receivedBytes: bytes.readableBytes)
        guard var kept = received else {
            received = bytes
            isReceivedOwn = false
            return
        }
        received = nil
        kept.writeImmutableBuffer(bytes)
        received = kept
        bytes.wipeInPlace()
    }

    /// Takes frames for as long as the machine does.
    func parseFrames() {
        while machine.takesFrames {
            switch scanned {
            case .needHeader:
                return
            case .needPayload(let frameBytes):
                guard reserve(frameBytes) else {
                    refuseFrame(RequestFailure(.memoryExhausted, "large requests under way hold too much memory"))
                    return
                }
                return
            case .frame(let payloadBytes):
                takeFrame(payloadBytes: payloadBytes)
                startWaiting()
                flushWhenLarge()
            case .invalid(let fault):
                refuseFrame(RequestFailure(fault))
                return
            }
        }
    }

    var leftover: ConnectionMachine<PendingRequest>.Leftover {
        switch scanned {
        case .needHeader: (received?.readableBytes ?? 0) == 0 ? .nothing : .partialFrame
        case .needPayload: .partialFrame
        case .frame, .invalid: machine.isFinishing ? .nothing : .unparsed
        }
    }

    private var scanned: FrameScan {
        guard let received, received.readableBytes > 0 else {
            return .needHeader
        }
        return scan(received)
    }

    private func scan(_ bytes: ByteBuffer) -> FrameScan {
        bytes.withUnsafeReadableBytes {
            FrameScanner.scan($0, payloadBytesMax: server.configuration.frameBytesMax)
        }
    }

    private func takeFrame(payloadBytes: Int) {
        guard let start = received?.readerIndex else {
            return
        }
        let range = (start + FrameLimits.headerBytes)..<(start + FrameLimits.headerBytes + payloadBytes)
        let parsed = received?.withVeryUnsafeBytes { storage in
            // The storage is written to where it is (secrets are wiped in it), also while the transport shares it.
            let payload = UnsafeMutableRawBufferPointer(
                mutating: UnsafeRawBufferPointer(rebasing: storage[range]))
            return harness.parse(payload, receivedAt: turnStartedAt)
        }
        received?.moveReaderIndex(to: range.upperBound)
        releaseFrame()
        switch parsed {
        case .request(let request):
            run(request)
        case .refused(let id, let kind, let failure):
            refuse(id, kind, failure)
        case nil:
            break
        }
    }

    /// Bytes that cannot be a frame, or too many of them: says so and closes when all is answered.
    private func refuseFrame(_ failure: RequestFailure) {
        refuse(0, nil, failure)
        received?.wipeInPlace()
        received = nil
        releaseFrame()
        note(machine.frameInvalid())
    }

    /// At the end of a turn nothing of the transport's buffer is kept: the rest is copied out of it and wiped there.
    func keepLeftover() {
        guard var rest = received else {
            return
        }
        received = nil
        guard rest.readableBytes > 0, !machine.isFinishing else {
            if machine.isFinishing {
                rest.wipeInPlace()
            }
            return
        }
        var expected = rest.readableBytes
        if case .needPayload(let frameBytes) = scan(rest) {
            expected = max(expected, min(frameBytes, Self.wholeFrameBytesMax))
        }
        if isReceivedOwn {
            rest.discardReadBytes()
            if rest.capacity >= expected {
                received = rest
                return
            }
        }
        var kept = ByteBufferAllocator().buffer(capacity: expected)
        kept.writeImmutableBuffer(rest)
        rest.wipeInPlace()
        received = kept
        isReceivedOwn = true
    }

    private func reserve(_ frameBytes: Int) -> Bool {
        guard frameBytes > MemoryBudget.countedBytesMin, reservedFrameBytes == 0 else {
            return true
        }
        guard server.memoryBudget.reserve(frameBytes) else {
            return false
        }
        reservedFrameBytes = frameBytes
        return true
    }

    func releaseFrame() {
        if reservedFrameBytes > 0 {
            server.memoryBudget.release(reservedFrameBytes)
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
