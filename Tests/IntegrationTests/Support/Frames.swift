import FoundationEssentials
import StoreProtocol
import SwiftProtobuf

/// Requests and other payloads encoded as frames.
enum Frames {
    static let ping = request(1, .ping(WirePingRequest()))

    static func frame(_ payload: [UInt8]) -> [UInt8] {
        header(UInt32(payload.count)) + payload
    }

    static func header(_ payloadBytes: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: payloadBytes >> $0) }
    }

    static func request(_ id: UInt64, _ call: WireRequest.OneOf_Call, key: [UInt8] = []) -> [UInt8] {
        let request = WireRequest.with {
            $0.id = id
            $0.call = call
            $0.idempotencyKey = Data(key)
        }
        guard let payload: [UInt8] = try? request.serializedBytes() else {
            preconditionFailure("a request without required fields always serializes")
        }
        return frame(payload)
    }
}

extension WireResponse {
    var isPing: Bool {
        if case .ping = result { true } else { false }
    }

    /// The reason of an error, or `nil` for any other result.
    var reason: String? {
        if case .error(let error) = result { error.reason } else { nil }
    }
}
