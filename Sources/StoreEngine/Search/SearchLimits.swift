/// Bounds of full-text search.
package enum SearchLimits {
    /// Bytes of a query.
    package static let queryBytesMax = 4_096
    /// Parentheses and NOTs inside one another.
    package static let queryDepthMax = 32
    /// Terms of a query, those of unspaced scripts counted one by one.
    package static let queryTermsMax = 128
    /// Bytes of a term: words that begin with the same bytes are the same word.
    package static let termBytesMax = 64
    /// Bytes of a snippet before what it shows is cut off, and how many of them stand before the first match.
    package static let snippetBytesMax = 240
    package static let snippetLeadBytesMax = 80
    /// Matches that are told of one snippet.
    package static let snippetMatchesMax = 32
}
