extension FileStringEncoding {
    /// The bytes of a text; `nil` where the encoding cannot hold it.
    ///
    /// - Parameter order: of the bytes of UTF-16, without a mark; `nil` writes one, the lowest byte first.
    func bytes(of text: String, order: ByteOrder? = nil) -> [UInt8]? {
        switch self {
        case .ascii:
            let bytes = Array(text.utf8)
            return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
        case .utf8:
            return Array(text.utf8)
        case .utf16:
            let units = text.utf16.flatMap { (order ?? .lowestFirst).bytes(of: $0) }
            return order == nil ? ByteOrder.lowestFirst.mark + units : units
        }
    }

    /// All of a text; `nil` where the bytes are none of this encoding.
    func text(of bytes: [UInt8]) -> String? {
        var decoder = TextDecoder(self)
        guard let text = decoder.decode(bytes), decoder.isComplete else { return nil }
        return text
    }
}

/// Which byte of a UTF-16 unit comes first.
enum ByteOrder {
    case lowestFirst
    case highestFirst

    var mark: [UInt8] {
        bytes(of: 0xFEFF)
    }

    func bytes(of unit: UInt16) -> [UInt8] {
        let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
        return self == .lowestFirst ? [low, high] : [high, low]
    }

    func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        let (low, high) = self == .lowestFirst ? (first, second) : (second, first)
        return UInt16(low) | UInt16(high) << 8
    }

    /// That of a text which begins with these bytes; `nil` without a mark.
    init?(markIn bytes: some Collection<UInt8>) {
        let first = Array(bytes.prefix(2))
        switch first {
        case Self.lowestFirst.mark: self = .lowestFirst
        case Self.highestFirst.mark: self = .highestFirst
        default: return nil
        }
    }
}

/// Turns bytes into text as they come: what is cut in the middle of a scalar waits for its rest.
struct TextDecoder {
    private let encoding: FileStringEncoding
    private var rest: [UInt8] = []
    private var order: ByteOrder?

    init(_ encoding: FileStringEncoding) {
        self.encoding = encoding
    }

    /// Nothing waits for its rest.
    var isComplete: Bool { rest.isEmpty }

    /// The text of as many bytes as are whole scalars; `nil` where they are none.
    mutating func decode(_ bytes: [UInt8]) -> String? {
        let all = rest + bytes
        switch encoding {
        case .ascii:
            guard all.allSatisfy({ $0 < 0x80 }) else { return nil }
            return String(decoding: all, as: UTF8.self)
        case .utf8:
            let end = all.count - Self.cutUTF8Bytes(all)
            rest = Array(all[end...])
            return String(validating: all[..<end], as: UTF8.self)
        case .utf16:
            return decodeUTF16(all)
        }
    }

    private mutating func decodeUTF16(_ all: [UInt8]) -> String? {
        var start = 0
        if order == nil {
            guard all.count >= 2 else {
                rest = all
                return ""
            }
            let marked = ByteOrder(markIn: all)
            order = marked ?? .lowestFirst
            start = marked == nil ? 0 : 2
        }
        let order = order ?? .lowestFirst
        var units: [UInt16] = []
        units.reserveCapacity((all.count - start) / 2)
        for index in stride(from: start, to: all.count - 1, by: 2) {
            units.append(order.unit(all[index], all[index + 1]))
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
        }
        rest = Array(all[(start + 2 * units.count)...])
        return String(validating: units, as: UTF16.self)
    }

    /// How many bytes at the end begin a scalar that is not all there.
    private static func cutUTF8Bytes(_ bytes: [UInt8]) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.count - count]
            switch byte {
            case 0b1000_0000...0b1011_1111: continue
            case 0b1100_0000...0b1101_1111: return count < 2 ? count : 0
            case 0b1110_0000...0b1110_1111: return count < 3 ? count : 0
            case 0b1111_0000...0b1111_0111: return count
            default: return 0
            }
        }
        return 0
    }
}
