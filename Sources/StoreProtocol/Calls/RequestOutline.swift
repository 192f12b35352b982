package import StoreBasics

/// What a serialized Request is about, found without parsing its call: enough to answer with its id, to refuse what is
/// too large before memory is spent on it, and to find secrets before protobuf sees them.
package struct RequestOutline: Hashable, Sendable {
    package private(set) var id: UInt64 = 0
    package private(set) var deadlineMilliseconds: UInt32 = 0
    package private(set) var idempotencyKey: Range<Int>?
    package private(set) var historyID: Range<Int>?
    /// The call's field number; `nil` when there is none that v1 could know.
    package private(set) var callNumber: UInt32?
    /// Where the call's message is, counted from the start of the payload.
    package private(set) var call: Range<Int> = 0..<0

    /// Field numbers from here on are calls; those below belong to the envelope.
    private static let callNumberMin: UInt32 = 10

    package init() {}

    /// Reads as far as it can: after a throw the outline holds what was found before the fault.
    ///
    /// - Throws: `ProtobufFault` when the payload is not a protobuf message or names more than one call.
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

    /// The number of fields of the call's own message, or `nil` when it cannot be walked.
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
