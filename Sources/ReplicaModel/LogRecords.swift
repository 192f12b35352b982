import StoreBasics

/// Consecutive entries that one device has appended to a log. Entries of different devices are not merged: each device
/// has a sequence of its own, so that a group's log consists of one log for each device that has written to it.
package struct LogEntriesRecord: Hashable, Sendable {
    package static let entriesMax = 1_000

    package struct Entry: Hashable, Sendable {
        /// The time at which the entry was appended. The time and the record's device form a stamp.
        package var time: UInt64
        package var data: [UInt8]
        /// The encoded metadata of the entry.
        package var metadata: [UInt8]?

        package init(time: UInt64, data: [UInt8], metadata: [UInt8]? = nil) {
            self.time = time
            self.data = data
            self.metadata = metadata
        }

        package var byteCount: Int { data.count + (metadata?.count ?? 0) }
    }

    package var name: String
    /// The settings of the log, with which a device that does not have the log creates it.
    package var value: [UInt8]
    /// The device that appended the entries.
    package var device: UInt64
    /// The time at which the device opened its log. It distinguishes the log from an earlier one with the same name.
    package var opened: UInt64
    /// The sequence number of the oldest entry in the device's log when the device made this record.
    package var oldestSequence: UInt64
    /// The sequence number of the first of `entries`.
    package var firstSequence: UInt64
    /// 1 to `entriesMax` entries.
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

    /// True if the entries are in ascending order of their times, as a device appends them. The removal of entries
    /// requires this order, because it removes all entries up to a time from the start of the log.
    package var isInOrderOfTime: Bool { zip(entries, entries.dropFirst()).allSatisfy { $0.time <= $1.time } }

    package func stamp(of entry: Entry) -> ReplicaStamp { ReplicaStamp(time: entry.time, device: device) }
}
