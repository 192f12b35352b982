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
            usedBytes: wire.usedBytes, isReplicated: wire.isReplicated)
    }
}

extension LogEntryPage: NumberedPage {
    static func number(of entry: LogEntry) -> UInt64 {
        entry.sequence
    }

    var nextStart: UInt64? {
        hasMore ? entries.last?.sequence ?? 0 : nil
    }

    init(_ wire: WireReadLogResponse) {
        let history = HistoryID(bytes: wire.historyID)
        self.init(
            entries: wire.entries.map(LogEntry.init), hasMore: wire.hasMore_p, log: Log(wire.log),
            identity: history.map { LogIdentity(historyID: $0, createdRevision: wire.log.createdRevision) },
            place: wire.place.isEmpty ? nil : history.map { LogPlace(historyID: $0, bytes: [UInt8](wire.place)) })
    }
}

extension LogEntry {
    fileprivate init(_ wire: WireLogEntry) {
        self.init(
            sequence: wire.sequence, data: [UInt8](wire.data),
            device: wire.device == 0 ? nil : ReplicaDeviceID(number: wire.device),
            appendedAt: wire.appendedAtMicroseconds == 0
                ? nil : Timestamp(microseconds: wire.appendedAtMicroseconds))
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
