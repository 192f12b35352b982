package import StoreBasics

/// The time and the device of a change. The time is from a hybrid logical clock (Kulkarni and others 2014,
/// https://cse.buffalo.edu/tech-reports/2014-04.pdf). Two changes of one thing never have the same stamp, except for
/// things that existed before their stores had a group: their stamps have device 0.
package struct ReplicaStamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z in the upper 48 bits, a counter in the lower 16.
    package var time: UInt64
    package var device: UInt64

    package init(time: UInt64, device: UInt64) {
        self.time = time
        self.device = device
    }

    /// The stamp of a thing that was never changed, which is before all others.
    package static let zero = ReplicaStamp(time: 0, device: 0)

    /// Returns the stamp of a thing that existed before its store had a group.
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

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) {
        bytes.append(bigEndian: time)
        bytes.append(bigEndian: device)
    }
}

/// A hybrid logical clock that gives the times of stamps. A change has the time of its commit. If the wall clock is
/// slow, the change has a later time instead, so that the order is kept: the time of a change is always later than the
/// stamp of the changed thing and than every time that this clock has learned from other devices.
///
/// The times of this device's changes to other things have no influence. Therefore new changes have the right time as
/// soon as a fast wall clock is corrected.
package struct HybridClock: Hashable, Sendable {
    /// The limit, in milliseconds, by which another device's time may be ahead of the wall clock. A time further ahead
    /// does not advance this clock.
    package static let aheadMillisecondsMax: UInt64 = 600_000

    /// The most milliseconds by which the time of a merged change may be ahead of the wall clock. Changes further ahead
    /// are not merged. Without a limit, a device could give a thing the greatest possible time, after which the thing
    /// could not be changed any more.
    package static let mergedAheadMillisecondsMax: UInt64 = 10 * 365 * 86_400_000

    /// The greatest time that this clock has learned from other devices.
    package private(set) var last: UInt64

    package init(last: UInt64) {
        self.last = last
    }

    package static func time(atMilliseconds milliseconds: UInt64) -> UInt64 {
        min(milliseconds, UInt64.max >> 16) << 16
    }

    /// Returns the clock time with the milliseconds of `moment` and counter 0.
    package static func time(at moment: Timestamp) -> UInt64 { time(atMilliseconds: milliseconds(at: moment)) }

    /// Returns the milliseconds from 1970 to `moment`; 0 if `moment` is before 1970.
    private static func milliseconds(at moment: Timestamp) -> UInt64 { UInt64(max(0, moment.microseconds)) / 1_000 }

    package static func milliseconds(of time: UInt64) -> UInt64 { time >> 16 }

    /// Returns the time of a change.
    ///
    /// - Parameters:
    ///   - seen: the latest time of the changed thing.
    ///   - moment: the time of the commit.
    package func time(after seen: UInt64 = 0, ofChangeAt moment: Timestamp) -> UInt64 {
        max(Self.time(at: moment), last.successor, seen.successor)
    }

    /// Returns true unless a time is too far ahead of the wall clock to be merged.
    package static func isNear(_ time: UInt64, now: Timestamp) -> Bool {
        milliseconds(of: time) <= milliseconds(at: now) + mergedAheadMillisecondsMax
    }

    /// Advances the clock to a time that another device has given.
    ///
    /// - Returns: false if the time is too far ahead, in which case the clock is unchanged.
    package mutating func learn(_ time: UInt64, now: Timestamp) -> Bool {
        guard Self.milliseconds(of: time) <= Self.milliseconds(at: now) + Self.aheadMillisecondsMax else {
            return false
        }
        last = max(last, time)
        return true
    }
}

extension UInt64 {
    /// The next number; the greatest number is its own successor.
    fileprivate var successor: UInt64 { self == .max ? .max : self + 1 }
}
