import Glibc

/// A UTC instant in microseconds since 1970-01-01T00:00:00Z, as the store keeps it.
public struct Timestamp: Hashable, Comparable, Sendable, Codable {
    /// Microseconds since 1970-01-01T00:00:00Z; negative before it.
    public let microseconds: Int64

    /// - Parameter microseconds: since 1970-01-01T00:00:00Z; any value.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Its microseconds, as one number.
    public init(from decoder: any Decoder) throws {
        try self.init(microseconds: decoder.singleValueContainer().decode(Int64.self))
    }

    /// Its microseconds, as one number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(microseconds)
    }

    /// The wall clock's time now.
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// Whether `left` is the earlier instant.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The instant so much later (or earlier, when negative); stays at the ends of the range instead of overflowing.
    public func advanced(byMicroseconds offset: Int64) -> Timestamp {
        let (sum, overflow) = microseconds.addingReportingOverflow(offset)
        guard overflow else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: offset < 0 ? .min : .max)
    }
}
