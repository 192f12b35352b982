import Glibc

extension UnsafeRawBufferPointer {
    /// Compares with memcmp. Not for secrets, because the time reveals the offset of the first difference.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }

    package func hasSameBytes(as other: [UInt8]) -> Bool {
        other.withUnsafeBytes { hasSameBytes(as: $0) }
    }

    /// Compares with the UTF-8 of a text.
    package func hasSameBytes(as text: String) -> Bool {
        var text = text
        return text.withUTF8 { hasSameBytes(as: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Compares the UTF-8 bytes, as the database does. Swift's own comparison treats "é" of one scalar and "é" of two
    /// as equal.
    package func hasSameBytes(as other: String) -> Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).hasSameBytes(as: other) }
    }

    /// Compares byte by byte, as SQLite does. A text comes before longer texts that begin with it.
    package func hasLesserBytes(than other: String) -> Bool {
        var (text, other) = (self, other)
        return text.withUTF8 { text in
            other.withUTF8 { other in
                let common = min(text.count, other.count)
                if common > 0, let first = text.baseAddress, let second = other.baseAddress {
                    let order = memcmp(first, second, common)
                    if order != 0 { return order < 0 }
                }
                return text.count < other.count
            }
        }
    }
}
