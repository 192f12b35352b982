extension SearchSnippet {
    /// The ranges of `matches` in `text`. Ranges outside the text are omitted.
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
