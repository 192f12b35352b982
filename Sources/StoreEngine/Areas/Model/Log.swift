package import StoreBasics

/// What is fixed for the life of a log.
package struct LogConfiguration: Hashable, Sendable {
    /// Most bytes the log takes, counted as the CacheAdvance file format counts: a header of 64, then each message with
    /// four of length.
    package var maximumBytes: UInt64
    /// New messages take the place of the oldest ones once the log is full.
    package var overwritesOldest: Bool

    package init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

/// Messages for the end of a log.
package struct LogAppend: Hashable, Sendable {
    package var log: LogName
    /// The configuration the writer opened the log with; `nil` takes the log as it is.
    package var expected: LogConfiguration?
    /// 1 to `EngineLimits.requestEntitiesMax`, none of them empty.
    package var messages: [[UInt8]]

    package init(log: LogName, expected: LogConfiguration?, messages: [[UInt8]]) {
        self.log = log
        self.expected = expected
        self.messages = messages
    }
}

/// A log as a reader gets it.
package struct Log: Hashable, Sendable {
    package var name: LogName
    package var configuration: LogConfiguration
    /// It takes part in the store's group.
    package var isReplicated = false
    package var createdAt: Timestamp
    /// Tells it from other logs of its name in the same history.
    package var createdRevision: UInt64
    /// The first and last message it holds; `nil` when it holds none. Sequence numbers start at 1 and have no gaps.
    package var sequences: ClosedRange<UInt64>?
    /// Bytes its messages take, with their lengths.
    package var usedBytes: UInt64

    package var messageCount: UInt64 {
        sequences.map { $0.upperBound - $0.lowerBound + 1 } ?? 0
    }
}

/// There is something new to read in a log.
package struct LogNews: Hashable, Sendable {
    package var name: LogName
    /// It was appended here, and the store's group is to be told of it.
    package var isToBeTold: Bool
}

package struct LogEntry: Hashable, Sendable {
    /// Each device of a group counts its own.
    package var sequence: UInt64
    package var data: [UInt8]
    /// The device of the group that has appended it; `nil`: this store.
    package var device: UInt64?
    /// When, as far as it is known: of entries of logs that take part in a group.
    package var appendedAt: Timestamp?
}

/// The messages of a log after one that was read before.
package struct LogQuery: Hashable, Sendable {
    package var log: LogName
    /// The revision at which it was made; `nil`: whichever log has the name.
    package var createdRevision: UInt64?
    /// 0 starts at the oldest message that is still there.
    package var afterSequence: UInt64
    /// 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// `nil` reads what was appended here; else what every device of the group has appended, as far as it is here,
    /// behind a place instead of `afterSequence`.
    package var ofAllDevices: LogPlace?

    package init(
        log: LogName, createdRevision: UInt64? = nil, afterSequence: UInt64 = 0,
        limit: Int = EngineLimits.pageRowsDefault, ofAllDevices: LogPlace? = nil
    ) {
        self.log = log
        self.createdRevision = createdRevision
        self.afterSequence = afterSequence
        self.limit = limit
        self.ofAllDevices = ofAllDevices
    }
}

/// Messages in the order they were appended. A first sequence number above the one asked for means that those between
/// were overwritten.
package struct LogPage: Sendable {
    package var info: Log
    package var entries: [LogEntry]
    package var hasMore: Bool
    /// The history that its numbers are of.
    package var history: HistoryID
    /// Where the next page begins, of a read of all devices.
    package var place: LogPlace?
}

/// A page of logs by name.
package struct LogListPage: Sendable {
    package var logs: [Log]
    /// `nil` on the last page.
    package var nextCursor: String?
}
