/// Reads values from the beginning of a buffer and never beyond its end. Each function returns `nil` if the buffer ends
/// too early or the bytes are invalid. The reader must not outlive the buffer.
package struct ByteReader {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var position = 0

    @inlinable
    package init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    @inlinable package var isAtEnd: Bool { position == bytes.count }

    @inlinable package var remaining: Int { bytes.count - position }

    /// Returns the bytes that a later copy of this reader has read since the copy was made.
    package func bytes(upTo later: ByteReader) -> UnsafeRawBufferPointer {
        precondition(
            later.bytes.baseAddress == bytes.baseAddress && later.position >= position,
            "the other reader must be a later copy of this one")
        return UnsafeRawBufferPointer(rebasing: bytes[position..<later.position])
    }

    /// Returns the next byte without consuming it.
    package func peek() -> UInt8? {
        isAtEnd ? nil : bytes[position]
    }

    package mutating func byte() -> UInt8? {
        guard let byte = peek() else { return nil }
        position += 1
        return byte
    }

    /// Returns the next `count` bytes as a part of the buffer.
    @inlinable
    package mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
    }

    /// Reads an unsigned number of fixed width, most significant byte first.
    package mutating func bigEndian<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) -> Number? {
        bytes(Number.bitWidth / 8).map { Number(bigEndian: $0.loadUnaligned(as: Number.self)) }
    }

    /// Reads an unsigned number of fixed width, least significant byte first.
    package mutating func littleEndian<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) -> Number? {
        bytes(Number.bitWidth / 8).map { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }

    /// Reads an unsigned LEB128 number (https://en.wikipedia.org/wiki/LEB128) of at most nine bytes.
    @inlinable
    package mutating func variableLength() -> Int? {
        leb128(bitCount: 63).map(Int.init)
    }

    /// Reads an unsigned LEB128 number of at most ten bytes, as `append(leb128:)` writes it.
    @inlinable
    package mutating func leb128() -> UInt64? {
        leb128(bitCount: 64)
    }

    @inlinable
    @inline(__always)
    mutating func leb128(bitCount: UInt64) -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < bitCount, position < bytes.count {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7f) << shift
            guard byte & 0x80 != 0 else { return value }
            shift += 7
        }
        return nil
    }

    /// Reads a LEB128 length and that number of bytes, which must be UTF-8.
    package mutating func text() -> String? {
        guard let count = variableLength(), let bytes = bytes(count) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends an unsigned LEB128 number, as `ByteReader.variableLength` reads it.
    ///
    /// - Parameter number: 0 or more.
    package mutating func append(variableLength number: Int) {
        append(leb128: UInt64(number))
    }

    /// Appends an unsigned LEB128 number of at most ten bytes.
    package mutating func append(leb128 number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(rest & 0x7f) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a LEB128 length and the UTF-8 bytes, as `ByteReader.text` reads them.
    package mutating func append(text: String) {
        append(variableLength: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    /// Appends a number of fixed width, least significant byte first.
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a number of fixed width, most significant byte first.
    package mutating func append(bigEndian number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }
}
