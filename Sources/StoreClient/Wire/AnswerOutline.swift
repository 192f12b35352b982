internal import StoreBasics
import StoreProtocol

/// What a serialized Response is about, found without decoding its result.
struct AnswerOutline: Hashable {
    var id: UInt64 = 0
    var hasMore = false
    /// The result's field number; 9 is an error.
    var resultNumber: UInt32?
    /// Where the result's message is, counted from the start of the payload.
    var result: Range<Int> = 0..<0

    private static let errorNumber: UInt32 = 9

    var isError: Bool {
        resultNumber == Self.errorNumber
    }

    init(_ payload: UnsafeRawBufferPointer) throws(ProtobufFault) {
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

    /// `Error.reason`, when the result is an error.
    func errorReason(in payload: UnsafeRawBufferPointer) -> String? {
        guard isError else {
            return nil
        }
        var reader = ProtobufReader(payload, range: result)
        while let field = try? reader.next() {
            if field.number == 2, case .bytes(let range) = field.value {
                return payload.text(at: range)
            }
        }
        return nil
    }
}
