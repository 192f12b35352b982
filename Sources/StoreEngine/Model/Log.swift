/// What an application calls an append log: 1 to 256 bytes of UTF-8 without NUL. The same when its bytes are.
public struct LogName: Hashable, Sendable {
    public static let bytesMax = 256

    public let text: String

    /// - Throws: `StoreError` with reason `.invalidArgument` when the text is empty, too long or holds a NUL.
    public init(_ text: String) throws(StoreError) {
        try TextRule.check(text, named: "log name", bytesMax: Self.bytesMax)
        self.text = text
    }

    init(trusted text: String) {
        self.text = text
    }

    public static func == (left: LogName, right: LogName) -> Bool {
        TextRule.isSame(left.text, right.text)
    }

    public func hash(into hasher: inout Hasher) {
        TextRule.hash(text, into: &hasher)
    }
}

/// What is fixed for the life of a log.
public struct LogConfiguration: Hashable, Sendable {
    /// Most bytes the log takes, counted as the CacheAdvance file format counts: a header of 64, then each message with
    /// four of length.
    public var maximumBytes: UInt64
    /// New messages take the place of the oldest ones once the log is full.
    public var overwritesOldMessages: Bool

    public init(maximumBytes: UInt64, overwritesOldMessages: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldMessages = overwritesOldMessages
    }
}

/// Messages for the end of a log.
public struct LogAppend: Hashable, Sendable {
    public var log: LogName
    /// The configuration the writer opened the log with; `nil` takes the log as it is.
    public var expected: LogConfiguration?
    /// 1 to `EngineLimits.requestEntitiesMax`, none of them empty.
    public var messages: [[UInt8]]

    public init(log: LogName, expected: LogConfiguration?, messages: [[UInt8]]) {
        self.log = log
        self.expected = expected
        self.messages = messages
    }
}

/// A log as a reader gets it.
public struct LogInfo: Hashable, Sendable {
    public var name: LogName
    public var configuration: LogConfiguration
    public var createdAt: Timestamp
    /// The first and last message it holds; `nil` when it holds none. Sequence numbers start at 1 and have no gaps.
    public var sequences: ClosedRange<UInt64>?
    /// Bytes its messages take, with their lengths.
    public var usedBytes: UInt64

    public var messageCount: UInt64 {
        sequences.map { $0.upperBound - $0.lowerBound + 1 } ?? 0
    }
}

public struct LogEntry: Hashable, Sendable {
    public var sequence: UInt64
    public var data: [UInt8]
}

/// The messages of a log after one that was read before.
public struct LogQuery: Hashable, Sendable {
    public var log: LogName
    /// 0 starts at the oldest message that is still there.
    public var afterSequence: UInt64
    /// 1 to `EngineLimits.pageRowsMax`.
    public var limit: Int

    public init(log: LogName, afterSequence: UInt64 = 0, limit: Int = EngineLimits.pageRowsDefault) {
        self.log = log
        self.afterSequence = afterSequence
        self.limit = limit
    }
}

/// Messages in the order they were appended. A first sequence number above the one asked for means that those between
/// were overwritten.
public struct LogPage: Sendable {
    public var info: LogInfo
    public var entries: [LogEntry]
    public var hasMore: Bool
}

/// A page of logs by name.
public struct LogListPage: Sendable {
    public var logs: [LogInfo]
    /// `nil` on the last page.
    public var nextCursor: String?
}
