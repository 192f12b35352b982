/// The number of a field of a thing. Each field has a stamp of its own. The numbers for contacts and conversations are
/// the field numbers of their messages in archives.proto. A number that this version does not know is merged like any
/// other.
package struct FieldNumber: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The allowed numbers, including those that only later versions use.
    package static let all: ClosedRange<UInt64> = 1...63

    /// The id of a thing and the time of its creation. The field survives the thing's removal, so that the thing can
    /// get the same id again.
    package static let identity = FieldNumber(rawValue: 1)

    package static func < (left: FieldNumber, right: FieldNumber) -> Bool { left.rawValue < right.rawValue }
}

/// A changed field with its new value.
package struct FieldRecord: Hashable, Sendable {
    package var field: FieldNumber
    package var stamp: ReplicaStamp
    /// The new value: the encoded fields of the message in archives.proto that describes the thing. It is `nil` if the
    /// field now has no value.
    package var value: [UInt8]?
    /// The stamp of the earlier change that this change replaced on the device that made it. It is `nil` in records
    /// that repeat a change, and for fields without lost edits (see docs/glossary.md).
    package var basis: ReplicaStamp?

    package init(field: FieldNumber, stamp: ReplicaStamp, value: [UInt8]?, basis: ReplicaStamp? = nil) {
        self.field = field
        self.stamp = stamp
        self.value = value
        self.basis = basis
    }
}

/// The changed fields of a thing in a batch. Records of one thing may be merged in any order and any number of times.
package struct ThingRecord: Hashable, Sendable {
    package var name: ThingName
    /// The stamp of the last removal. All earlier changes are void. Zero if the thing was never removed.
    package var removal: ReplicaStamp
    /// The time at which the thing was last updated, in microseconds since 1970. If several records have a time, the
    /// latest one is kept.
    package var touchedAt: Int64
    /// The fields in the order of their numbers.
    package var fields: [FieldRecord]

    package init(name: ThingName, removal: ReplicaStamp = .zero, touchedAt: Int64 = 0, fields: [FieldRecord] = []) {
        self.name = name
        self.removal = removal
        self.touchedAt = touchedAt
        self.fields = fields
    }

    /// The latest time of all stamps in the record.
    package var newestTime: UInt64 {
        max(removal.time, fields.map(\.stamp.time).max() ?? 0)
    }
}

/// A digest by which values are compared without storing them.
package struct ValueDigest: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The digest of a missing value, which is the least.
    package static let none = ValueDigest(high: 0, low: 0)

    package static func < (left: ValueDigest, right: ValueDigest) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
