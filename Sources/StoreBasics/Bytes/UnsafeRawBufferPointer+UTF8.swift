extension UnsafeRawBufferPointer {
    /// True if the bytes are valid UTF-8 (RFC 3629); true for an empty buffer.
    package var isUTF8: Bool {
        var offset = 0
        // Most texts are short or ASCII, which this loop recognizes eight bytes at a time.
        while offset + 8 <= count {
            guard loadUnaligned(fromByteOffset: offset, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 else {
                return isUTF8Throughout
            }
            offset += 8
        }
        while offset < count {
            guard self[offset] < 0x80 else { return isUTF8Throughout }
            offset += 1
        }
        return true
    }

    private var isUTF8Throughout: Bool {
        withMemoryRebound(to: UInt8.self) { (try? UTF8Span(validating: $0.span)) != nil }
    }

    package func isUTF8(at range: Range<Int>) -> Bool {
        UnsafeRawBufferPointer(rebasing: self[range]).isUTF8
    }

    /// Returns the bytes of `range` as text; `nil` if they are not UTF-8.
    package func text(at range: Range<Int>) -> String? {
        let bytes = UnsafeRawBufferPointer(rebasing: self[range])
        // String(validating:as:) would be slower, because it looks up generic types for each text.
        return bytes.isUTF8 ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
