import FoundationEssentials
import StoreProtocol

extension Log {
    init(_ wire: WireLog) {
        self.init(
            name: wire.name,
            configuration: LogConfiguration(
                maximumBytes: wire.maximumBytes, overwritesOldest: wire.overwritesOldest),
            createdAt: Timestamp(microseconds: wire.createdAtMicroseconds), createdRevision: wire.createdRevision,
            sequences: wire.firstSequence > 0 && wire.firstSequence <= wire.lastSequence
                ? wire.firstSequence...wire.lastSequence : nil,
            usedBytes: wire.usedBytes)
    }
}

extension LogEntryPage {
    init(_ wire: WireReadLogResponse) {
        self.init(
            entries: wire.entries.map { LogEntry(sequence: $0.sequence, data: [UInt8]($0.data)) },
            hasMore: wire.hasMore_p, log: Log(wire.log),
            identity: HistoryID(bytes: wire.historyID).map {
                LogIdentity(historyID: $0, createdRevision: wire.log.createdRevision)
            })
    }
}

extension LogEntryPage {
    /// - Throws: `.answerUnreadable` for a page that does not go on after the sequence number asked for: whoever
    ///   follows such pages would never come to an end.
    init(_ wire: WireReadLogResponse, after sequence: UInt64) throws(StoreClientError) {
        self.init(wire)
        var last = sequence
        for entry in entries {
            guard entry.sequence > last else {
                throw .answerUnreadable("the daemon's page of a log is not behind the sequence number asked for")
            }
            last = entry.sequence
        }
        guard !hasMore || !entries.isEmpty else {
            throw .answerUnreadable("the daemon's page of a log is empty and not the last")
        }
    }
}

extension LogPage {
    init(_ wire: WireListLogsResponse) {
        self.init(logs: wire.logs.map(Log.init), nextCursor: wire.nextCursor.isEmpty ? nil : wire.nextCursor)
    }
}

extension AppendedEntries {
    init(_ wire: WireAppendLogResponse) throws(StoreClientError) {
        guard wire.firstSequence <= wire.lastSequence else {
            throw .answerUnreadable("the daemon's answer names no messages")
        }
        self.init(sequences: wire.firstSequence...wire.lastSequence, isReplayed: wire.isReplayed)
    }
}

extension WireAppendLogRequest {
    init(_ log: String, _ messages: [[UInt8]], expected: LogConfiguration?) {
        self.init()
        name = log
        maximumBytes = expected?.maximumBytes ?? 0
        overwritesOldest = expected?.overwritesOldest ?? false
        self.messages = messages.map { Data($0) }
    }
}
