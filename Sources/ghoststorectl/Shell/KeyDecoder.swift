/// Keys from the bytes that a terminal sends (ECMA-48, xterm), a byte at a time.
struct KeyDecoder {
    private enum State {
        case none
        /// Of a character of several bytes of UTF-8, which are to be so many.
        case character([UInt8], count: Int)
        case escaped
        /// Behind `ESC [` or `ESC O`.
        case sequence([UInt8])
        case pasting([UInt8], isOverlong: Bool)
    }

    /// Longer ones mean nothing.
    private static let sequenceBytesMax = 16
    static let pasteBytesMax = 1 << 20
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private var state = State.none

    private static let controls: [UInt8: EditedLine.Key] = [
        0x01: .home, 0x02: .left, 0x03: .interrupt, 0x04: .endOfInput, 0x05: .end, 0x06: .right, 0x08: .backspace,
        0x09: .tab, 0x0A: .enter, 0x0B: .deleteToEnd, 0x0C: .clearScreen, 0x0D: .enter, 0x0E: .down, 0x10: .up,
        0x15: .deleteToStart, 0x17: .deleteWord, 0x19: .putBack, 0x1A: .stop, 0x7F: .backspace,
    ]

    private static let sequences: [String: EditedLine.Key] = [
        "[A": .up, "[B": .down, "[C": .right, "[D": .left, "[H": .home, "[F": .end, "OA": .up, "OB": .down,
        "OC": .right, "OD": .left, "OH": .home, "OF": .end, "[1~": .home, "[3~": .delete, "[4~": .end, "[7~": .home,
        "[8~": .end, "[1;5C": .wordRight, "[1;5D": .wordLeft, "[1;3C": .wordRight, "[1;3D": .wordLeft,
    ]

    private static let escaped: [UInt8: EditedLine.Key] = [
        UInt8(ascii: "b"): .wordLeft, UInt8(ascii: "f"): .wordRight, 0x7F: .deleteWord, 0x08: .deleteWord,
    ]

    /// Whether what comes is text that was pasted.
    var isPasting: Bool {
        if case .pasting = state { true } else { false }
    }

    /// So many bytes can be taken at once without one that is behind a key that is complete.
    var bytesWanted: Int {
        guard case .pasting(let bytes, _) = state else { return 1 }
        let begun = (1..<Self.pasteEnd.count).last { bytes.suffix($0).elementsEqual(Self.pasteEnd.prefix($0)) }
        return Self.pasteEnd.count - (begun ?? 0)
    }

    /// `nil` while more bytes belong to it, and for what is no key.
    mutating func key(_ byte: UInt8) -> EditedLine.Key? {
        switch state {
        case .none: return begin(byte)
        case .character(let bytes, let count): return character(bytes, byte, count)
        case .escaped:
            let isIntroduced = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O")
            state = isIntroduced ? .sequence([byte]) : byte == 0x1B ? .escaped : .none
            return isIntroduced ? nil : Self.escaped[byte]
        case .sequence(let bytes): return sequence(bytes, byte)
        case .pasting(let bytes, let isOverlong):
            // Not held twice while it grows.
            state = .none
            return paste(bytes, byte, isOverlong)
        }
    }

    private mutating func paste(_ bytes: consuming [UInt8], _ byte: UInt8, _ isOverlong: Bool) -> EditedLine.Key? {
        var (bytes, isOverlong) = (bytes, isOverlong)
        bytes.append(byte)
        guard bytes.last == Self.pasteEnd.last, bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) else {
            if bytes.count > Self.pasteBytesMax + Self.pasteEnd.count {
                // A part of it could be another command. The last few stay, of which the end may be made.
                bytes.removeFirst(bytes.count - Self.pasteEnd.count)
                isOverlong = true
            }
            state = .pasting(bytes, isOverlong: isOverlong)
            return nil
        }
        let text = bytes.dropLast(Self.pasteEnd.count)
        guard !isOverlong, text.count <= Self.pasteBytesMax else { return .overlongPaste }
        return .paste(String(decoding: text, as: UTF8.self))
    }

    private mutating func begin(_ byte: UInt8) -> EditedLine.Key? {
        switch byte {
        case 0x1B:
            state = .escaped
            return nil
        case 0x20..<0x7F: return .text(Character(Unicode.Scalar(byte)))
        case 0xC2...0xDF: state = .character([byte], count: 2)
        case 0xE0...0xEF: state = .character([byte], count: 3)
        case 0xF0...0xF4: state = .character([byte], count: 4)
        default: return Self.controls[byte]
        }
        return nil
    }

    /// A byte that does not belong to it begins something else.
    private mutating func character(_ bytes: [UInt8], _ byte: UInt8, _ count: Int) -> EditedLine.Key? {
        state = .none
        guard (0x80...0xBF).contains(byte) else { return begin(byte) }
        let all = bytes + [byte]
        guard all.count == count else {
            state = .character(all, count: count)
            return nil
        }
        return String(validating: all, as: UTF8.self)?.first.map { .text($0) }
    }

    private mutating func sequence(_ bytes: [UInt8], _ byte: UInt8) -> EditedLine.Key? {
        state = .none
        guard byte != 0x1B else { return begin(byte) }
        let all = bytes.count < Self.sequenceBytesMax ? bytes + [byte] : bytes
        // A control sequence ends with a byte of these, the other kind has one.
        guard bytes[0] == UInt8(ascii: "O") || (0x40...0x7E).contains(byte) else {
            state = .sequence(all)
            return nil
        }
        let text = String(decoding: all, as: UTF8.self)
        if text == "[200~" {
            state = .pasting([], isOverlong: false)
            return nil
        }
        return Self.sequences[text]
    }
}
