import StoreProtocol
import SwiftProtobuf
import TestBasics

extension RawConnection {
    func send(_ id: UInt64, _ call: WireRequest.OneOf_Call, key: [UInt8] = []) throws {
        try send(Frames.request(id, call, key: key))
    }

    /// Returns the next response, or `nil` if the daemon has closed its side.
    func receive() throws -> WireResponse? {
        try receiveFrame().map { try WireResponse(serializedBytes: Array($0.dropFirst(4))) }
    }

    /// Sends a call and returns the next response, whichever call it answers. Throws an error if the daemon closes the
    /// connection instead.
    func call(_ call: WireRequest.OneOf_Call, id: UInt64 = 1, key: [UInt8] = []) throws -> WireResponse {
        try send(id, call, key: key)
        return try WireResponse(serializedBytes: receivePayload())
    }
}
