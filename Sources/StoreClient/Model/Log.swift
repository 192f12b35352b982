import StoreProtocol

extension Log {
    /// True if the log contains no message now.
    public var isEmpty: Bool { sequences == nil }

    /// The number of messages in the log now.
    public var messageCount: Int {
        sequences.map { Int(clamping: min($0.upperBound - $0.lowerBound, .max - 1) + 1) } ?? 0
    }
}

extension AppendedEntries {
    static func sequences(of wire: WireAppendLogResponse) throws(StoreClientError) -> ClosedRange<UInt64> {
        guard wire.firstSequence <= wire.lastSequence else {
            throw .answerUnreadable("the daemon sent a first sequence number greater than the last")
        }
        return wire.firstSequence...wire.lastSequence
    }
}

extension LogEntry {
    /// The size of the largest message, in bytes.
    public static let bytesMax = 8 << 20
}
