/// Splits a text into terms.
///
/// A word is a term. Text in Korean, and in scripts without spaces between words, forms unspaced runs. The terms of a
/// run are its overlapping pairs of characters and its last character alone: "abcd" has the terms ab, bc, cd and d. So
/// a part of a run is found as a sequence of terms. Emoji are terms, and so is the @ before a name.
struct TermScanner {
    private var list = TermList()
    /// The start of the word that is being read.
    private var wordStart: Int?
    private var wordEnd = 0
    /// The last two characters of an unspaced run. Their pair is not a term yet, because the last character may be
    /// combined with the next scalar.
    private var previous: Unit?
    private var last: Unit?
    /// The offset of an @ that belongs to a word directly after it.
    private var at: Int?

    private struct Unit {
        let scalar: Unicode.Scalar
        let start: Int
        let end: Int
    }

    /// - Parameter text: a text in UTF-8.
    static func terms(of text: UnsafeRawBufferPointer) -> TermList {
        var scanner = TermScanner()
        scanner.scan(text)
        return scanner.list
    }

    static func terms(of text: String) -> TermList {
        var scanner = TermScanner()
        var text = text
        text.withUTF8 { scanner.scan(UnsafeRawBufferPointer($0)) }
        return scanner.list
    }

    /// Splits a text and lends the terms to `body`. Reuses the memory of the previous text.
    ///
    /// - Parameter text: UTF-8; invalid bytes separate words.
    mutating func scan<Result>(
        _ text: UnsafeRawBufferPointer, _ body: (TermList) throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        scan(text)
        return try body(list)
    }

    private mutating func scan(_ text: UnsafeRawBufferPointer) {
        list.removeAll()
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            if byte < 0x80 {
                if let end = Self.keycapEnd(text, offset) {
                    appendKeycap(byte, offset, end)
                    offset = end
                    continue
                }
                scanASCII(byte, at: offset)
                offset += 1
            } else {
                let (scalar, count) = Self.scalar(text, at: offset)
                process(scalar, offset, offset + count)
                offset += count
            }
        }
        endRun()
    }

    @inline(__always)
    private mutating func scanASCII(_ byte: UInt8, at offset: Int) {
        let folded = Self.asciiFolding[Int(byte)]
        if folded != 0 {
            beginWord(offset)
            list.append(ascii: folded)
            wordEnd = offset + 1
        } else {
            endRun()
            at = byte == UInt8(ascii: "@") ? offset : nil
        }
    }

    private mutating func process(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
        switch ScalarFolding.kind(of: scalar) {
        case .ignored:
            break
        case .separator:
            endRun()
        case .invisibleSpace:
            endWord()
            at = nil
        case .word:
            beginWord(start)
            ScalarFolding.fold(scalar) { list.append($0) }
            wordEnd = end
        case .symbol:
            endRun()
            list.append(scalar)
            list.close(textStart: start, textEnd: end, firstEnd: end)
        case .unspaced:
            endWord()
            scanUnspaced(ScalarFolding.foldUnspaced(scalar), start, end)
        }
    }

    private mutating func appendKeycap(_ byte: UInt8, _ start: Int, _ end: Int) {
        endRun()
        list.append(ascii: byte)
        list.append(ScalarFolding.keycap)
        list.close(textStart: start, textEnd: end, firstEnd: end)
    }

    private mutating func beginWord(_ offset: Int) {
        guard wordStart == nil else { return }
        endUnspaced()
        appendAtSign(before: offset)
        wordStart = offset
    }

    private mutating func appendAtSign(before offset: Int) {
        if let at, at + 1 == offset {
            list.append(ascii: UInt8(ascii: "@"))
            list.close(textStart: at, textEnd: offset, firstEnd: offset)
        }
        at = nil
    }

    private mutating func scanUnspaced(_ scalar: Unicode.Scalar, _ start: Int, _ end: Int) {
        guard let unit = last else {
            appendAtSign(before: start)
            last = Unit(scalar: scalar, start: start, end: end)
            return
        }
        if let composed = ScalarFolding.composed(unit.scalar, scalar) {
            last = Unit(scalar: composed, start: unit.start, end: end)
            return
        }
        appendPair()
        previous = unit
        last = Unit(scalar: scalar, start: start, end: end)
    }

    /// Appends the pair of the run's last two characters as a term.
    private mutating func appendPair() {
        guard let previous, let last else { return }
        list.append(previous.scalar)
        list.append(last.scalar)
        list.close(textStart: previous.start, textEnd: last.end, firstEnd: previous.end)
    }

    private mutating func endRun() {
        endWord()
        endUnspaced()
        at = nil
    }

    private mutating func endWord() {
        guard let start = wordStart else { return }
        list.close(textStart: start, textEnd: wordEnd, firstEnd: wordEnd)
        wordStart = nil
    }

    private mutating func endUnspaced() {
        guard let unit = last else { return }
        appendPair()
        list.append(unit.scalar)
        list.close(textStart: unit.start, textEnd: unit.end, firstEnd: unit.end, isEndOfRun: true)
        previous = nil
        last = nil
    }

    /// Returns the end of a keycap emoji that begins at an offset: a digit, # or *, usually a variation selector, and
    /// the combining keycap.
    @inline(__always)
    private static func keycapEnd(_ text: UnsafeRawBufferPointer, _ offset: Int) -> Int? {
        guard offset + 3 < text.count, text[offset + 1] >= 0xE2 else { return nil }
        switch text[offset] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "#"), UInt8(ascii: "*"): break
        default: return nil
        }
        var end = offset + 1
        while end < text.count {
            let (scalar, count) = self.scalar(text, at: end)
            if scalar == ScalarFolding.keycap { return end + count }
            guard scalar.properties.isVariationSelector else { return nil }
            end += count
        }
        return nil
    }

    /// Returns the scalar at an offset and the number of its bytes; a space and 1 for a byte that is not valid UTF-8.
    private static func scalar(_ text: UnsafeRawBufferPointer, at offset: Int) -> (Unicode.Scalar, Int) {
        let first = text[offset]
        let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC0, offset + count <= text.count else { return (" ", 1) }
        var value = UInt32(first & (0xFF >> UInt8(count + 1)))
        for index in 1..<count {
            let next = text[offset + index]
            guard next & 0xC0 == 0x80 else { return (" ", 1) }
            value = value << 6 | UInt32(next & 0x3F)
        }
        return (Unicode.Scalar(value) ?? " ", count)
    }

    /// The folded form of each ASCII byte; 0 if the byte is not part of any term.
    private static let asciiFolding: [UInt8] = (UInt8(0)..<128).map { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: 0
        }
    }
}
