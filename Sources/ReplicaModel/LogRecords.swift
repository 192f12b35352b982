import StoreBasics

/// Entries that one device has appended to a log, one behind the other: what devices append is never merged with each
/// other, so that a log of a group is as many logs as devices have written it.
package struct LogEntriesRecord: Hashable, Sendable {
    package static let entriesMax = 1_000

    package struct Entry: Hashable, Sendable {
        /// When it was appended: with the device a stamp.
        package var time: UInt64
        package var data: [UInt8]

        package init(time: UInt64, data: [UInt8]) {
            self.time = time
            self.data = data
        }
    }

    package var name: String
    /// What the log was opened with there, for who does not have it.
    package var value: [UInt8]
    /// Who has appended them.
    package var device: UInt64
    /// Tells a device's log from another that it had under this name before.
    package var opened: UInt64
    /// The oldest that the device's log still had: what comes before is gone.
    package var oldestSequence: UInt64
    /// Of the first of the entries.
    package var firstSequence: UInt64
    /// 1 to `entriesMax`.
    package var entries: [Entry]

    package init(
        name: String, value: [UInt8], device: UInt64, opened: UInt64, oldestSequence: UInt64, firstSequence: UInt64,
        entries: [Entry] = []
    ) {
        self.name = name
        self.value = value
        self.device = device
        self.opened = opened
        self.oldestSequence = oldestSequence
        self.firstSequence = firstSequence
        self.entries = entries
    }

    package var newestTime: UInt64 { entries.map(\.time).max() ?? 0 }

    /// As a device appends them: a removal takes the first of them, as many as are not later than it.
    package var isInOrderOfTime: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time } }

    package func stamp(of entry: Entry) -> ReplicaStamp { ReplicaStamp(time: entry.time, device: device) }
}
