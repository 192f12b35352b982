/// Why bytes cannot be a frame. The connection they came on is of no further use: where the next frame starts is
/// not known.
package enum FrameFault: Error, Hashable, Sendable {
    case empty
    case tooLarge(payloadBytes: UInt32, payloadBytesMax: Int)
}

/// What the bytes received so far begin with.
package enum FrameScan: Hashable, Sendable {
    /// The header is not whole yet.
    case needHeader
    /// The header is whole and allowed, the payload is not there yet. `frameBytes` counts header and payload.
    case needPayload(frameBytes: Int)
    /// A whole frame: its payload is the `payloadBytes` bytes after the header.
    case frame(payloadBytes: Int)
    case invalid(FrameFault)
}

/// Finds frames in bytes. Does no I/O, keeps nothing, and looks at the length before anything waits for a payload.
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
