import Glibc

extension [UInt8] {
    /// Returns true if the bytes contain `other`. This takes far less time than `contains`, which compares single
    /// elements with generic code.
    func holds(_ other: [UInt8]) -> Bool {
        guard let first = other.first else { return true }
        return withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            var offset = 0
            while offset + other.count <= bytes.count,
                let place = memchr(start + offset, CInt(first), bytes.count - offset - other.count + 1)
            {
                if memcmp(place, other, other.count) == 0 { return true }
                offset = UnsafeRawPointer(place) - start + 1
            }
            return false
        }
    }
}
