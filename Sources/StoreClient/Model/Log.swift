/// What is fixed for the life of an append log.
public struct LogConfiguration: Hashable, Sendable, Codable {
    /// Most bytes the log takes, 64 to 2^40: a header of 64, then each message with four bytes of length.
    public var maximumBytes: UInt64
    /// Once the log is full: true lets new messages take the place of the oldest ones, false refuses them.
    public var overwritesOldest: Bool

    /// The daemon refuses bounds outside of what the properties say.
    public init(maximumBytes: UInt64, overwritesOldest: Bool) {
        self.maximumBytes = maximumBytes
        self.overwritesOldest = overwritesOldest
    }
}

/// An append log as the store has it.
public struct Log: Hashable, Sendable, Codable {
    /// 1 to 256 bytes.
    public var name: String
    /// What it was made with.
    public var configuration: LogConfiguration
    /// When it was made, by the daemon's clock.
    public var createdAt: Timestamp
    /// The store's revision at which it was made: no other log of its name in this history of the store has it. 0 for a
    /// caller without the right to read the log.
    public var createdRevision: UInt64
    /// The sequence numbers of the oldest and the newest entry; `nil` when it holds none. They start at 1, have no
    /// gaps and are never used again.
    public var sequences: ClosedRange<UInt64>?
    /// Bytes its messages take, with their lengths.
    public var usedBytes: UInt64
    /// What is appended to it is told to the other devices of the store's group, and theirs can be read here.
    public var isReplicated: Bool

    /// For tests and previews: the calls of a client make their own.
    public init(
        name: String, configuration: LogConfiguration, createdAt: Timestamp, createdRevision: UInt64 = 0,
        sequences: ClosedRange<UInt64>? = nil, usedBytes: UInt64 = 0, isReplicated: Bool = false
    ) {
        self.name = name
        self.configuration = configuration
        self.createdAt = createdAt
        self.createdRevision = createdRevision
        self.sequences = sequences
        self.usedBytes = usedBytes
        self.isReplicated = isReplicated
    }

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

/// One entry of a log: a message in its place.
public struct LogEntry: Hashable, Sendable, Codable {
    /// Its number in the log: the first is 1, and none is left out or used again. Each device of a group counts its
    /// own.
    public var sequence: UInt64
    /// What was appended: 1 byte to ``bytesMax``.
    public var data: [UInt8]
    /// The device of the group that has appended it; `nil`: this store. Only reads of all devices have others.
    public var device: ReplicaDeviceID?
    /// When it was appended, by that device's clock: of reads of all devices, as far as it is known.
    public var appendedAt: Timestamp?

    /// Most bytes of a message: 8 MiB.
    public static let bytesMax = 8 << 20

    /// For tests and previews: the calls of a client make their own.
    public init(sequence: UInt64, data: [UInt8], device: ReplicaDeviceID? = nil, appendedAt: Timestamp? = nil) {
        self.sequence = sequence
        self.data = data
        self.device = device
        self.appendedAt = appendedAt
    }
}

/// A page of the entries of a log, oldest first. A first sequence number above the one asked for means that those
/// between were overwritten.
public struct LogEntryPage: ListPage, Codable {
    /// At most as many as were asked for; fewer where they are large.
    public var entries: [LogEntry]
    /// Whether newer entries were there already.
    public var hasMore: Bool
    /// The log as of the same moment.
    public var log: Log
    /// Which log this is; `nil` from a daemon that does not tell.
    public var identity: LogIdentity?
    /// Of a read of all devices: where the next page begins, also behind a page without entries.
    public var place: LogPlace?

    /// For tests and previews: the calls of a client make their own.
    public init(
        entries: [LogEntry], hasMore: Bool = false, log: Log, identity: LogIdentity? = nil, place: LogPlace? = nil
    ) {
        self.entries = entries
        self.hasMore = hasMore
        self.log = log
        self.identity = identity
        self.place = place
    }

    /// `entries`.
    public var elements: [LogEntry] { entries }
}

/// A page of logs by the bytes of their names.
public struct LogPage: ListPage, CursorPage, Codable {
    /// At most as many as were asked for.
    public var logs: [Log]
    /// Where the next page starts; `nil` on the last one.
    public var nextCursor: String?

    /// For tests and previews: the calls of a client make their own.
    public init(logs: [Log], nextCursor: String? = nil) {
        self.logs = logs
        self.nextCursor = nextCursor
    }

    /// `logs`.
    public var elements: [Log] { logs }
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
