/// An error for bytes that are not protobuf, or that contain groups, which v1 of the protocol excludes.
package struct ProtobufFault: Error, Hashable, Sendable {
    @inlinable
    package init() {}
}

/// Iterates over the fields of one protobuf message without decoding the message.
///
/// Follows <https://protobuf.dev/programming-guides/encoding/>. Every step is checked against the end of the bytes, so
/// that no input can cause a read outside them, a trap or an endless loop: each step consumes at least one byte. Groups
/// (wire types 3 and 4) are rejected, because proto3 has no groups.
package struct ProtobufReader {
    package enum Value: Hashable {
        case varint(UInt64)
        case fixed64
        case fixed32
        /// The range of the bytes in the buffer given to `init`.
        case bytes(Range<Int>)
    }

    package struct Field: Hashable {
        package let number: UInt32
        package let value: Value

        @inlinable
        init(number: UInt32, value: Value) {
            self.number = number
            self.value = value
        }
    }

    package let buffer: UnsafeRawBufferPointer
    @usableFromInline var position: Int
    @usableFromInline let end: Int

    @inlinable
    package init(_ buffer: UnsafeRawBufferPointer) {
        self.init(buffer, range: 0..<buffer.count)
    }

    /// - Precondition: the range is within the buffer.
    @inlinable
    package init(_ buffer: UnsafeRawBufferPointer, range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
        self.buffer = buffer
        self.position = range.lowerBound
        self.end = range.upperBound
    }

    /// The offset of the next field in the buffer, directly after the previous field.
    @inlinable package var offset: Int { position }

    /// Returns the next field, or `nil` at the end of the message.
    @inlinable
    package mutating func next() throws(ProtobufFault) -> Field? {
        guard position < end else { return nil }
        let tag = try varint()
        guard tag >> 3 != 0, let number = UInt32(exactly: tag >> 3), number < 1 << 29 else { throw ProtobufFault() }
        switch tag & 7 {
        case 0:
            return Field(number: number, value: .varint(try varint()))
        case 1:
            _ = try skip(8)
            return Field(number: number, value: .fixed64)
        case 2:
            let count = try varint()
            guard count <= UInt64(end - position) else { throw ProtobufFault() }
            return Field(number: number, value: .bytes(try skip(Int(count))))
        case 5:
            _ = try skip(4)
            return Field(number: number, value: .fixed32)
        default:
            throw ProtobufFault()
        }
    }

    @inlinable
    mutating func skip(_ count: Int) throws(ProtobufFault) -> Range<Int> {
        guard count <= end - position else { throw ProtobufFault() }
        let start = position
        position += count
        return start..<position
    }

    @inlinable
    mutating func varint() throws(ProtobufFault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < end {
            let byte = buffer[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            if byte & 0x80 == 0 {
                // Only one bit of the tenth byte fits into the number.
                guard shift < 63 || byte <= 1 else { throw ProtobufFault() }
                return value
            }
            shift += 7
            guard shift < 70 else { throw ProtobufFault() }
        }
        throw ProtobufFault()
    }
}

extension ProtobufReader {
    /// The result of `nextOrEnd`, which distinguishes the end from an error for callers that use `try?`.
    package enum Step: Hashable {
        case field(Field)
        case end
    }

    @inlinable
    package mutating func nextOrEnd() throws(ProtobufFault) -> Step {
        guard let field = try next() else { return .end }
        return .field(field)
    }
}
