package import StoreBasics

/// The properties of a log that never change after its creation.
package struct LogConfiguration: Hashable, Sendable {
    /// The most bytes of the log, counted as in the CacheAdvance file format: 64 bytes for the header, and the bytes of
    /// each entry (`LogEntrySize`).
    package var maximumBytes: UInt64
    /// True if new messages overwrite the oldest ones when the log is full.
    package var overwritesOldest: Bool

    package init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

package struct LogAppend: Hashable, Sendable {
    package var log: LogName
    /// The configuration with which the client opened the log; `nil` to accept any.
    package var expected: LogConfiguration?
    /// The messages: 1 to `EngineLimits.requestEntitiesMax`, none of them empty.
    package var messages: [[UInt8]]
    /// The metadata of each message; empty if no message has metadata.
    package var metadata: [Metadata?]

    package init(log: LogName, expected: LogConfiguration?, messages: [[UInt8]], metadata: [Metadata?] = []) {
        self.log = log
        self.expected = expected
        self.messages = messages
        self.metadata = metadata
    }

    /// - Parameter index: The index of the message in `messages`.
    /// - Returns: `nil` if the message has no metadata.
    func metadata(of index: Int) -> Metadata? { metadata.isEmpty ? nil : metadata[index] }
}

/// A log without its messages, as readers get it.
package struct Log: Hashable, Sendable {
    package var name: LogName
    package var configuration: LogConfiguration
    /// True if the entries are published to the replica group.
    package var isReplicated = false
    package var createdAt: Timestamp
    /// The revision at which the log was created. It distinguishes the log from other logs with the same name in the
    /// same history.
    package var createdRevision: UInt64
    /// The first and the last sequence number; `nil` without messages. Sequence numbers start at 1 and have no gaps.
    package var sequences: ClosedRange<UInt64>?
    /// The number of bytes of the log's entries (`LogEntrySize`).
    package var usedBytes: UInt64

    package var messageCount: UInt64 {
        sequences.map { $0.upperBound - $0.lowerBound + 1 } ?? 0
    }
}

/// A log that has new entries to read.
package struct LogNews: Hashable, Sendable {
    package var name: LogName
    /// True if the entries were appended on this device, and have to be published to the group.
    package var needsPublishing: Bool
}

package struct LogEntry: Hashable, Sendable {
    /// The sequence number. Each device of a group counts its own entries.
    package var sequence: UInt64
    package var data: [UInt8]
    /// The device of the group that appended the entry; `nil` for this store.
    package var device: UInt64?
    /// The time at which the entry was appended. It is known only for entries of replicated logs; otherwise it is
    /// `nil`.
    package var appendedAt: Timestamp?
    package var metadata: Metadata?

    /// The bytes that count for the size of a page.
    var byteCount: Int { data.count + (metadata?.bytes.count ?? 0) }
}

/// A query for the messages of a log that come after a given message.
package struct LogQuery: Hashable, Sendable {
    package var log: LogName
    /// The revision at which the log was created; `nil` for any log with the name.
    package var createdRevision: UInt64?
    /// The sequence number after which to read; 0 for the oldest existing message.
    package var afterSequence: UInt64
    /// The most messages of a page, 1 to `EngineLimits.pageRowsMax`.
    package var limit: Int
    /// The position after which to read the entries of all devices of the group, instead of `afterSequence`; `nil` to
    /// read only the entries of this store.
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

/// Messages in the order in which they were appended. If the first sequence number is greater than the requested one,
/// the messages between were overwritten.
package struct LogPage: Sendable {
    package var info: Log
    package var entries: [LogEntry]
    package var hasMore: Bool
    /// The history to which the sequence numbers belong.
    package var history: HistoryID
    /// The position of the next page, if entries of all devices were read.
    package var place: LogPlace?
}

/// A page of logs, in the order of their names.
package struct LogListPage: Sendable {
    package var logs: [Log]
    /// The cursor of the next page; `nil` on the last page.
    package var nextCursor: String?
}
