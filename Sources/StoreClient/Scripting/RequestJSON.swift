import StoreProtocol
import SwiftProtobuf

/// Encodes requests from protobuf JSON (https://protobuf.dev/programming-guides/json/), such as `{"getMessage": {"id":
/// "…"}}`, for programs that have their own sockets.
package enum RequestJSON {
    /// Returns the frame of the request in a JSON text.
    package static func frame(json: String) throws(StoreClientError) -> [UInt8] {
        let request = try WireRequest(protobufJSON: json)
        guard request != WireRequest() else { throw .invalidArgument("the request names no call") }
        do {
            return try request.frame()
        } catch {
            throw .answerUnreadable("the request cannot be encoded: \(error)")
        }
    }
}

/// Decodes responses to protobuf JSON.
package enum ResponseJSON {
    /// Returns where the payload of the first frame is in `bytes`; `nil` if the frame is incomplete. The next frame
    /// begins at the end of this range.
    package static func payload(in bytes: [UInt8]) throws(StoreClientError) -> Range<Int>? {
        let scan = bytes.withUnsafeBytes { FrameScanner.scan($0, payloadBytesMax: FrameLimits.payloadBytesMaxDefault) }
        switch scan {
        case .needHeader, .needPayload: return nil
        case .frame(let byteCount): return FrameLimits.headerBytes..<(FrameLimits.headerBytes + byteCount)
        case .invalid(let fault): throw .frameUnreadable(fault)
        }
    }

    /// Returns a response as one line of JSON.
    package static func json(payload: [UInt8]) throws(StoreClientError) -> String {
        do {
            return try WireResponse(serializedBytes: payload).jsonString()
        } catch {
            throw StoreClientError(
                code: .invalidArgument, reason: .answerUnreadable,
                message: "the payload is not a \(WireResponse.protoMessageName)")
        }
    }
}
