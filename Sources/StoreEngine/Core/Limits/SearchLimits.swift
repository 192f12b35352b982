/// Limits of full-text search.
package enum SearchLimits {
    /// The most bytes of a query. A longer query is rejected.
    package static let queryBytesMax = 4_096
    /// The deepest nesting of parentheses and NOTs.
    package static let queryDepthMax = 32
    /// The most terms of a query. In scripts without spaces, each pair of characters counts as a term.
    package static let queryTermsMax = 128
    /// The most bytes of a term. Longer words with the same beginning count as the same word.
    package static let termBytesMax = 64
    /// The number of unindexed changes at which writes have to wait for steps of the index. It is large, so that a
    /// client that saves much at once does not have to wait; the time of a search is limited separately.
    package static let unindexedChangesMax: UInt64 = 1 << 20
    /// The number of new changes after which an idle writer processes them even if none of them concerns a message.
    package static let idleChangesMax: UInt64 = 4_096
    /// The number of new changes above which a step runs while clients write constantly. A step for fewer changes would
    /// make a segment of few messages, which would soon have to be merged again.
    package static let sharedChangesMin: UInt64 = 256
    /// The number by which the number of segments is divided to get the index's share of the writer's time while
    /// clients write: 8 segments give a share of 8/256. The share grows with the number of segments, because an index
    /// of many segments is slow to search. `shareRange` limits it.
    package static let segmentsPerShare = 256
    /// The duration of continuous writing after which the index gets its share of the writer's time. During a shorter
    /// burst of writes the index gets no time.
    static let sharePatience = Duration.seconds(10)
    /// The smallest and the largest share of the writer's time that the index gets while clients write.
    package static let shareRange: ClosedRange<Double> = (1.0 / 64)...(1.0 / 8)
    /// The index's largest share of the time while writes wait for the writer.
    static let shareBesideWaitingWrites = 1.0 / 32
    /// The time in milliseconds for which the writer must be idle before it continues with the index.
    package static let idleMilliseconds = 50
    /// The number of edited or deleted messages at which writes wait until their old texts are removed from the index.
    package static let outdatedEntriesMax = 512
    /// The time in seconds for which old texts of edited or deleted messages may stay in the index under constant
    /// writing.
    package static let outdatedEntrySeconds = 5
    /// The number of messages up to which a search scans a conversation instead of using the index.
    package static let scannedMessagesMax = 256
    /// The time in milliseconds after which a page that uses the index ends. The work before and after the look-ups
    /// takes some more time.
    package static let pageMilliseconds: UInt64 = 7
    /// The most matches that one page of a search for the best messages ranks.
    package static let rankedMessagesMax = 1_000
    /// The most bytes of a snippet, and the most bytes of it before the first match.
    package static let snippetBytesMax = 240
    package static let snippetLeadBytesMax = 80
    /// The most matches that are reported for one snippet.
    package static let snippetMatchesMax = 32
}
