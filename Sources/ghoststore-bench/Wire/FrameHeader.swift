/// The frame of proto-docs/PROTOCOL.md: the payload's length as a 32-bit big-endian number, then the payload.
enum FrameHeader {
    static let byteCount = 4
    /// The daemon's own maximum with its default settings, and the header.
    static let frameBytesMax = byteCount + (16 << 20)

    @inline(__always)
    static func payloadByteCount(_ frame: UnsafeRawBufferPointer) -> Int {
        Int(UInt32(bigEndian: frame.loadUnaligned(as: UInt32.self)))
    }
}
