import StoreBasics
import SwiftProtobuf

extension WireRequest {
    /// Returns the request as a whole frame: the payload's length, then the payload with its fields in the order of
    /// their numbers.
    ///
    /// - Throws: errors of swift-protobuf for a message of more than 2 GiB.
    package func frame() throws -> [UInt8] {
        let payload: [UInt8] = try serializedBytes()
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameLimits.headerBytes + payload.count)
        frame.append(bigEndian: UInt32(payload.count))
        return frame + payload
    }
}
