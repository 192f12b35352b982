import StoreBasics
import SwiftProtobuf

extension WireRequest {
    /// The whole frame: the payload's length, then the payload. Its fields stand in the order of their numbers.
    ///
    /// - Throws: what swift-protobuf throws for a message of more than 2 GiB.
    package func frame() throws -> [UInt8] {
        let payload: [UInt8] = try serializedBytes()
        var frame: [UInt8] = []
        frame.reserveCapacity(FrameLimits.headerBytes + payload.count)
        frame.append(bigEndian: UInt32(payload.count))
        return frame + payload
    }
}
