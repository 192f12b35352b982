import StoreProtocol

/// A part of a text around what was found in it.
public struct SearchSnippet: Hashable, Sendable, Codable {
    /// At most 240 bytes of UTF-8, whole characters.
    public var text: String
    /// Where it begins in the whole text, in bytes of UTF-8.
    public var offset: Int
    /// What was found in `text`, in bytes of UTF-8: at most 32, in order, none overlapping another.
    public var matches: [Range<Int>]

    /// For tests and previews: the calls of a client make their own.
    public init(text: String, offset: Int = 0, matches: [Range<Int>] = []) {
        self.text = text
        self.offset = offset
        self.matches = matches
    }

    /// `matches` as places of `text`; those that lie outside it are left out.
    public var matchedRanges: [Range<String.Index>] {
        matches.compactMap { match in
            let bytes = text.utf8
            guard let lower = bytes.index(bytes.startIndex, offsetBy: match.lowerBound, limitedBy: bytes.endIndex),
                let upper = bytes.index(lower, offsetBy: match.count, limitedBy: bytes.endIndex)
            else { return nil }
            return lower..<upper
        }
    }
}

extension SearchSnippet {
    init(_ wire: WireFoundMessage) {
        self.init(
            text: wire.snippet, offset: Int(wire.snippetOffset),
            matches: wire.matches.map { Int($0.offset)..<(Int($0.offset) + Int($0.count)) })
    }
}
