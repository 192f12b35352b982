/// What is fixed for the life of an append log.
public struct LogConfiguration: Hashable, Sendable {
    /// Most bytes the log takes, 64 to 2^40: a header of 64, then each message with four bytes of length.
    public var maximumBytes: UInt64
    /// Once the log is full: true lets new messages take the place of the oldest ones, false refuses them.
    public var overwritesOldest: Bool

    public init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

/// An append log as the store has it.
public struct Log: Hashable, Sendable {
    public var name: String
    public var configuration: LogConfiguration
    public var createdAt: Timestamp
    /// The sequence numbers of the oldest and the newest message; `nil` when it holds none. They start at 1, have no
    /// gaps and are never used again.
    public var sequences: ClosedRange<UInt64>?
    /// Bytes its messages take, with their lengths.
    public var usedBytes: UInt64

    public var isEmpty: Bool { sequences == nil }

    public var messageCount: UInt64 {
        sequences.map { $0.upperBound - $0.lowerBound + 1 } ?? 0
    }
}

/// One message of a log.
public struct LogEntry: Hashable, Sendable {
    public var sequence: UInt64
    public var data: [UInt8]
}

/// Messages of a log, oldest first. A first sequence number above the one asked for means that those between were
/// overwritten.
public struct LogPage: Hashable, Sendable {
    public var entries: [LogEntry]
    public var hasMore: Bool
    /// The log as of the same moment.
    public var log: Log
}

/// A page of logs by the bytes of their names.
public struct LogListPage: Hashable, Sendable {
    public var logs: [Log]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?
}

/// What an append did. When a call returns it, the messages are on disk and survive power loss.
public struct AppendedMessages: Hashable, Sendable {
    /// Their sequence numbers, in the order of the call.
    public var sequences: ClosedRange<UInt64>
    /// True when an idempotency key made this the repetition of an earlier answer.
    public var isReplayed: Bool
}
