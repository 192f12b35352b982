package import StoreBasics

/// The outline of a serialized Response, found without decoding its result.
package struct ResponseOutline: Hashable, Sendable {
    package private(set) var id: UInt64 = 0
    /// True if more responses with this id follow.
    package private(set) var hasMore = false
    /// The result's field number; `nil` if there is no field that could be a result.
    package private(set) var resultNumber: UInt32?
    /// The range of the result's message in the payload.
    package private(set) var result: Range<Int> = 0..<0

    /// The field number of the result of most mutations. A read's result has the number of its call.
    package static let commitNumber: UInt32 = 20

    /// The field number of an error, which is the lowest number of a result. Lower numbers belong to the envelope.
    private static let errorNumber: UInt32 = 9

    package var isError: Bool {
        resultNumber == Self.errorNumber
    }

    /// - Throws: `ProtobufFault` if the payload is not a protobuf message.
    package init(_ payload: UnsafeRawBufferPointer) throws(ProtobufFault) {
        var reader = ProtobufReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .varint(let value)):
                id = value
            case (2, .varint(let value)):
                hasMore = value != 0
            case (Self.errorNumber..., .bytes(let range)):
                resultNumber = field.number
                result = range
            default:
                continue
            }
        }
    }

    package func errorReason(in payload: UnsafeRawBufferPointer) -> String? {
        errorText(2, in: payload)
    }

    package func errorMessage(in payload: UnsafeRawBufferPointer) -> String? {
        errorText(3, in: payload)
    }

    private func errorText(_ number: UInt32, in payload: UnsafeRawBufferPointer) -> String? {
        guard isError else { return nil }
        var reader = ProtobufReader(payload, range: result)
        while let field = try? reader.next() {
            if field.number == number, case .bytes(let range) = field.value {
                return payload.text(at: range)
            }
        }
        return nil
    }
}
