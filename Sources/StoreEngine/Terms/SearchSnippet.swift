/// A part of a text around its matches.
package struct SearchSnippet: Hashable, Sendable {
    /// The range of the part in the whole text, in bytes.
    package let range: Range<Int>
    /// The ranges of matches in bytes of the part, extended to whole characters; at most
    /// `SearchLimits.snippetMatchesMax`, without overlaps.
    package let matches: [Range<Int>]

    /// - Parameters:
    ///   - text: the whole text in UTF-8.
    ///   - ranges: the matches in the text, in order.
    init(of text: UnsafeRawBufferPointer, around ranges: [Range<Int>]) {
        let wanted = max(0, (ranges.first?.lowerBound ?? 0) - SearchLimits.snippetLeadBytesMax)
        if let plain = Self.plainRange(in: text, from: wanted) {
            self.init(range: plain, matches: Self.matches(ranges, inPlain: plain))
        } else {
            self.init(of: text, around: ranges, from: wanted)
        }
    }

    private init(range: Range<Int>, matches: [Range<Int>]) {
        self.range = range
        self.matches = matches
    }

    /// Creates a snippet of any text, not only of printable ASCII.
    ///
    /// - Parameter wanted: the latest offset at which the snippet begins.
    init(of text: UnsafeRawBufferPointer, around ranges: [Range<Int>], from wanted: Int) {
        let anchor = Self.characterBorder(in: text, before: wanted)
        // Read a limited number of bytes, because a single character may be longer than a snippet.
        let end = Self.scalarBorder(in: text, from: min(text.count, wanted + 2 * SearchLimits.snippetBytesMax))
        let piece = String(decoding: UnsafeRawBufferPointer(rebasing: text[min(anchor, end)..<end]), as: UTF8.self)
        let borders = Self.borders(of: piece, from: anchor)
        let start = borders.last { $0 <= wanted } ?? anchor
        let stop = borders.last { $0 <= start + SearchLimits.snippetBytesMax && $0 > start } ?? borders.last ?? start
        range = start..<max(start, stop)
        matches = Self.matches(ranges, borders: borders.filter { (start...max(start, stop)).contains($0) })
    }

    /// Returns the part that begins at `start` if the part and the bytes next to it are printable ASCII, so that each
    /// byte is a character.
    private static func plainRange(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int>? {
        let stop = min(text.count, start + SearchLimits.snippetBytesMax)
        guard start <= stop else { return nil }
        for byte in text[max(0, start - 1)..<min(text.count, stop + 1)] where !(0x20...0x7E).contains(byte) {
            return nil
        }
        return start..<stop
    }

    private static func matches(_ ranges: [Range<Int>], inPlain part: Range<Int>) -> [Range<Int>] {
        var matches: [Range<Int>] = []
        for range in ranges where range.overlaps(part) && matches.count < SearchLimits.snippetMatchesMax {
            let shown = range.clamped(to: part)
            matches.append(shown.lowerBound - part.lowerBound..<shown.upperBound - part.lowerBound)
        }
        return matches
    }

    /// Clips the ranges to the first and last border, and extends them to whole characters.
    private static func matches(_ ranges: [Range<Int>], borders: [Int]) -> [Range<Int>] {
        guard let start = borders.first, let stop = borders.last else { return [] }
        var matches: [Range<Int>] = []
        for range in ranges {
            guard range.lowerBound < stop, range.upperBound > start, matches.count < SearchLimits.snippetMatchesMax
            else { continue }
            let lower = borders.last { $0 <= range.lowerBound } ?? start
            let upper = borders.first { $0 >= range.upperBound } ?? stop
            if let last = matches.last, lower - start < last.upperBound {
                matches[matches.count - 1] = last.lowerBound..<max(last.upperBound, upper - start)
            } else {
                matches.append(lower - start..<upper - start)
            }
        }
        return matches
    }

    /// Returns the borders of the characters in a piece of a text, as offsets in the whole text. The piece begins at
    /// `offset`.
    private static func borders(of piece: String, from offset: Int) -> [Int] {
        var borders = [offset]
        for character in piece {
            borders.append((borders.last ?? offset) + character.utf8.count)
        }
        return borders
    }

    /// Returns an offset at or before `offset` at which a character begins: the start of the text, or a border between
    /// two printable ASCII characters. If no such border is nearby, returns an offset at which a scalar begins.
    private static func characterBorder(in text: UnsafeRawBufferPointer, before offset: Int) -> Int {
        let nearest = max(0, offset - SearchLimits.snippetBytesMax)
        var index = min(offset, text.count)
        while index > nearest {
            if index < text.count, (0x20...0x7E).contains(text[index]), (0x20...0x7E).contains(text[index - 1]) {
                return index
            }
            index -= 1
        }
        return scalarBorder(in: text, from: nearest)
    }

    private static func scalarBorder(in text: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var index = offset
        while index > 0, index < text.count, text[index] & 0xC0 == 0x80 {
            index -= 1
        }
        return index
    }
}
