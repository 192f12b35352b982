/// The position of the next message in a file of limited size. The position determines the older messages that the next
/// message displaces.
package struct CacheAdvancePlacement: Hashable, Sendable {
    /// The offset of the message's length.
    package let offset: UInt64
    /// The offset after the message's last byte.
    package let end: UInt64
    /// The end of the message that was written last before this one.
    private let endOfPrevious: UInt64
    /// True if the message is written directly after the header, because it does not fit after the previous message.
    /// The file is then truncated at the end of the previous message.
    package let startsOver: Bool

    package enum Outcome: Hashable, Sendable {
        case fits(CacheAdvancePlacement)
        /// The message would not fit into an empty file either.
        case largerThanCapacity
        /// The file does not displace messages and has no room after the newest one.
        case largerThanRemaining
    }

    /// Returns the placement of the next message, or the reason for which it does not fit.
    ///
    /// - Parameters:
    ///   - storedBytes: the number of bytes that the message takes in the file, including its length field.
    ///   - endOfNewest: the end of the newest message; the end of the header if there are no messages.
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

    /// Returns one placement that covers several consecutive messages, from this placement through `last`.
    ///
    /// - Parameter last: the placement of the last of these messages. Only the first of them may start over.
    package func joined(through last: CacheAdvancePlacement) -> CacheAdvancePlacement {
        CacheAdvancePlacement(offset: offset, end: last.end, endOfPrevious: endOfPrevious, startsOver: startsOver)
    }

    /// Returns true if the new message displaces the old message that starts at `offset`. An old message that starts
    /// exactly at the end of the new one is displaced, too. Call this for one message after the other, beginning with
    /// the oldest, until it returns false.
    package func displaces(_ offset: UInt64) -> Bool {
        let isBehindPrevious = offset >= endOfPrevious
        return startsOver ? isBehindPrevious || offset <= end : isBehindPrevious && offset <= end
    }
}
