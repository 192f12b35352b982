import Glibc

extension UnsafeRawBufferPointer {
    /// Compares in one call of memcmp: not for secrets, whose first difference its time would tell.
    package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
        guard count == other.count else { return false }
        guard let first = baseAddress, let second = other.baseAddress else { return true }
        return memcmp(first, second, count) == 0
    }

    package func hasSameBytes(as other: [UInt8]) -> Bool {
        other.withUnsafeBytes { hasSameBytes(as: $0) }
    }

    /// The UTF-8 of a text.
    package func hasSameBytes(as text: String) -> Bool {
        var text = text
        return text.withUTF8 { hasSameBytes(as: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Swift's own comparison takes "é" of one scalar and "é" of two for the same; what is stored is bytes.
    package func hasSameBytes(as other: String) -> Bool {
        var text = self
        return text.withUTF8 { UnsafeRawBufferPointer($0).hasSameBytes(as: other) }
    }

    /// Compares byte by byte, as SQLite does: a text comes before those that it is the beginning of.
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
