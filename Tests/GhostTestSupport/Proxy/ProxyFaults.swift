import StoreBasics

/// What goes wrong on the way between a client and the daemon. Every connection draws its own share of it.
package struct ProxyFaults: Hashable, Sendable {
    /// How a connection ends that ends before its time.
    package enum Ending: Hashable, Sendable, CaseIterable {
        /// Both sides find it closed.
        case dropped
        /// The client finds the end of the answers; requests go on (half-close).
        case answersEnded
        /// The daemon finds the end of the requests; answers go on (half-close). A client does not notice before the
        /// daemon closes, which it does when it holds no watch and no waiting read.
        case requestsEnded
    }

    /// Of a hundred connections, so many are closed right after they were accepted, before a byte of theirs is read.
    package var closedAtOncePercent = 0
    /// A connection ends when so many bytes, drawn as well, were passed on, both directions counted together; `nil`: it
    /// does not.
    package var endsAfterBytes: ClosedRange<Int>?
    /// One of them is drawn for each connection that ends.
    package var endings = [Ending.dropped]
    /// Most bytes passed on at once.
    package var pieceBytesMax = 64 << 10
    /// The pause before each piece, drawn anew each time.
    package var pauseMicroseconds = 0...0

    /// Nothing goes wrong.
    package init() {}
}

/// One connection's share of the faults.
struct ProxyPlan {
    let isClosedAtOnce: Bool
    let ending: ProxyFaults.Ending
    /// `nil`: it does not.
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
