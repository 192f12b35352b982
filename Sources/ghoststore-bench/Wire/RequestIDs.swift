/// Request ids whose varint always has four bytes, so that they can be replaced in place.
enum RequestIDs {
    static let first: UInt32 = 1 << 21
    static let last: UInt32 = (1 << 28) - 1
    static let byteCount = 4

    @inline(__always)
    static func after(_ id: UInt32) -> UInt32 {
        id == last ? first : id + 1
    }

    @inline(__always)
    static func write(_ id: UInt32, to buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
        buffer[offset] = UInt8(truncatingIfNeeded: id) | 0x80
        buffer[offset + 1] = UInt8(truncatingIfNeeded: id >> 7) | 0x80
        buffer[offset + 2] = UInt8(truncatingIfNeeded: id >> 14) | 0x80
        buffer[offset + 3] = UInt8(truncatingIfNeeded: id >> 21)
    }
}
