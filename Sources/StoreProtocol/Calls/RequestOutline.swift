package import StoreBasics

/// The outline of a serialized Request, found without decoding its call. It is sufficient to answer with the request's
/// id, to reject a request that is too large before memory is used for it, and to find secrets before protobuf decodes
/// them.
package struct RequestOutline: Hashable, Sendable {
    package private(set) var id: UInt64 = 0
    package private(set) var deadlineMilliseconds: UInt32 = 0
    package private(set) var idempotencyKey: Range<Int>?
    package private(set) var historyID: Range<Int>?
    /// The call's field number; `nil` if there is no field that could be a call.
    package private(set) var callNumber: UInt32?
    /// The range of the call's message in the payload.
    package private(set) var call: Range<Int> = 0..<0

    /// The lowest field number of a call. Lower numbers belong to the envelope.
    private static let callNumberMin: UInt32 = 10

    package init() {}

    /// Reads as much as possible. After an error the outline contains what was found before it.
    ///
    /// - Throws: `ProtobufFault` if the payload is not a protobuf message or has more than one call.
    package mutating func read(_ payload: UnsafeRawBufferPointer) throws(ProtobufFault) {
        var reader = ProtobufReader(payload)
        while let field = try reader.next() {
            switch (field.number, field.value) {
            case (1, .varint(let value)):
                id = value
            case (2, .varint(let value)):
                deadlineMilliseconds = UInt32(truncatingIfNeeded: value)
            case (3, .bytes(let range)):
                idempotencyKey = range
            case (4, .bytes(let range)):
                historyID = range
            case (Self.callNumberMin..., .bytes(let range)):
                guard callNumber == nil else { throw ProtobufFault() }
                callNumber = field.number
                call = range
            default:
                continue
            }
        }
    }

    /// Counts the fields of the call's own message. Stops when there are more than `limit`, and then returns a number
    /// above `limit`. Returns `nil` if the part that was read is not valid protobuf.
    package func callFieldCount(in payload: UnsafeRawBufferPointer, upTo limit: Int) -> Int? {
        var reader = ProtobufReader(payload, range: call)
        var count = 0
        do throws(ProtobufFault) {
            while count <= limit, try reader.next() != nil {
                count += 1
            }
        } catch {
            return nil
        }
        return count
    }
}
