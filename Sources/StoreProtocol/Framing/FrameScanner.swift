/// The reason for which bytes cannot be a frame. The connection must be closed, because the start of the next frame is
/// unknown.
package enum FrameFault: Error, Hashable, Sendable {
    case empty
    case tooLarge(payloadBytes: UInt32, payloadBytesMax: Int)
}

/// The result of scanning the bytes received so far.
package enum FrameScan: Hashable, Sendable {
    /// The header is incomplete.
    case needHeader
    /// The header is complete and valid, and the payload is incomplete. `frameBytes` is the size of header and payload.
    case needPayload(frameBytes: Int)
    /// The frame is complete. Its payload is the `payloadBytes` bytes after the header.
    case frame(payloadBytes: Int)
    case invalid(FrameFault)
}

/// Finds frames in bytes. It does no I/O, has no state, and rejects a wrong length as soon as the header is complete.
package enum FrameScanner {
    package static func scan(_ bytes: UnsafeRawBufferPointer, payloadBytesMax: Int) -> FrameScan {
        guard bytes.count >= FrameLimits.headerBytes else { return .needHeader }
        let length = UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))
        guard length >= FrameLimits.payloadBytesMin else { return .invalid(.empty) }
        guard length <= payloadBytesMax else {
            return .invalid(.tooLarge(payloadBytes: length, payloadBytesMax: payloadBytesMax))
        }
        let frameBytes = FrameLimits.headerBytes + Int(length)
        guard bytes.count >= frameBytes else { return .needPayload(frameBytes: frameBytes) }
        return .frame(payloadBytes: Int(length))
    }
}
