extension FileStringEncoding {
    /// Returns the bytes of a text, with a byte order mark if the encoding requires one; `nil` if the encoding cannot
    /// represent the text.
    func bytes(of text: String) -> [UInt8]? {
        switch self {
        case .ascii:
            let bytes = Array(text.utf8)
            return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
        case .utf8: return Array(text.utf8)
        case .utf16: return ByteOrder.lowestFirst.mark + ByteOrder.lowestFirst.bytes(of: text)
        case .utf16LittleEndian: return ByteOrder.lowestFirst.bytes(of: text)
        case .utf16BigEndian: return ByteOrder.highestFirst.bytes(of: text)
        }
    }

    /// Decodes bytes of a file. Returns `nil` if the bytes are invalid in this encoding or end within a character.
    ///
    /// - Parameters:
    ///   - offset: the offset of the bytes in the file.
    ///   - start: the first bytes of the file, if `bytes` is not at its beginning.
    func text(of bytes: [UInt8], at offset: UInt64 = 0, ofFileBeginning start: [UInt8] = []) -> String? {
        var decoder = TextDecoder(self, at: offset, ofFileBeginning: start)
        guard let text = decoder.decode(bytes), decoder.isComplete else { return nil }
        return text
    }

    /// The byte order of text that has no byte order mark; `nil` if the encoding is not UTF-16.
    fileprivate var byteOrder: ByteOrder? {
        switch self {
        case .ascii, .utf8: nil
        case .utf16, .utf16BigEndian: .highestFirst
        case .utf16LittleEndian: .lowestFirst
        }
    }
}

extension FileEncoding {
    /// The number of bytes at the start of the file that determine how any part of it is read.
    var markBytes: Int {
        self == .string(encoding: .utf16) ? ByteOrder.markBytes : 0
    }
}

/// The order of the two bytes of a UTF-16 unit.
enum ByteOrder {
    case lowestFirst
    case highestFirst

    static let markBytes = 2

    var mark: [UInt8] {
        bytes(of: 0xFEFF)
    }

    func bytes(of unit: UInt16) -> [UInt8] {
        let (low, high) = (UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8))
        return self == .lowestFirst ? [low, high] : [high, low]
    }

    /// Returns the bytes of a text without a mark.
    func bytes(of text: String) -> [UInt8] {
        text.utf16.flatMap { bytes(of: $0) }
    }

    func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        let (low, high) = self == .lowestFirst ? (first, second) : (second, first)
        return UInt16(low) | UInt16(high) << 8
    }

    /// Determines the byte order of a text from the mark at its beginning; returns `nil` if the text has no mark.
    init?(markIn bytes: some Collection<UInt8>) {
        let first = Array(bytes.prefix(Self.markBytes))
        switch first {
        case Self.lowestFirst.mark: self = .lowestFirst
        case Self.highestFirst.mark: self = .highestFirst
        default: return nil
        }
    }
}

/// Decodes text from consecutive bytes. The bytes of an incomplete scalar are kept until the rest arrives.
struct TextDecoder {
    private static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let encoding: FileStringEncoding
    private var rest: [UInt8] = []
    private var order: ByteOrder
    /// True if the next bytes may be a byte order mark, which is not a part of the text.
    private var isAtStart: Bool

    /// - Parameters:
    ///   - offset: the offset of the first bytes in the file.
    ///   - start: the first bytes of the file, if decoding does not begin there.
    init(_ encoding: FileStringEncoding, at offset: UInt64 = 0, ofFileBeginning start: [UInt8] = []) {
        self.encoding = encoding
        order = (encoding == .utf16 ? ByteOrder(markIn: start) : nil) ?? encoding.byteOrder ?? .highestFirst
        isAtStart = offset == 0
    }

    /// True if no incomplete scalar is left.
    var isComplete: Bool { rest.isEmpty }

    /// Returns the text of all complete scalars; `nil` if the bytes are invalid.
    mutating func decode(_ bytes: [UInt8]) -> String? {
        guard let all = withoutMark(rest + bytes) else { return "" }
        switch encoding {
        case .ascii:
            guard all.allSatisfy({ $0 < 0x80 }) else { return nil }
            rest = []
            return String(decoding: all, as: UTF8.self)
        case .utf8:
            let end = all.endIndex - Self.cutUTF8Bytes(all)
            rest = Array(all[end...])
            return String(validating: all[..<end], as: UTF8.self)
        case .utf16, .utf16LittleEndian, .utf16BigEndian:
            return decodeUTF16(all)
        }
    }

    /// Removes a mark from the first bytes of a file. For UTF-16 without a fixed byte order, the mark also determines
    /// the order.
    ///
    /// - Returns: `nil` if more bytes are needed to decide.
    private mutating func withoutMark(_ all: [UInt8]) -> ArraySlice<UInt8>? {
        guard isAtStart else { return all[...] }
        let mark: [UInt8]
        switch encoding {
        case .ascii: mark = []
        case .utf8: mark = Self.utf8Mark
        case .utf16: mark = (ByteOrder(markIn: all) ?? .highestFirst).mark
        case .utf16LittleEndian, .utf16BigEndian: mark = order.mark
        }
        guard all.count >= mark.count || !couldBecomeMark(all, mark) else {
            rest = all
            return nil
        }
        isAtStart = false
        guard all.starts(with: mark) else { return all[...] }
        order = ByteOrder(markIn: mark) ?? order
        return all[mark.count...]
    }

    private func couldBecomeMark(_ all: [UInt8], _ mark: [UInt8]) -> Bool {
        encoding.byteOrder != nil || mark.starts(with: all)
    }

    private mutating func decodeUTF16(_ all: ArraySlice<UInt8>) -> String? {
        var units: [UInt16] = []
        units.reserveCapacity(all.count / 2)
        for index in stride(from: all.startIndex, to: all.endIndex - 1, by: 2) {
            units.append(order.unit(all[index], all[index + 1]))
        }
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
        }
        rest = Array(all[(all.startIndex + 2 * units.count)...])
        return String(validating: units, as: UTF16.self)
    }

    /// Returns the number of bytes at the end that belong to an incomplete scalar.
    private static func cutUTF8Bytes(_ bytes: ArraySlice<UInt8>) -> Int {
        for count in 1...3 where count <= bytes.count {
            let byte = bytes[bytes.endIndex - count]
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
