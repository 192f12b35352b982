extension SearchSnippet {
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
