import ReplicaTransport

/// Where one followed channel stands, and what becomes of what was delivered: a value without I/O.
struct FollowMachine {
    /// What is done with the next message.
    enum Verdict: Hashable {
        case handIn
        /// The daemon has it already.
        case acknowledge
        /// Not what is wanted: what is, is looked for in the stream.
        case locate
    }

    enum Advance: Hashable {
        case goesOn
        /// This message and those behind it are to come again after a time.
        case pauses
    }

    /// The number of the next message to hand in.
    private(set) var next: UInt64
    /// The first message that the stream has behind a gap: it is handed in although others are missing, so that the
    /// daemon knows.
    private(set) var firstBehindGap: UInt64?
    private(set) var isLocated = false

    init(next: UInt64) {
        self.next = max(1, next)
    }

    /// The daemon wants to go on elsewhere: after a snapshot.
    mutating func wanted(_ sequence: UInt64) {
        guard sequence > next else { return }
        next = sequence
        firstBehindGap = nil
    }

    /// What the stream has at the place wanted or behind it.
    ///
    /// - Parameters:
    ///   - found: its first message from the wanted number on; `nil` where there is none.
    ///   - last: the channel's last message, if there is any.
    /// - Returns: where following begins.
    mutating func located(_ found: StreamMessage?, last: StreamMessage?) -> FollowerStart {
        isLocated = true
        firstBehindGap = nil
        guard let found else {
            // Only what is still to come is wanted.
            guard let last, last.streamSequence < .max else { return .first }
            return .streamSequence(last.streamSequence + 1)
        }
        if found.identity.sequence > next { firstBehindGap = found.identity.sequence }
        return .streamSequence(found.streamSequence)
    }

    func verdict(on sequence: UInt64) -> Verdict {
        // Without a number it cannot be in order; the daemon says what it is.
        if sequence == 0 || sequence == next || sequence == firstBehindGap { return .handIn }
        return sequence < next ? .acknowledge : .locate
    }

    mutating func handedIn(_ sequence: UInt64, _ outcome: HandInOutcome) -> Advance {
        switch outcome {
        case .merged, .refused:
            if sequence >= next, sequence < .max { next = sequence + 1 }
            firstBehindGap = nil
            return .goesOn
        case .waits(_, let expected):
            if let expected, expected != sequence, expected > 0 {
                next = expected
                isLocated = false
            }
            return .pauses
        }
    }

    /// The servers' place is not what is wanted, or is gone.
    mutating func lost() {
        isLocated = false
    }
}
