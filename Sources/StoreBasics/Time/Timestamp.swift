import Glibc

/// A UTC instant in microseconds since 1970-01-01T00:00:00Z, as stored by the daemon.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// The microseconds since 1970-01-01T00:00:00Z; negative for earlier instants.
    public let microseconds: Int64

    /// - Parameter microseconds: the time since 1970-01-01T00:00:00Z; any value.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Decodes the microseconds as one number.
    public init(from decoder: any Decoder) throws {
        try self.init(microseconds: decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the microseconds as one number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    /// The current time of the wall clock.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// Returns true if `left` is the earlier instant.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// Returns the instant that is later by `offset`, or earlier if it is negative. The result is clamped to the range
    /// instead of overflowing.
    public func advanced(byMicroseconds offset: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(offset)
        guard overflow else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: offset < 0 ? .min : .max)
    }
}
