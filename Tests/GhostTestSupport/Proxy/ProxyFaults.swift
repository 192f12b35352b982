import StoreBasics

/// The faults of connections between clients and a daemon. Each connection draws its own faults from these ranges.
package struct ProxyFaults: Hashable, Sendable {
    /// The way in which a connection ends early.
    package enum Ending: Hashable, Sendable, CaseIterable {
        /// Both sides see the connection closed.
        case dropped
        /// The client sees the end of the answers, but its requests are still passed on (half-close).
        case answersEnded
        /// The daemon sees the end of the requests, but its answers are still passed on (half-close). The client
        /// notices it when the daemon closes the connection, which happens as soon as the daemon has no watch and no
        /// waiting read.
        case requestsEnded
    }

    /// The percentage of connections that are closed right after they were accepted, before any byte is read.
    package var closedAtOncePercent = 0
    /// The number of bytes after which a connection ends, drawn from this range. Both directions count together. If it
    /// is `nil`, the connection does not end early.
    package var endsAfterBytes: ClosedRange<Int>?
    /// The possible ways to end. One is drawn for each connection that ends.
    package var endings = [Ending.dropped]
    /// The largest number of bytes that are passed on at once.
    package var pieceBytesMax = 64 << 10
    /// The pause before each piece. A new value is drawn for each one.
    package var pauseMicroseconds = 0...0

    /// Creates a configuration without faults.
    package init() {}
}

/// The faults that one connection has drawn.
struct ProxyPlan {
    let isClosedAtOnce: Bool
    let ending: ProxyFaults.Ending
    /// The number of bytes after which the connection ends early; `nil` if it does not.
    let endsAfterBytes: Int?
    let pieceBytesMax: Int
    let pauseMicroseconds: ClosedRange<Int>

    init(_ faults: ProxyFaults, using generator: inout SplitMix) {
        isClosedAtOnce = Int.random(in: 0..<100, using: &generator) < faults.closedAtOncePercent
        ending = faults.endings.randomElement(using: &generator) ?? .dropped
        endsAfterBytes = faults.endsAfterBytes.map { Int.random(in: $0, using: &generator) }
        pieceBytesMax = max(1, faults.pieceBytesMax)
        pauseMicroseconds = faults.pauseMicroseconds
    }
}
