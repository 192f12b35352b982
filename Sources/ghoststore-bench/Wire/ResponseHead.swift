/// The part of a Response (proto-docs/ghoststore/v1/service.proto) that tells whether a request succeeded.
struct ResponseHead {
    var id: UInt64 = 0
    var hasMore = false
    /// Number of the field of the `oneof`; 0 when there is none.
    var resultField: UInt32 = 0
    var result = UnsafeRawBufferPointer(start: nil, count: 0)

    @inline(__always)
    init(_ payload: UnsafeRawBufferPointer) {
        var reader = ProtobufReader(payload)
        while let field = reader.next() {
            switch field.number {
            case 1: id = field.unsigned
            case 2: hasMore = field.unsigned != 0
            default:
                resultField = field.number
                result = field.content
            }
        }
    }

    /// - Returns: `nil` when the payload is the last answer to the request and holds the expected result.
    @inline(__always)
    static func failure(
        in payload: UnsafeRawBufferPointer, requestID: UInt32, expectedResult: UInt32
    ) -> String? {
        let head = ResponseHead(payload)
        if head.id == UInt64(requestID), head.resultField == expectedResult, !head.hasMore {
            return nil
        }
        return head.failureText(requestID: requestID, expectedResult: expectedResult)
    }

    @inline(never)
    func failureText(requestID: UInt32, expectedResult: UInt32) -> String {
        if resultField == ResultField.error {
            return errorText
        }
        guard id == UInt64(requestID) else {
            return "the answer is to request \(id) instead of \(requestID)"
        }
        return "the answer has field \(resultField)\(hasMore ? " and more = true" : "") instead of \(expectedResult)"
    }

    private var errorText: String {
        var reason = ""
        var message = ""
        var reader = ProtobufReader(result)
        while let field = reader.next() {
            switch field.number {
            case 2: reason = String(decoding: field.content, as: UTF8.self)
            case 3: message = String(decoding: field.content, as: UTF8.self)
            default: break
            }
        }
        return "\(reason): \(message)"
    }
}

/// Field numbers of the `oneof` of Response.
enum ResultField {
    static let error: UInt32 = 9
    static let ping: UInt32 = 11
    static let committed: UInt32 = 20
    static let statistics: UInt32 = 50
    static let message: UInt32 = 122
    static let messages: UInt32 = 123
    static let watchEvent: UInt32 = 161
    static let sceneValues: UInt32 = 201
    static let appendLog: UInt32 = 221
}
