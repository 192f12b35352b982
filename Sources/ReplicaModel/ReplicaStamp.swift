package import StoreBasics

/// When something was changed, and by which device: a time of a hybrid logical clock (Kulkarni and others 2014,
/// https://cse.buffalo.edu/tech-reports/2014-04.pdf). Two changes of one thing never have the same stamp, except for
/// things that were there before their stores had a group: these have device 0.
package struct ReplicaStamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z in the upper 48 bits, a counter in the lower 16.
    package var time: UInt64
    package var device: UInt64

    package init(time: UInt64, device: UInt64) {
        self.time = time
        self.device = device
    }

    /// Before all others: nothing was changed.
    package static let zero = ReplicaStamp(time: 0, device: 0)

    /// Of a thing that was there before its store had a group.
    package static func beforeGroup(at time: Timestamp) -> ReplicaStamp {
        ReplicaStamp(time: HybridClock.time(at: time), device: 0)
    }

    package static func < (left: ReplicaStamp, right: ReplicaStamp) -> Bool {
        left.time == right.time ? left.device < right.device : left.time < right.time
    }

    package static let byteCount = 16

    package init?(_ reader: inout ByteReader) {
        guard let time: UInt64 = reader.bigEndian(), let device: UInt64 = reader.bigEndian() else { return nil }
        self.init(time: time, device: device)
    }

    package func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: time)
        bytes.append(bigEndian: device)
    }
}

/// Gives the times of stamps. A change has the time of its commit, but at least one more than the stamp of the thing it
/// changes, and than every time that this store had merged from other devices. So order holds even if the wall clock is
/// behind.
///
/// Times that this device has given to other things do not count. So after a clock that was ahead is set right, changes
/// have the right time.
package struct HybridClock: Hashable, Sendable {
    /// How far ahead of the wall clock a time may be that moves this one.
    package static let aheadMillisecondsMax: UInt64 = 600_000

    /// How far ahead a time may be that is merged at all: what has the greatest time could not be changed any more.
    package static let mergedAheadMillisecondsMax: UInt64 = 10 * 365 * 86_400_000

    /// The greatest time that other devices gave.
    package private(set) var last: UInt64

    package init(last: UInt64) {
        self.last = last
    }

    package static func time(atMilliseconds milliseconds: UInt64) -> UInt64 {
        min(milliseconds, UInt64.max >> 16) << 16
    }

    /// The first at that moment.
    package static func time(at moment: Timestamp) -> UInt64 { time(atMilliseconds: milliseconds(at: moment)) }

    /// Nothing is before 1970.
    private static func milliseconds(at moment: Timestamp) -> UInt64 { UInt64(max(0, moment.microseconds)) / 1_000 }

    package static func milliseconds(of time: UInt64) -> UInt64 { time >> 16 }

    /// Returns the time of a change.
    ///
    /// - Parameters:
    ///   - seen: The latest time of the thing that is changed.
    ///   - moment: When the change was committed.
    package func time(after seen: UInt64 = 0, ofChangeAt moment: Timestamp) -> UInt64 {
        max(Self.time(at: moment), last.successor, seen.successor)
    }

    /// It is not so far ahead that it has to wait.
    package static func isNear(_ time: UInt64, now: Timestamp) -> Bool {
        milliseconds(of: time) <= milliseconds(at: now) + mergedAheadMillisecondsMax
    }

    /// Takes notice of a time that another device gave.
    ///
    /// - Returns: false where it is too far ahead, and was not learned.
    package mutating func learn(_ time: UInt64, now: Timestamp) -> Bool {
        guard Self.milliseconds(of: time) <= Self.milliseconds(at: now) + Self.aheadMillisecondsMax else {
            return false
        }
        last = max(last, time)
        return true
    }
}

extension UInt64 {
    /// The greatest has none.
    fileprivate var successor: UInt64 { self == .max ? .max : self + 1 }
}
