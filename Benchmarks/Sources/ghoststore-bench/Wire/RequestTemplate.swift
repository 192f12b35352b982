import StoreBasics
import StoreProtocol

/// The frame of a request, built once. The hot loop replaces only its request id and up to two entity ids.
struct RequestTemplate {
    /// Texts that stand for ids of `UUIDv7.textByteCount` characters while the frame is built.
    enum Placeholder {
        static let first = "ffffffff-ffff-7fff-bfff-ffffffffff01"
        static let second = "ffffffff-ffff-7fff-bfff-ffffffffff02"
    }

    /// The offset of the request id. The payload begins with field 1, the request id.
    private static let requestIDOffset = FrameLimits.headerBytes + 1

    private let bytes: [UInt8]
    private let firstOffset: Int?
    private let secondOffset: Int?

    var byteCount: Int { bytes.count }

    /// - Parameter fill: sets the call of the request.
    init(_ fill: (inout WireRequest) -> Void) throws(BenchError) {
        bytes = try WireRequest.frame(id: RequestIDs.first, fill)
        precondition(bytes[FrameLimits.headerBytes] == 1 << 3, "the request id is the first field")
        firstOffset = Self.offset(of: Placeholder.first, in: bytes)
        secondOffset = Self.offset(of: Placeholder.second, in: bytes)
    }

    /// - Returns: the number of bytes of the frame.
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

extension WireRequest {
    /// Returns the frame of a request.
    ///
    /// - Parameter fill: sets the call.
    static func frame(id: UInt32, _ fill: (inout WireRequest) -> Void) throws(BenchError) -> [UInt8] {
        var request = WireRequest()
        fill(&request)
        request.id = UInt64(id)
        do {
            return try request.frame()
        } catch {
            throw BenchError("a request cannot be written: \(error)")
        }
    }
}

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
