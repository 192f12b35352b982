extension Log {
    /// Whether it holds no message now.
    public var isEmpty: Bool { sequences == nil }

    /// The messages it holds now.
    public var messageCount: Int {
        sequences.map { Int(clamping: min($0.upperBound - $0.lowerBound, .max - 1) + 1) } ?? 0
    }
}

/// Tells one log from all others, of its name too: its sequence numbers mean nothing in another. Keep it with the last
/// number read.
public struct LogIdentity: Hashable, Sendable, Codable {
    /// The store's history that the log's numbers are of.
    public var historyID: HistoryID
    /// The revision at which the log was made.
    public var createdRevision: UInt64

    /// As `LogEntryPage.identity` gave it.
    public init(historyID: HistoryID, createdRevision: UInt64) {
        self.historyID = historyID
        self.createdRevision = createdRevision
    }
}

/// How far the entries of all devices of a group were read in one log: for each device a number.
public struct LogPlace: Hashable, Sendable, Codable {
    /// The store's history that it is of.
    public var historyID: HistoryID
    /// As the daemon gave it.
    public var bytes: [UInt8]

    /// As `LogEntryPage.place` gave it.
    public init(historyID: HistoryID, bytes: [UInt8]) {
        self.historyID = historyID
        self.bytes = bytes
    }
}

/// What an append did. When a call returns it, the entries are on disk and survive power loss.
public struct AppendedEntries: Hashable, Sendable, Codable {
    /// Their sequence numbers, in the order of the call.
    public var sequences: ClosedRange<UInt64>
    /// True when an idempotency key made this the repetition of an earlier answer.
    public var isReplayed: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(sequences: ClosedRange<UInt64>, isReplayed: Bool = false) {
        self.sequences = sequences
        self.isReplayed = isReplayed
    }
}

extension LogEntry {
    /// The size of the largest message, in bytes.
    public static let bytesMax = 8 << 20
}
