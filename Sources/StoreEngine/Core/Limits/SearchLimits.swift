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
    /// Changes that may be committed before saves wait for steps of the index: what a search looks through by itself is
    /// bounded by time, and who saves much at once is not to wait.
    package static let unindexedChangesMax: UInt64 = 1 << 20
    /// Changes of other things than messages before they are passed over when there is nothing else to do.
    package static let idleChangesMax: UInt64 = 4_096
    /// The number of new changes that a step during constant writing leaves alone, because a segment of few messages
    /// would have to be merged again.
    package static let sharedChangesMin: UInt64 = 256
    /// While others write, the index gets 1/256 of the writer's time for each segment that it has, because an index of
    /// many segments is slow to search.
    package static let segmentsPerShare = 256
    /// The time of writes without a pause after which the index gets its share. A shorter burst has the whole writer.
    static let sharePatience = Duration.seconds(10)
    /// The least and the greatest share of the writer's time.
    package static let shareRange: ClosedRange<Double> = (1.0 / 64)...(1.0 / 8)
    /// The greatest share while writes wait for the writer.
    static let shareBesideWaitingWrites = 1.0 / 32
    /// How long the writer has nothing to do before it goes on with the index.
    package static let idleMilliseconds = 50
    /// Messages that were edited or deleted before writes wait until they are taken out of the index.
    package static let outdatedEntriesMax = 512
    /// How long what they said may stay in it under constant writing.
    package static let outdatedEntrySeconds = 5
    /// Messages of a conversation that are looked through rather than looked up.
    package static let scannedMessagesMax = 256
    /// Milliseconds after which a page ends that is looked up: what is done before and after it takes some more.
    package static let pageMilliseconds: UInt64 = 7
    /// Messages of which a page puts the best first.
    package static let rankedMessagesMax = 1_000
    /// Bytes of a snippet before what it shows is cut off, and how many of them stand before the first match.
    package static let snippetBytesMax = 240
    package static let snippetLeadBytesMax = 80
    /// Matches that are told of one snippet.
    package static let snippetMatchesMax = 32
}
