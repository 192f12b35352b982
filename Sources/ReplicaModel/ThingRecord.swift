/// The number of a field of a thing, each of which has a stamp of its own. Contacts and conversations have the numbers
/// of their messages in archives.proto. A number that this version does not know is merged like any other.
package struct FieldNumber: RawRepresentable, Hashable, Comparable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The numbers that later versions may use.
    package static let all: ClosedRange<UInt64> = 1...63

    /// The id that a thing was given and when it was made. Outlives its removal, which is what it is known again by.
    package static let identity = FieldNumber(rawValue: 1)

    package static func < (left: FieldNumber, right: FieldNumber) -> Bool { left.rawValue < right.rawValue }
}

/// A field with what it was changed to.
package struct FieldRecord: Hashable, Sendable {
    package var field: FieldNumber
    package var stamp: ReplicaStamp
    /// Fields of the message in archives.proto that describes the thing; `nil`: it has none, or there is none of this
    /// thing.
    package var value: [UInt8]?

    package init(field: FieldNumber, stamp: ReplicaStamp, value: [UInt8]?) {
        self.field = field
        self.stamp = stamp
        self.value = value
    }
}

/// What a batch says of a thing: those of its fields that were changed. Records of one thing may be merged in any order
/// and any number of times.
package struct ThingRecord: Hashable, Sendable {
    package var name: ThingName
    /// What was changed until then is gone; zero: it was never removed.
    package var removal: ReplicaStamp
    /// When the thing last counted as updated, in microseconds; the latest holds.
    package var touchedAt: Int64
    /// With ascending numbers.
    package var fields: [FieldRecord]

    package init(name: ThingName, removal: ReplicaStamp = .zero, touchedAt: Int64 = 0, fields: [FieldRecord] = []) {
        self.name = name
        self.removal = removal
        self.touchedAt = touchedAt
        self.fields = fields
    }

    /// The latest stamp in it.
    package var newestTime: UInt64 {
        max(removal.time, fields.map(\.stamp.time).max() ?? 0)
    }
}

/// Tells values apart without keeping them.
package struct ValueDigest: Hashable, Comparable, Sendable {
    package var high: UInt64
    package var low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// That of no value: least.
    package static let none = ValueDigest(high: 0, low: 0)

    package static func < (left: ValueDigest, right: ValueDigest) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
