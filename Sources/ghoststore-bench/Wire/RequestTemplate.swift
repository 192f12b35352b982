internal import StoreBasics

/// A request's frame, made once, of which the hot loop replaces only the request id and up to two entity ids.
struct RequestTemplate {
    /// Stands for an id of `UUIDv7.textByteCount` characters while the frame is made.
    enum Placeholder {
        static let first = "ffffffff-ffff-7fff-bfff-ffffffffff01"
        static let second = "ffffffff-ffff-7fff-bfff-ffffffffff02"
    }

    /// The payload begins with field 1, the request id.
    private static let requestIDOffset = FrameHeader.byteCount + 1

    private let bytes: [UInt8]
    private let firstOffset: Int?
    private let secondOffset: Int?

    var byteCount: Int { bytes.count }

    /// - Parameter make: makes the frame for a request id.
    init(_ make: (UInt64) -> [UInt8]) {
        bytes = make(UInt64(RequestIDs.first))
        precondition(bytes[FrameHeader.byteCount] == 1 << 3, "the request id is the first field")
        firstOffset = Self.offset(of: Placeholder.first, in: bytes)
        secondOffset = Self.offset(of: Placeholder.second, in: bytes)
    }

    /// - Returns: the bytes of the frame.
    @inline(__always)
    func write(
        requestID: UInt32, first: UUIDv7? = nil, second: UUIDv7? = nil,
        to buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        bytes.withUnsafeBytes { buffer.copyMemory(from: $0) }
        RequestIDs.write(requestID, to: buffer, at: Self.requestIDOffset)
        if let first, let firstOffset {
            first.write(to: buffer, at: firstOffset)
        }
        if let second, let secondOffset {
            second.write(to: buffer, at: secondOffset)
        }
        return bytes.count
    }

    private static func offset(of placeholder: String, in bytes: [UInt8]) -> Int? {
        let needle = Array(placeholder.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: needle) }
    }
}
