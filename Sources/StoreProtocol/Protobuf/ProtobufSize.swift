/// How many bytes protobuf values take.
@usableFromInline
package enum ProtobufSize {
    /// 1 to 10.
    @inlinable @inline(__always)
    package static func varint(_ value: UInt64) -> Int {
        (64 - (value | 1).leadingZeroBitCount + 6) / 7
    }

    /// A tag for a field number; the wire type does not change its size.
    @inlinable @inline(__always)
    package static func tag(_ number: UInt32) -> Int {
        varint(UInt64(number) << 3)
    }

    /// A field of bytes, text or a message, with its tag and length.
    @inlinable @inline(__always)
    package static func bytesField(_ number: UInt32, count: Int) -> Int {
        tag(number) + varint(UInt64(count)) + count
    }

    /// A field of an integer that is written whatever its value.
    @inlinable @inline(__always)
    package static func varintField(_ number: UInt32, _ value: UInt64) -> Int {
        tag(number) + varint(value)
    }
}
