/// Writes protobuf fields into a buffer whose size was computed before.
///
/// The caller writes fields in the order of their numbers and omits proto3 defaults, as swift-protobuf does, so that
/// both produce the same bytes.
///
/// - Precondition: for each function, the written bytes fit into the buffer.
@usableFromInline
package struct ProtobufWriter {
    @usableFromInline var cursor: UnsafeMutableRawPointer
    @usableFromInline var remaining: Int

    /// - Precondition: the buffer is not empty and lives as long as the writer.
    @inlinable
    package init(_ buffer: UnsafeMutableRawBufferPointer) {
        guard let start = buffer.baseAddress else { preconditionFailure("a writer needs a buffer") }
        self.cursor = start
        self.remaining = buffer.count
    }

    /// True if exactly the computed size was written.
    @inlinable
    package var isFull: Bool {
        remaining == 0
    }

    @inlinable @inline(__always)
    mutating func advance(_ count: Int) {
        precondition(count <= remaining)
        cursor += count
        remaining -= count
    }

    @inlinable @inline(__always)
    package mutating func varint(_ value: UInt64) {
        let count = ProtobufSize.varint(value)
        precondition(count <= remaining)
        var rest = value
        for index in 0..<(count - 1) {
            cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: index, as: UInt8.self)
            rest >>= 7
        }
        cursor.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count - 1, as: UInt8.self)
        advance(count)
    }

    @inlinable @inline(__always)
    package mutating func varintField(_ number: UInt32, _ value: UInt64) {
        varint(UInt64(number) << 3)
        varint(value)
    }

    /// Writes tag and length of a field whose bytes the caller writes next.
    @inlinable @inline(__always)
    package mutating func startBytesField(_ number: UInt32, count: Int) {
        varint(UInt64(number) << 3 | 2)
        varint(UInt64(count))
    }

    @inlinable @inline(__always)
    package mutating func textField(_ number: UInt32, _ text: String) {
        let count = text.utf8.count
        startBytesField(number, count: count)
        precondition(count <= remaining)
        let copied: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
            if let source = bytes.baseAddress {
                cursor.copyMemory(from: source, byteCount: bytes.count)
            }
        }
        if copied == nil {
            for (index, byte) in text.utf8.enumerated() {
                cursor.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            }
        }
        advance(count)
    }

    /// Appends fields that are already encoded.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count <= remaining)
        if let source = bytes.baseAddress {
            cursor.copyMemory(from: source, byteCount: bytes.count)
        }
        advance(bytes.count)
    }

    @inlinable @inline(__always)
    package mutating func bytesField(_ number: UInt32, _ bytes: UnsafeRawBufferPointer) {
        startBytesField(number, count: bytes.count)
        append(bytes)
    }
}
