import StoreProtocol
import SwiftProtobuf

extension StoreClientError {
    init(_ wire: WireError) {
        self.init(
            code: Code(rawValue: wire.code.rawValue) ?? .unknown, reason: Reason(rawValue: wire.reason),
            message: wire.message, isRetryable: wire.retryable, details: wire.details)
    }

    /// The error in a serialized Response.
    init(answer payload: [UInt8]) throws(StoreClientError) {
        guard let response = try? WireResponse(serializedBytes: payload), case .error(let error) = response.result
        else {
            throw .answerUnreadable("the daemon sent what is not a response")
        }
        self.init(error)
    }
}
