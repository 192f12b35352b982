package import StoreBasics

/// Parts of records.
extension ByteReader {
    /// A byte that is 0 or 1.
    package mutating func flag() -> Bool? {
        guard let byte = byte(), byte <= 1 else { return nil }
        return byte == 1
    }

    /// A number of bytes (LEB128) and these.
    package mutating func sizedBytes() -> UnsafeRawBufferPointer? {
        variableLength().flatMap { bytes($0) }
    }

    /// A flag, and bytes where it is set. The outer optional is empty where there are neither.
    package mutating func optionalBytes() -> [UInt8]?? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return .some(nil) }
        return sizedBytes().map { [UInt8]($0) }
    }

    /// A flag, and a text where it is set.
    package mutating func optionalText() -> String?? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return .some(nil) }
        return text().map { .some($0) }
    }

    /// A flag, and eight bytes where it is set.
    package mutating func optionalInteger() -> Int64?? {
        guard let isThere = flag() else { return nil }
        guard isThere else { return .some(nil) }
        guard let number: UInt64 = bigEndian() else { return nil }
        return .some(Int64(bitPattern: number))
    }
}

extension [UInt8] {
    package mutating func append(sized bytes: [UInt8]) {
        append(variableLength: bytes.count)
        self += bytes
    }

    package mutating func append(optional text: String?) {
        append(text == nil ? 0 : 1)
        if let text {
            append(text: text)
        }
    }

    package mutating func append(optional number: Int64?) {
        append(number == nil ? 0 : 1)
        if let number {
            append(bigEndian: UInt64(bitPattern: number))
        }
    }
}
