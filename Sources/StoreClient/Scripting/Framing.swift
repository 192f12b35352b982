import StoreBasics
import StoreProtocol

/// Frames for programs that have their own sockets: an unsigned 32-bit length, most significant byte first, then the
/// payload.
package enum Framing {
    package static let headerBytes = FrameLimits.headerBytes
    package static let payloadBytesMaxDefault = FrameLimits.payloadBytesMaxDefault

    /// What the bytes received so far begin with.
    package enum Parsed: Hashable, Sendable {
        case needMore
        /// Where the payload is; the next frame begins at its end.
        case payload(Range<Int>)
    }

    /// The payload with its length before it.
    package static func frame(_ payload: [UInt8]) throws(StoreClientError) -> [UInt8] {
        guard let length = UInt32(exactly: payload.count), length > 0 else {
            throw StoreClientError(
                code: .invalidArgument, reason: .invalidArgument,
                message: "a frame's payload has 1 to \(UInt32.max) bytes; this one has \(payload.count)")
        }
        var frame: [UInt8] = []
        frame.reserveCapacity(headerBytes + payload.count)
        frame.append(bigEndian: length)
        frame.append(contentsOf: payload)
        return frame
    }

    /// Looks for a whole frame at the start of the bytes.
    package static func parse(
        _ bytes: UnsafeRawBufferPointer, payloadBytesMax: Int = payloadBytesMaxDefault
    ) throws(StoreClientError) -> Parsed {
        switch FrameScanner.scan(bytes, payloadBytesMax: payloadBytesMax) {
        case .needHeader, .needPayload:
            return .needMore
        case .frame(let payloadBytes):
            return .payload(headerBytes..<(headerBytes + payloadBytes))
        case .invalid(.empty):
            throw .answerUnreadable("a frame of length 0")
        case .invalid(.tooLarge(let count, let countMax)):
            throw .answerUnreadable("a frame of \(count) bytes; the limit is \(countMax)")
        }
    }

    package static func parse(
        _ bytes: [UInt8], payloadBytesMax: Int = payloadBytesMaxDefault
    ) throws(StoreClientError) -> Parsed {
        let parsed: Result<Parsed, StoreClientError> = bytes.withUnsafeBytes { memory in
            Result { () throws(StoreClientError) in try parse(memory, payloadBytesMax: payloadBytesMax) }
        }
        return try parsed.get()
    }
}
