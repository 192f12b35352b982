import StoreProtocol

extension LogEntryPage: NumberedPage {
    static func number(of entry: LogEntry) -> UInt64 {
        entry.sequence
    }

    var nextStart: UInt64? {
        hasMore ? entries.last?.sequence ?? 0 : nil
    }
}

extension AppendedEntries {
    init(_ wire: WireAppendLogResponse) throws(StoreClientError) {
        guard wire.firstSequence <= wire.lastSequence else {
            throw .answerUnreadable("the daemon's answer has no numbers of the appended messages")
        }
        self.init(sequences: wire.firstSequence...wire.lastSequence, isReplayed: wire.isReplayed)
    }
}
