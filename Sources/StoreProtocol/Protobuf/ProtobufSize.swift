/// The encoded sizes of protobuf values in bytes.
@usableFromInline
package enum ProtobufSize {
    /// Returns the size of a varint, 1 to 10.
    @inlinable @inline(__always)
    package static func varint(_ value: UInt64) -> Int {
        (64 - (value | 1).leadingZeroBitCount + 6) / 7
    }

    /// Returns the size of a field's tag, which does not depend on the wire type.
    @inlinable @inline(__always)
    package static func tag(_ number: UInt32) -> Int {
        varint(UInt64(number) << 3)
    }

    /// Returns the size of a field of bytes, text or a message, including its tag and length.
    @inlinable @inline(__always)
    package static func bytesField(_ number: UInt32, count: Int) -> Int {
        tag(number) + varint(UInt64(count)) + count
    }

    /// Returns the size of an integer field that is always written, even if its value is 0.
    @inlinable @inline(__always)
    package static func varintField(_ number: UInt32, _ value: UInt64) -> Int {
        tag(number) + varint(value)
    }
}
