import FoundationEssentials
import StoreProtocol
import SwiftProtobuf
import TestBasics

extension RawConnection {
    func send(_ requests: WireRequest...) throws {
        try send(requests.flatMap { Self.frame($0) })
    }

    func receive() throws -> WireResponse {
        try WireResponse(serializedBytes: receivePayload())
    }

    /// Sends a call and returns the next response on the connection, whichever request it belongs to.
    func call(_ call: WireRequest.OneOf_Call, id: UInt64 = 1) throws -> WireResponse {
        try send(Self.request(id, call))
        return try receive()
    }

    static func request(_ id: UInt64, _ call: WireRequest.OneOf_Call, key: String = "") -> WireRequest {
        .with {
            $0.id = id
            $0.call = call
            $0.idempotencyKey = Data(key.utf8)
        }
    }

    static func frame(_ request: WireRequest) -> [UInt8] {
        guard let payload: [UInt8] = try? request.serializedBytes() else { return [] }
        let count = UInt32(payload.count)
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) } + payload
    }
}
