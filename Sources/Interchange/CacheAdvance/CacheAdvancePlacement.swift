/// Where the next message goes in a file of bounded size, and which older ones it takes the place of.
package struct CacheAdvancePlacement: Hashable, Sendable {
    /// Where its length starts.
    package let offset: UInt64
    /// Behind its last byte.
    package let end: UInt64
    /// The end of the newest message before it.
    private let endOfPrevious: UInt64
    /// The file is cut at the end of the newest message and writing goes on behind the header.
    package let startsOver: Bool

    package enum Outcome: Hashable, Sendable {
        case fits(CacheAdvancePlacement)
        /// It would not fit an empty file either.
        case largerThanCapacity
        /// The file keeps its old messages and has no room behind the newest one.
        case largerThanRemaining
    }

    /// - Parameters:
    ///   - storedBytes: the message's bytes and those of its length.
    ///   - endOfNewest: where the newest message ends; the end of the header when there is none.
    package static func next(
        storedBytes: UInt64, endOfNewest: UInt64, _ configuration: CacheAdvanceConfiguration
    ) -> Outcome {
        let header = CacheAdvanceLayout.headerBytes
        let maximum = configuration.maximumBytes
        guard maximum >= header, storedBytes <= maximum - header, storedBytes <= CacheAdvanceLayout.storedBytesMax
        else { return .largerThanCapacity }
        if endOfNewest <= maximum, storedBytes <= maximum - endOfNewest {
            return .fits(
                CacheAdvancePlacement(
                    offset: endOfNewest, end: endOfNewest + storedBytes, endOfPrevious: endOfNewest, startsOver: false))
        }
        guard configuration.overwritesOldest else { return .largerThanRemaining }
        return .fits(
            CacheAdvancePlacement(
                offset: header, end: header + storedBytes, endOfPrevious: endOfNewest, startsOver: true))
    }

    /// This and those behind it as one.
    ///
    /// - Parameter last: of messages that go behind each other from this one on; none of them starts over.
    package func joined(through last: CacheAdvancePlacement) -> CacheAdvancePlacement {
        CacheAdvancePlacement(offset: offset, end: last.end, endOfPrevious: endOfPrevious, startsOver: startsOver)
    }

    /// Whether the message that starts at `offset` has to go. Ask from the oldest message on, up to the first that
    /// stays: a message also goes when the new one would only touch it.
    package func displaces(_ offset: UInt64) -> Bool {
        let isBehindPrevious = offset >= endOfPrevious
        return startsOver ? isBehindPrevious || offset <= end : isBehindPrevious && offset <= end
    }
}
