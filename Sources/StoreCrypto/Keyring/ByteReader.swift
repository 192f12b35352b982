/// Takes big-endian numbers and bytes off the front; never reads past the end.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isAtEnd: Bool {
        rest.isEmpty
    }

    mutating func slice(_ count: Int) throws(CryptoError) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .damaged("it ends too early") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        Array(try slice(count))
    }

    mutating func number<T: FixedWidthInteger & UnsignedInteger>(_ type: T.Type = T.self) throws(CryptoError) -> T {
        var number: UInt64 = 0
        for byte in try slice(T.bitWidth / 8) {
            number = number << 8 | UInt64(byte)
        }
        return T(truncatingIfNeeded: number)
    }
}
